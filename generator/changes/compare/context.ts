import type { ModelSpec } from '../../model/api-model.js'
import type { Style } from '../../options.js'
import type { SchemaField, SchemaModel } from '../../schema/schema.js'
import type { ApiSnapshot } from '../api-snapshot.js'
import { quote } from '../phrases.js'

/** What comparing two models needs beside their own members. */
export interface ModelPair {
  readonly before: ModelSpec
  readonly after: ModelSpec
  /** The schema's own description of each. */
  readonly was: SchemaModel | undefined
  readonly is: SchemaModel | undefined
  /** The styles that served both. */
  readonly styles: readonly Style[]
  /** The new names of models that were called otherwise. */
  readonly models: ReadonlyMap<string, string>
  /** The new names of fields of this model that were called otherwise. */
  readonly fields: ReadonlyMap<string, string>
}

/** A model of a schema, whether or not it is on the wire. */
export function schemaModel({ schema }: ApiSnapshot, name: string): SchemaModel | undefined {
  return schema.models.find((model) => model.name === name)
}

/** A field of a schema's model. */
export function schemaField(model: SchemaModel | undefined, name: string): SchemaField | undefined {
  return model?.fields.find((field) => field.name === name)
}

/** The path of a model's routes, in both styles, as long as no handler says otherwise. */
export function routePath(model: string): string {
  return `/${model.toLowerCase()}`
}

/** Those who get what a model shows: `everyone who may list`. */
export function describeReaders({ name, operations }: ModelSpec): string {
  if (operations.includes('list')) return `everyone who may list ${quote(name)}`
  if (operations.includes('get')) return `everyone who may get a ${quote(name)}`
  return `everyone who is answered with a ${quote(name)}`
}

/** Those who may write rows of a model: `everyone who may create or update`. */
export function describeWriters({ name, operations }: ModelSpec): string {
  const verbs = (['create', 'update'] as const).filter((verb) => operations.includes(verb))
  return `everyone who may ${verbs.join(' or ')} ${quote(name)}`
}
