import { RequestError } from '../../errors/request-error.js'
import type { PolicyModel } from '../schema.js'
import type { Args } from '../args.js'
import type { WriteContext } from './write-context.js'

/**
 * Refuses to change what rows refer to of which an app is told: the database would change them with it.
 * @param row what is changed; undefined where that is a set
 * @throws RequestError 409
 */
export function assertNotReferenced({ hooks }: WriteContext, model: PolicyModel, data: Args, row?: Args): void {
  const names = hooks.referred(model)
  if (names.size === 0) return
  const name = Object.keys(data).find((key) => names.has(key) && data[key] !== row?.[key])
  if (name === undefined) return
  const detail = `"${name}" cannot be changed: other resources refer to it.`
  throw new RequestError({ code: 'foreign-key-violation', detail, about: [name] })
}
