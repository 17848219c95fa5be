/** The database that a schema is for, where its way matters. */
export interface Dialect {
  /** Prisma's name of the database, as `postgresql`. */
  readonly provider: string
  /** `prisma` where the schema says so: the database has no foreign keys, and only the client looks whether a row is there. */
  readonly relationMode?: 'prisma'
  /** The client's preview features that callers notice. Descriptions tell of what they add; requests are left to the client. */
  readonly previewFeatures?: readonly PreviewFeature[]
}

/** A preview feature of the client that adds something to requests. */
export type PreviewFeature = 'fullTextSearchPostgres' | 'relationJoins'

/** Whether the client searches texts: for MySQL it always does. */
export function supportsFullText({ provider, previewFeatures = [] }: Dialect): boolean {
  return provider === 'mysql' || previewFeatures.includes('fullTextSearchPostgres')
}

/** Whether the client can be told how to load relations. */
export function supportsLoadStrategy({ previewFeatures = [] }: Dialect): boolean {
  return previewFeatures.includes('relationJoins')
}
