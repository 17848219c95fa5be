import type { Dialect } from '../../prisma/dialect.js'
import type { Field } from '../../schema/resource.js'
import type { Model } from '../../schema/model.js'
import { memoize } from '../memoize.js'
import type { RpcDocumentContext } from './rpc-document-context.js'
import { type Fields, readableFields } from './readable-members.js'

const NUMBERS: ReadonlySet<string> = new Set(['Int', 'BigInt', 'Float', 'Decimal'])

/** Returns the fields that can be summed. */
export const numericFields = memoize((model: Model): Fields =>
  readableFields(model).filter(([, { type, list }]) => NUMBERS.has(type) && !list),
)

/** Returns the fields whose values have a minimum and a maximum. */
export function orderableFields({ dialect }: RpcDocumentContext, model: Model): Fields {
  return readableFields(model).filter(([, field]) => isOrderable(dialect, field))
}

/** Whether the values of a field have a minimum and a maximum. */
export function isOrderable({ provider }: Dialect, { type, list, uuid }: Field): boolean {
  if (type === 'Json' || list) return false
  return !/^(postgres|cockroach)/.test(provider) || !(type === 'Boolean' || type === 'Bytes' || uuid)
}
