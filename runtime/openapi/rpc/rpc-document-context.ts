import type { IdempotencyInfo } from '../../http/idempotency-types.js'
import type { Limits } from '../../limits.js'
import type { Dialect } from '../../prisma/dialect.js'
import type { Model, ModelRelation } from '../../schema/model.js'
import type { Field } from '../../schema/resource.js'
import type { ComponentCollector } from '../component-collector.js'
import type { JsonSchema, Reference } from '../document-types.js'
import { NameAllocator, capitalize } from '../name-allocator.js'
import type { SchemaDescriptions } from '../openapi-options.js'
import {
  type RuleSchema,
  elementSchema,
  type Share,
  responseValueSchema,
  requestElementSchema,
  fieldValueSchema,
} from '../schemas/field-schema.js'
import { closedObject, nullable } from '../schemas/schema-builders.js'

/** The context that all parts of an RPC document share. */
export interface RpcDocumentContext {
  readonly limits: Limits
  readonly dialect: Dialect
  /** The option `descriptions`. */
  readonly descriptions: SchemaDescriptions | undefined
  readonly components: ComponentCollector
  readonly names: SchemaNames
  readonly ruleSchema: RuleSchema | undefined
  /** Whether transactions are enabled. Their results share schemas with the results of single operations. */
  readonly hasTransactions: boolean
  /** Undefined if the handler does not support idempotency keys. */
  readonly keys: IdempotencyInfo | undefined
}

/** Allocates names of schemas. Models are named first, so that no other schema can use their names. */
export class SchemaNames {
  readonly #names = new NameAllocator()
  readonly #given = new Map<string, string>()

  /** @param models sorted, so that the names are deterministic */
  constructor(models: readonly Model[]) {
    for (const { name } of models) this.get(name, '')
  }

  /** Returns the name of a schema that belongs to a model, for example `PostWhere`. Without a suffix, it is the model's schema. */
  get(model: string, suffix: string): string {
    return this.#allocate(`${model} ${suffix}`, () => (suffix === '' ? model : this.get(model, '') + suffix))
  }

  /** Returns the name of a schema that belongs to a member of a model, for example `PostStatusFilter`. */
  ofMember(model: string, member: string, suffix: string): string {
    return this.#allocate(`${model}.${member} ${suffix}`, () => this.get(model, '') + capitalize(member) + suffix)
  }

  /** Returns the name of a schema that does not belong to a model, for example `IntFilter`. */
  shared(name: string): string {
    return this.#allocate(name, () => name)
  }

  #allocate(key: string, create: () => string): string {
    const allocated = this.#given.get(key) ?? this.#names.unique(create())
    this.#given.set(key, allocated)
    return allocated
  }
}

/** Returns a reference to a schema that belongs to a model, for example `PostWhere`, and creates the schema if it does not exist. */
export function modelSchema(
  { components, names }: RpcDocumentContext,
  model: Model,
  suffix: string,
  make: () => JsonSchema,
): Reference {
  return components.schema(names.get(model.name, suffix), make)
}

/**
 * Returns a reference to a schema that belongs to a member of a model, for example `PostStatusFilter`, and creates the schema if it does not
 * exist. A member and a part of the model can result in the same name, such as `PostOrder`. In this case, the later one gets another name.
 * @param member the name of a field, relation or declared route
 */
export function memberSchema(
  { components, names }: RpcDocumentContext,
  model: Model,
  member: string,
  suffix: string,
  make: () => JsonSchema,
): Reference {
  return components.schema(names.ofMember(model.name, member, suffix), make)
}

/** Returns a reference to a schema that does not belong to a model, for example `IntFilter`, and creates it if it does not exist. */
export function sharedSchema(
  { components, names }: RpcDocumentContext,
  name: string,
  make: () => JsonSchema,
): Reference {
  return components.schema(names.shared(name), make)
}

/** Returns the schema of a relation in results: a list of rows, a row, or a row or null. */
export function arity(relation: ModelRelation, row: JsonSchema): JsonSchema {
  if (relation.many) return { type: 'array', items: row }
  return relation.optional || relation.nullable ? nullable(row) : row
}

/** Returns the schema of a field's value in requests. For a list, the schema of one element. The values of an enum are listed only once. */
export function sharedElementSchema(doc: RpcDocumentContext, model: Model, name: string, field: Field): JsonSchema {
  if (field.type !== 'Enum') return requestElementSchema(createSharedSchemas(doc), field)
  return memberSchema(doc, model, name, '', () => elementSchema(field))
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

/** Returns the schema of the arguments' `meta`. */
export function requestMetaSchema(doc: RpcDocumentContext): Reference {
  return sharedSchema(doc, 'RequestMeta', () =>
    closedObject({
      serialization: {
        ...closedObject({
          values: { type: 'object', additionalProperties: { type: 'array', items: {} } },
          referentialEqualities: { type: 'object' },
          v: { enum: [0, 1] },
        }),
        description:
          "superjson's annotations of dates, bigints, decimals and bytes, by path in the arguments. " +
          'Not needed for values that match the schemas.',
      },
    }),
  )
}
