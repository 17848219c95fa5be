import { RequestError } from '../../errors/request-error.js'
import type { IdempotencyInfo } from '../../http/idempotency-middleware.js'
import type { Limits } from '../../limits.js'
import type { Dialect } from '../../orm/dialect.js'
import { isCombinator } from '../../rpc/guard/where/filter-names.js'
import { assertReadable } from '../../rpc/guard/assert-permissions.js'
import type { Field } from '../../schema/resource.js'
import type { Model, ModelRelation } from '../../schema/compile-schema.js'
import type { ComponentCollector } from '../component-collector.js'
import type { JsonSchema, Reference } from '../document-types.js'
import { capitalize, NameAllocator } from '../name-allocator.js'
import { memoize } from '../memoize.js'
import { elementSchema, nullable } from '../schemas/field-schema.js'
import type { RuleSchema } from '../schemas/rule-schema.js'
import { type Share, responseValueSchema, requestElementSchema, fieldValueSchema } from '../schemas/value-schemas.js'

/** The context that all parts of the RPC style's document share. */
export interface RpcDocumentContext {
  readonly limits: Limits
  readonly dialect: Dialect
  readonly components: ComponentCollector
  readonly names: SchemaNames
  readonly ruleSchema: RuleSchema | undefined
  /** Whether transactions are enabled. Their results share schemas with those of single operations. */
  readonly hasTransactions: boolean
  /** Undefined if the handler does not support idempotency keys. */
  readonly keys: IdempotencyInfo | undefined
}

/** Allocates names of schemas. The names of the models come first, so that a part of another model cannot take them. */
export class SchemaNames {
  readonly #names = new NameAllocator()
  readonly #given = new Map<string, string>()

  /** @param models sorted, so that the names are deterministic */
  constructor(models: readonly Model[]) {
    for (const { name } of models) this.get(name, '')
  }

  /** Returns the name of a part of a model, for example `PostWhere`, or of the model itself if the part is empty. */
  get(model: string, part: string): string {
    const key = `${model} ${part}`
    const allocated = this.#given.get(key) ?? this.#names.unique(part === '' ? model : this.get(model, '') + part)
    this.#given.set(key, allocated)
    return allocated
  }

  /** Returns the name of a schema that does not belong to a model, for example `IntFilter`. */
  shared(name: string): string {
    const allocated = this.#given.get(name) ?? this.#names.unique(name)
    this.#given.set(name, allocated)
    return allocated
  }
}

/** Returns a reference to a part of a model, for example `PostWhere`, and creates the schema if it does not exist. */
export function modelSchema(
  { components, names }: RpcDocumentContext,
  model: Model,
  part: string,
  make: () => JsonSchema,
): Reference {
  return components.schema(names.get(model.name, part), make)
}

/** Returns a reference to a schema that does not belong to a model, for example `IntFilter`, and creates it if it does not exist. */
export function sharedSchema(
  { components, names }: RpcDocumentContext,
  name: string,
  make: () => JsonSchema,
): Reference {
  return components.schema(names.shared(name), make)
}

/** Whether a rule of the guards accepts its input. Input that is always rejected is not described. */
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

/** Maps names to a schema each. */
export function mapNames<T>(
  entries: readonly (readonly [name: string, value: T])[],
  make: (value: T, name: string) => JsonSchema,
): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(entries.map(([name, value]) => [name, make(value, name)]))
}

/** Maps names to the same schema. */
export function mapToSchema(names: readonly string[], schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return Object.fromEntries(names.map((name) => [name, schema]))
}

/** Returns the schema of a relation in results: a list of rows, a row, or a row or null. */
export function arity(relation: ModelRelation, row: JsonSchema): JsonSchema {
  if (relation.many) return { type: 'array', items: row }
  return relation.optional || relation.nullable ? nullable(row) : row
}

/** Returns the schema of a field's value in requests; for a list, of one element. The values of an enum are listed once. */
export function sharedElementSchema(doc: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  if (field.type !== 'Enum') return requestElementSchema(createSharedSchemas(doc), field)
  return modelSchema(doc, model, capitalize(name), () => elementSchema(field))
}

/** Returns the schema of a field's values in responses. */
export function responseFieldSchema(doc: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  if (field.type !== 'Enum') return responseValueSchema(createSharedSchemas(doc), field)
  return fieldValueSchema(createSharedSchemas(doc), field, sharedElementSchema(doc, model, name, field))
}

/** Returns {@link sharedSchema} bound to a document. */
export function createSharedSchemas(doc: RpcDocumentContext): Share {
  return (name, make) => sharedSchema(doc, name, make)
}
