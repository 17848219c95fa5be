/** The URL of the database. Default: an SQLite file. */
export const databaseUrl = process.env['DATABASE_URL'] ?? `file:${process.env['DATABASE_FILE'] ?? 'tracker.db'}`

/** The provider of the database. */
export const provider = /^postgres(ql)?:/.test(databaseUrl) ? 'postgresql' : 'sqlite'
