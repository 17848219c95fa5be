/** Where the database is. Without the variable it is a file of SQLite. */
export const databaseUrl = process.env['DATABASE_URL'] ?? `file:${process.env['DATABASE_FILE'] ?? 'tracker.db'}`

/** Which kind of database that is. */
export const provider = /^postgres(ql)?:/.test(databaseUrl) ? 'postgresql' : 'sqlite'
