/**
 * The comments of a Prisma schema, by model: the shape of the emitted `descriptions.ts`. Contains only exposed models, fields and relations.
 */
export interface SchemaDescriptions {
  readonly [model: string]: ModelDescriptions
}

/** The comments of a model. */
export interface ModelDescriptions {
  /** The comment on the model. */
  readonly description?: string
  /** The comments on fields and relations, by name. */
  readonly fields?: Readonly<Record<string, string>>
}

/** Provides the comments of a schema to the parts of a document. */
interface DescriptionContext {
  readonly descriptions: SchemaDescriptions | undefined
}

/** Returns the schema's comment on a model. */
export function describeModel({ descriptions }: DescriptionContext, model: string): string | undefined {
  return findProperty(descriptions, model)?.description
}

/** Returns the schema's comment on a field or relation. */
export function describeMember({ descriptions }: DescriptionContext, model: string, name: string): string | undefined {
  return findProperty(findProperty(descriptions, model)?.fields, name)
}

/** Returns a property unless it is inherited, because a model or field can be named `constructor`. */
function findProperty<T>(values: Readonly<Record<string, T>> | undefined, name: string): T | undefined {
  return values && Object.hasOwn(values, name) ? values[name] : undefined
}
