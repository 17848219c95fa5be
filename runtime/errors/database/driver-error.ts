import { isObjectLike, prismaMeta } from './prisma-error.js'

/** The details of a database error, extracted without Prisma's own classes. */
export interface DriverError {
  /** The driver adapter's name for the error, for example `UniqueConstraintViolation`. */
  readonly kind: string | undefined
  /** SQLSTATEs, MySQL's error numbers and system error names, for example `42501`, `45028` or `ECONNREFUSED`. */
  readonly codes: readonly string[]
  /** The SQLSTATE that MySQL reports along with its error number. */
  readonly state: string | undefined
  /** The fields or columns of the violated constraint. */
  readonly fields: readonly string[] | undefined
  /** The violated index. Some databases report it instead of its fields. */
  readonly index: string | undefined
  /** The column that the database's message names. */
  readonly column: string | undefined
  /** The database's own message. Shown only if the app allows it. */
  readonly databaseMessage: string | undefined
  /** The messages of all layers, for pattern matching. Never shown. */
  readonly message: string
}

/** Extracts the driver error from any thrown value. Searches its `cause`s, `meta.driverAdapterError` and aggregated errors. */
export function findDriverError(error: unknown): DriverError {
  const codes: string[] = []
  let kind: string | undefined
  let fields: readonly string[] | undefined
  let index: string | undefined
  let state: string | undefined
  let databaseMessage: string | undefined
  let message = ''
  for (const layer of layersOf(error)) {
    for (const key of ['originalCode', 'code', 'errno', 'extendedCode']) {
      const code = layer[key]
      if (typeof code === 'string' || typeof code === 'number') codes.push(String(code))
    }
    state ??= textOf(layer['sqlState'] ?? layer['state'])
    databaseMessage ??= textOf(layer['originalMessage'])
    // If the MySQL driver's pool has no free connection, `cause` is a string such as `(conn:-1, no: 1045, …`, with the number of the actual
    // error.
    const [, number] = /^\(conn:-?\d+, no: (\d+),/.exec(textOf(layer['cause']) ?? '') ?? []
    if (number !== undefined) codes.push(number)
    kind ??= textOf(layer['kind'])
    const constraint = layer['constraint']
    if (isObjectLike(constraint)) {
      const names = constraint['fields']
      // PostgreSQL quotes names with capitals.
      if (Array.isArray(names)) fields ??= names.map((name) => String(name).replace(/^"(.*)"$/, '$1'))
      index ??= textOf(constraint['index'])
    }
    for (const key of ['originalMessage', 'message']) {
      if (typeof layer[key] === 'string') message += `${layer[key]}\n`
    }
  }
  const column = columnIn(databaseMessage)
  // Prisma's adapter for PostgreSQL does not report the field.
  if (kind === 'NullConstraintViolation' && column !== undefined) fields ??= [column]
  return { codes, message, state, column, databaseMessage, kind, fields, index }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/**
 * Matches `column "a" of relation "b"`, `column 'a'`, `column \`db\`.\`b\`.\`a\`` and MariaDB's name for the CHECK constraint of a column:
 * `CONSTRAINT \`b.a\``.
 */
const COLUMN = /\bcolumn (?:[`"']?\w+[`"']?\.)*[`"']?(\w+)|^CONSTRAINT `\w+\.(\w+)`/g

/** Returns the column that a message names. Uses the last match, because MySQL quotes the caller's value before the column. */
function columnIn(message = ''): string | undefined {
  const match = [...message.matchAll(COLUMN)].at(-1)
  return match?.[1] ?? match?.[2]
}

const MAX_LAYERS = 10

function layersOf(error: unknown): Record<string, unknown>[] {
  const layers: Record<string, unknown>[] = []
  const queue: unknown[] = [error]
  while (queue.length > 0 && layers.length < MAX_LAYERS) {
    const layer = queue.shift()
    if (!isObjectLike(layer) || layers.includes(layer)) continue
    layers.push(layer)
    queue.push(layer['cause'], prismaMeta(layer)['driverAdapterError'])
    if (Array.isArray(layer['errors'])) queue.push(...layer['errors'].slice(0, 2))
  }
  return layers
}
