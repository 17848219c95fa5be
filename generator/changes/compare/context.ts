import type { ModelSpec } from '../../model/api-model.js'
import type { Style } from '../../options.js'
import type { SchemaField, SchemaModel } from '../../schema/schema.js'
import type { ApiSnapshot } from '../api-snapshot.js'
import { quote, withArticle } from '../phrases.js'

/** Two versions of a model, with the data that is needed to compare them. */
export interface ModelPair {
  readonly before: ModelSpec
  readonly after: ModelSpec
  /** All models of the API before and after the change. */
  readonly oldModels: readonly ModelSpec[]
  readonly newModels: readonly ModelSpec[]
  /** The model before and after the change, as the schema declares it. */
  readonly oldSchema: SchemaModel | undefined
  readonly newSchema: SchemaModel | undefined
  /** The API styles (REST, RPC) that are emitted before and after the change. */
  readonly styles: readonly Style[]
  /** The database provider after the change. */
  readonly provider: string
  /** Whether REST supports cursors before and after the change. */
  readonly hasCursors: boolean
  /** The new names of renamed models, by old name. */
  readonly models: ReadonlyMap<string, string>
  /** The new names of this model's renamed fields, by old name. */
  readonly fields: ReadonlyMap<string, string>
}

/** Returns a model of a schema, even if it is hidden. */
export function schemaModel({ schema }: ApiSnapshot, name: string): SchemaModel | undefined {
  return schema.models.find((model) => model.name === name)
}

/** Returns a field of a schema model. */
export function schemaField(model: SchemaModel | undefined, name: string): SchemaField | undefined {
  return model?.fields.find((field) => field.name === name)
}

/** Returns a field as the schemas declare it before and after the change. */
export function schemaFields({ oldSchema, newSchema, fields }: ModelPair, name: string) {
  const oldName = [...fields].find(([, newName]) => newName === name)?.[0] ?? name
  return [schemaField(oldSchema, oldName), schemaField(newSchema, name)] as const
}

/** Returns the default path of a model's routes in REST and RPC. Handlers can override it. */
export function routePath(model: string): string {
  return `/${model.toLowerCase()}`
}

/** Returns a phrase for the callers who receive a model's fields, such as `callers who may list`. */
export function describeReaders({ name, operations }: ModelSpec): string {
  if (operations.includes('list')) return `callers who may list ${quote(name)}`
  if (operations.includes('get')) return `callers who may get ${withArticle('a', name)}`
  return `callers who receive ${withArticle('a', name)}`
}

/** Returns a phrase for the callers who may write rows of a model, such as `callers who may create or update`. */
export function describeWriters({ name, operations }: ModelSpec): string {
  const verbs = (['create', 'update'] as const).filter((verb) => operations.includes(verb))
  return `callers who may ${verbs.join(' or ')} ${quote(name)}`
}
