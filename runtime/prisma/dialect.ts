/** The database of a schema and the settings that affect the runtime. */
export interface Dialect {
  /** Prisma's name for the database, for example `postgresql`. */
  readonly provider: string
  /** `prisma` if the schema sets it: the database has no foreign keys, and only the client checks that a row exists. */
  readonly relationMode?: 'prisma'
  /** The client's preview features that affect requests: they extend API descriptions, and `relationJoins` changes how REST loads relations. */
  readonly previewFeatures?: readonly PreviewFeature[]
}

/** A preview feature of the client that extends requests. */
export type PreviewFeature = 'fullTextSearchPostgres' | 'relationJoins'

/** Whether the client supports full-text search. On MySQL, it always does. */
export function supportsFullText({ provider, previewFeatures = [] }: Dialect): boolean {
  return provider === 'mysql' || previewFeatures.includes('fullTextSearchPostgres')
}

/** Whether the client supports `relationLoadStrategy`. */
export function supportsLoadStrategy({ previewFeatures = [] }: Dialect): boolean {
  return previewFeatures.includes('relationJoins')
}
