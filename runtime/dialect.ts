/** The database that a schema is for, where its way matters. */
export interface Dialect {
  /** Prisma's name of the database, as `postgresql`. */
  readonly provider: string
}
