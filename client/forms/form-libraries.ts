import { type FormPath, toFormErrors, type ToFormPath } from './form-errors.js'

/** A form of React Hook Form: the result of `useForm`. */
export interface ReactHookForm {
  // A method, so that the parameter may be a union of the form's field names.
  setError(name: string, error: { readonly type: string; readonly message: string }): void
}

/** Errors of a form and its fields for TanStack Form, as returned by `onSubmitAsync`. */
export interface TanStackFormErrors {
  /** The message of the form. Undefined if only fields have errors. */
  readonly form: string | undefined
  /** Message of each field: `{ 'tags[0].name': 'Must be a string.' }`. */
  readonly fields: Record<string, string>
}

/** Errors of a form and its fields for `submission.reply` of Conform. */
export interface ConformErrors {
  /** The messages of the form. */
  readonly formErrors: string[]
  /** The messages of each field: `{ 'tags[0].name': ['Must be a string.'] }`. */
  readonly fieldErrors: Record<string, string[]>
}

/**
 * Passes the errors of a client call to React Hook Form. Messages that do not belong to a field become `errors.root.server`.
 * @param form the result of `useForm`
 * @param error the error of a REST or RPC call
 * @param target see {@link toFormErrors}
 * @throws the error itself if it is not from a client
 * @example
 * ```ts
 * import { createRpcClient, setReactHookFormErrors } from '@routewright/client'
 * import type { Api } from './routes/client.js'
 *
 * declare const form: { setError(name: 'name' | 'root', error: { message?: string }): void }
 *
 * const api = createRpcClient<Api>({ url: '/api/rpc' })
 * const save = (name: string) =>
 *   api.tag.create({ data: { name } }).catch((error: unknown) => setReactHookFormErrors(form, error))
 * ```
 * @see [React Hook Form](docs/forms.md#react-hook-form)
 */
export function setReactHookFormErrors(form: ReactHookForm, error: unknown, target?: ToFormPath | number): void {
  const errors = toFormErrors(error, target)
  const seen = new Set<string>()
  for (const { name, message, code = 'server' } of errors.fields) {
    // A later call of `setError` would replace the first error of the field.
    if (!seen.has(name)) form.setError(name, { type: code, message })
    seen.add(name)
  }
  if (errors.form.length > 0) form.setError('root.server', { type: 'server', message: errors.form.join(' ') })
}

/**
 * Converts the errors of a client call for TanStack Form. Return them from the validator `onSubmitAsync`.
 * @param error the error of a REST or RPC call
 * @param target see {@link toFormErrors}
 * @throws the error itself if it is not from a client
 * @example
 * ```ts
 * import { createRpcClient, toTanStackFormErrors } from '@routewright/client'
 * import type { Api } from './routes/client.js'
 *
 * const api = createRpcClient<Api>({ url: '/api/rpc' })
 * const onSubmitAsync = ({ value }: { value: { name: string } }) =>
 *   api.tag.create({ data: value }).then(() => undefined, toTanStackFormErrors)
 * ```
 * @see [TanStack Form](docs/forms.md#tanstack-form)
 */
export function toTanStackFormErrors(error: unknown, target?: ToFormPath | number): TanStackFormErrors {
  const errors = toFormErrors(error, target)
  const fields = Object.entries(groupMessages(errors.fields)).map(([name, messages]) => [name, messages.join(' ')])
  return { form: errors.form.join(' ') || undefined, fields: Object.fromEntries(fields) }
}

/**
 * Converts the errors of a client call for Conform. Pass them to `submission.reply`.
 * @param error the error of a REST or RPC call
 * @param target see {@link toFormErrors}
 * @throws the error itself if it is not from a client
 * @example
 * ```ts
 * import { createRpcClient, toConformErrors } from '@routewright/client'
 * import type { Api } from './routes/client.js'
 *
 * declare const submission: { reply(options?: { fieldErrors?: Record<string, string[]> }): object }
 *
 * const api = createRpcClient<Api>({ url: '/api/rpc' })
 * const saved = api.tag.create({ data: { name: 'news' } })
 * const reply = await saved.catch((error: unknown) => submission.reply(toConformErrors(error)))
 * ```
 * @see [Conform](docs/forms.md#conform)
 */
export function toConformErrors(error: unknown, target?: ToFormPath | number): ConformErrors {
  const errors = toFormErrors(error, target)
  return { formErrors: [...errors.form], fieldErrors: groupMessages(errors.fields) }
}

/** Groups messages by the field's name in the notation of TanStack Form and Conform: `tags[0].name`. */
function groupMessages(errors: readonly { readonly path: FormPath; readonly message: string }[]) {
  const groups = new Map<string, string[]>()
  for (const { path, message } of errors) {
    const name = path
      .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
      .join('')
      .replace(/^\./, '')
    groups.set(name, [...(groups.get(name) ?? []), message])
  }
  return Object.fromEntries(groups)
}
