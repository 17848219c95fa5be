/** The database that a schema is for, where its way matters. */
export interface Dialect {
  /** Prisma's name of the database, as `postgresql`. */
  readonly provider: string
  /** `prisma` where the schema says so: the database has no foreign keys, and only the client looks whether a row is there. */
  readonly relationMode?: 'prisma'
}
