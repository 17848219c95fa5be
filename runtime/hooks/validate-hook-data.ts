import { type ErrorDetail, RequestError } from '../errors/request-error.js'
import type { PolicyModel } from '../policy/policy-schema.js'
import type { Args } from '../policy/args.js'
import { isRequiredOnCreate } from '../schema/compile-schema.js'
import { isObject } from '../values/is-object.js'

/**
 * Validates the data that a hook returned, and removes undefined members.
 * @param hookName the hook's name in the app's code: `Post.create.before`
 * @throws Error with the name of the hook if the result is not an object or contains a key that is not a column
 */
export function validateHookData(hookName: string, { name, fields }: PolicyModel, result: unknown): Args {
  if (!isObject(result)) throw new Error(`The hook ${hookName} must return the data to write.`)
  const data = Object.fromEntries(Object.entries(result).filter(([, value]) => value !== undefined))
  const unknown = Object.keys(data).find((key) => !fields.has(key))
  if (unknown === undefined) return data
  throw new Error(`The hook ${hookName} returned "${unknown}", which is not a column of ${name}.`)
}

/**
 * Checks that the data of a new row contains all required fields that the caller can set. Must run after the hooks, which may fill them in.
 * @throws RequestError 422 if a field is missing
 */
export function assertRequiredFields({ fields }: PolicyModel, data: Args): void {
  const missing = [...fields].filter(([name, field]) => {
    return !(name in data) && isRequiredOnCreate(field) && !field.hidden && !field.readOnly
  })
  const [first, ...others] = missing.map(([name]): ErrorDetail => ({
    code: 'missing-attribute',
    detail: `"${name}" is required.`,
    field: name,
  }))
  if (first) throw new RequestError([first, ...others])
}
