import { RequestError } from '../../errors/request-error.js'
import type { Dialect } from '../../prisma/dialect.js'
import { assertReadable } from '../../rpc/guard/assert-permissions.js'
import { isCombinator } from '../../rpc/guard/argument-helpers.js'
import type { Model, ModelRelation } from '../../schema/model.js'
import type { Field } from '../../schema/resource.js'
import { memoize } from '../../values/memoize.js'
import type { RpcDocumentContext } from './rpc-document-context.js'

/** Whether a validation function accepts its input. The document does not describe input that is always rejected. */
export function isAccepted(rule: () => unknown): boolean {
  try {
    rule()
    return true
  } catch (error) {
    if (error instanceof RequestError) return false
    throw error
  }
}

/** A list of fields with their names. */
export type Fields = readonly (readonly [name: string, field: Field])[]

/** A list of relations with their names. */
export type Relations = readonly (readonly [name: string, relation: ModelRelation])[]

/** Returns the readable fields of a model. */
export const readableFields = memoize((model: Model): Fields =>
  [...model.fields].filter(([, { writeOnly }]) => !writeOnly),
)

/** Returns the readable relations of a model. */
export const readableRelations = memoize((model: Model): Relations =>
  [...model.relations].filter(
    ([name, relation]) => !isCombinator(name) && isAccepted(() => assertReadable(relation, '')),
  ),
)

/** Returns the readable to-many relations of a model. */
export const countableRelations = memoize((model: Model): Relations =>
  readableRelations(model).filter(([, { many }]) => many),
)

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
