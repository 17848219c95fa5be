import { type ReactElement, cloneElement, useId } from 'react'

interface Props {
  readonly label: string
  /** The server's error messages for the field. */
  readonly errors?: readonly string[] | undefined
  readonly hint?: string
  /** The input element. */
  readonly children: ReactElement<{ id?: string; 'aria-invalid'?: boolean; 'aria-describedby'?: string | undefined }>
}

/** A form field with its label, input and errors. */
export function Field({ label, errors = [], hint, children }: Props) {
  const id = useId()
  const isInvalid = errors.length > 0
  const described = [isInvalid && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, { id, 'aria-invalid': isInvalid, 'aria-describedby': described || undefined })}
      {hint && (
        <small id={`${id}-hint`} className="muted">
          {hint}
        </small>
      )}
      {isInvalid && (
        <p className="error" id={`${id}-error`}>
          {errors.join(' ')}
        </p>
      )}
    </div>
  )
}
