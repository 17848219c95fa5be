import type { PolicyModel } from '../policy/policy-schema.js'
import type { Args } from '../policy/args.js'
import { isObject } from '../values/is-object.js'

/**
 * Validates the data that a hook returned, and removes undefined values.
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
