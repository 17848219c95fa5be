import { type ErrorDetail, RequestError } from '../errors/request-error.js'
import type { PolicyModel } from '../policy/schema.js'
import type { Args } from '../policy/args.js'
import { isRequiredOnCreate } from '../schema/schema.js'
import { isObject } from '../values/is-object.js'

/**
 * The data that a hook gave.
 * @param at the hook's name, as the app's author wrote it: `Post.create.before`
 * @throws Error with the name of the hook where it gave none, or what is no column
 */
export function validateHookData(at: string, { name, fields }: PolicyModel, given: unknown): Args {
  if (!isObject(given)) throw new Error(`The hook ${at} gave no data: it must return what is to be written.`)
  const data = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined))
  const wrong = Object.keys(data).find((key) => !fields.has(key))
  if (wrong === undefined) return data
  throw new Error(`The hook ${at} gave "${wrong}", which is no column of ${name}.`)
}

/**
 * Requires what a row cannot be created without and what its caller could have given: hooks may have filled it in.
 * @throws RequestError 422
 */
export function assertRequiredFields({ fields }: PolicyModel, data: Args): void {
  const missing = [...fields].filter(([name, field]) => {
    return !(name in data) && isRequiredOnCreate(field) && !field.hidden && !field.readOnly
  })
  const [first, ...others] = missing.map(([name]): ErrorDetail => ({
    code: 'missing-attribute',
    detail: `"${name}" must be given.`,
    field: name,
  }))
  if (first) throw new RequestError([first, ...others])
}
