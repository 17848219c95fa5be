import { type ReactElement, cloneElement, useId } from 'react'

interface Props {
  readonly label: string
  /** What the server says is wrong with it. */
  readonly errors?: readonly string[] | undefined
  readonly hint?: string
  /** The input. */
  readonly children: ReactElement<{ id?: string; 'aria-invalid'?: boolean; 'aria-describedby'?: string | undefined }>
}

/** A field of a form: its name, its input, and what is wrong with it. */
export function Field({ label, errors = [], hint, children }: Props) {
  const id = useId()
  const isWrong = errors.length > 0
  const described = [isWrong && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, { id, 'aria-invalid': isWrong, 'aria-describedby': described || undefined })}
      {hint && (
        <small id={`${id}-hint`} className="muted">
          {hint}
        </small>
      )}
      {isWrong && (
        <p className="error" id={`${id}-error`}>
          {errors.join(' ')}
        </p>
      )}
    </div>
  )
}
