import { RequestError } from '../../errors/request-error.js'
import type { IdempotencyInfo } from '../../http/idempotency-middleware.js'
import type { Limits } from '../../limits.js'
import type { Dialect } from '../../orm/dialect.js'
import { isCombinator } from '../../rpc/guard/where/filter-names.js'
import { assertReadable } from '../../rpc/guard/permissions.js'
import type { Field } from '../../schema/resource.js'
import type { Model, ModelRelation } from '../../schema/schema.js'
import type { ComponentCollector } from '../components.js'
import type { JsonSchema, Reference } from '../document.js'
import { capitalize, NameAllocator } from '../names.js'
import { memoize } from '../memoize.js'
import { elementSchema, nullable } from '../schemas/field-schema.js'
import type { RuleSchema } from '../schemas/rule-schema.js'
import { type Share, responseValueSchema, requestElementSchema, fieldValueSchema } from '../schemas/shared-types.js'

/** What all parts of the RPC style's document are written with. */
export interface RpcDocumentContext {
  readonly limits: Limits
  readonly dialect: Dialect
  readonly components: ComponentCollector
  readonly names: SchemaNames
  readonly ruleSchema: RuleSchema | undefined
  /** Whether transactions are served, which give what operations give alone. */
  readonly hasTransactions: boolean
  /** Undefined where the handler takes no idempotency keys. */
  readonly keys: IdempotencyInfo | undefined
}

/** Names of schemas. The models' own names come first, so that none of them loses its own to a part of another. */
export class SchemaNames {
  readonly #names = new NameAllocator()
  readonly #given = new Map<string, string>()

  /** @param models sorted, so that the same ones always get the same names */
  constructor(models: readonly Model[]) {
    for (const { name } of models) this.of(name, '')
  }

  /** The name of a part of a model, as `PostWhere`; of the model itself where the part is empty. */
  of(model: string, part: string): string {
    const key = `${model} ${part}`
    const given = this.#given.get(key) ?? this.#names.unique(part === '' ? model : this.of(model, '') + part)
    this.#given.set(key, given)
    return given
  }

  /** The name of what belongs to no model, as `IntFilter`. */
  shared(name: string): string {
    const given = this.#given.get(name) ?? this.#names.unique(name)
    this.#given.set(name, given)
    return given
  }
}

/** Refers to a part of a model, as `PostWhere`, which is made where it is not there yet. */
export function modelSchema(
  { components, names }: RpcDocumentContext,
  model: Model,
  part: string,
  make: () => JsonSchema,
): Reference {
  return components.schema(names.of(model.name, part), make)
}

/** Refers to what belongs to no model, as `IntFilter`. */
export function sharedSchema(
  { components, names }: RpcDocumentContext,
  name: string,
  make: () => JsonSchema,
): Reference {
  return components.schema(names.shared(name), make)
}

/** Whether a rule of the guards lets through what it is asked about: what they always refuse is on no document. */
export function isAccepted(rule: () => unknown): boolean {
  try {
    rule()
    return true
  } catch (error) {
    if (error instanceof RequestError) return false
    throw error
  }
}

/** Fields with their names. */
export type Fields = readonly (readonly [name: string, field: Field])[]

/** Relations with their names. */
export type Relations = readonly (readonly [name: string, relation: ModelRelation])[]

/** The fields of a model that are read. */
export const readableFields = memoize((model: Model): Fields =>
  [...model.fields].filter(([, { writeOnly }]) => !writeOnly),
)

/** The relations of a model that are read through. */
export const readableRelations = memoize((model: Model): Relations =>
  [...model.relations].filter(
    ([name, relation]) => !isCombinator(name) && isAccepted(() => assertReadable(relation, '')),
  ),
)

/** The to-many relations of a model that are read through. */
export const countableRelations = memoize((model: Model): Relations =>
  readableRelations(model).filter(([, { many }]) => many),
)

/** One schema for each of some names. */
export function mapNames<T>(
  entries: readonly (readonly [name: string, value: T])[],
  make: (value: T, name: string) => JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(entries.map(([name, value]) => [name, make(value, name)]))
}

/** The same schema for each of some names. */
export function sameForAll(names: readonly string[], schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(names.map((name) => [name, schema]))
}

/** The schema of a relation in results: a list of rows, one row, or one row or null. */
export function arity(relation: ModelRelation, row: JsonSchema): JsonSchema {
  if (relation.many) return { type: 'array', items: row }
  return relation.optional || relation.nullable ? nullable(row) : row
}

/** The schema of one value of a field in requests: of a list, one element. An enum's values are listed once. */
export function sharedElementSchema(
  described: RpcDocumentContext,
  model: Model,
  name: string,
  field: Field,
): JsonSchema {
  if (field.type !== 'Enum') return requestElementSchema(createSharedSchemas(described), field)
  return modelSchema(described, model, capitalize(name), () => elementSchema(field))
}

/** The schema of a field's values in answers. */
export function responseFieldSchema(
  described: RpcDocumentContext,
  model: Model,
  name: string,
  field: Field,
): JsonSchema {
  if (field.type !== 'Enum') return responseValueSchema(createSharedSchemas(described), field)
  return fieldValueSchema(createSharedSchemas(described), field, sharedElementSchema(described, model, name, field))
}

/** How schemas are shared that belong to no model. */
export function createSharedSchemas(described: RpcDocumentContext): Share {
  return (name, make) => sharedSchema(described, name, make)
}
