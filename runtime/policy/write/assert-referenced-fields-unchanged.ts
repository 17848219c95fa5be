import { RequestError } from '../../errors/request-error.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'
import type { WriteContext } from './write-context.js'

/**
 * Checks that an update does not change fields that rows with hooks refer to. The database would update these rows without calling their
 * hooks.
 * @param row the current row; undefined for a bulk update
 * @throws RequestError 409 if it changes such a field
 */
export function assertReferencedFieldsUnchanged(
  { hooks }: WriteContext,
  model: PolicyModel,
  data: Args,
  row?: Args,
): void {
  const names = hooks.referencedFields(model)
  if (names.size === 0) return
  const name = Object.keys(data).find((key) => names.has(key) && data[key] !== row?.[key])
  if (name === undefined) return
  const detail = `"${name}" cannot be changed: other resources refer to it.`
  throw new RequestError({ code: 'foreign-key-violation', detail, about: [name] })
}
