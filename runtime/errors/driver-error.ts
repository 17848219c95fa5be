/** What a database said of a failure, as far as it can be told apart without Prisma's own classes. */
export interface DriverError {
  /** A driver adapter's own name of the failure, as `UniqueConstraintViolation`. */
  readonly kind: string | undefined
  /** SQLSTATE, an error number of MySQL, or a system's error name, as `42501`, `45028`, `ECONNREFUSED`. */
  readonly codes: readonly string[]
  /** The SQLSTATE that MySQL reports with its own number. */
  readonly state: string | undefined
  /** The fields or columns of the constraint that was violated. */
  readonly fields: readonly string[] | undefined
  /** The index that was violated, which databases name instead of its fields. */
  readonly index: string | undefined
  /** The table of that index. */
  readonly table: string | undefined
  /** The column that the database names in its message. */
  readonly column: string | undefined
  /** Only the database's own message. Shown only if the app allows it. */
  readonly databaseMessage: string | undefined
  /** The messages of all layers, for pattern matching. Never shown. */
  readonly message: string
}

/** Finds what a database said in any thrown value: in its `cause`s, in `meta.driverAdapterError`, in what it aggregates. */
export function findDriverError(error: unknown): DriverError {
  const codes: string[] = []
  let kind: string | undefined
  let fields: readonly string[] | undefined
  let index: string | undefined
  let table: string | undefined
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
    // Why the pool of MySQL's driver has no connection.
    const [, number] = /^\(conn:-?\d+, no: (\d+),/.exec(textOf(layer['cause']) ?? '') ?? []
    if (number !== undefined) codes.push(number)
    kind ??= textOf(layer['kind'])
    table ??= textOf(layer['table'])
    const constraint = layer['constraint']
    if (isObjectLike(constraint)) {
      const names = constraint['fields']
      // Postgres quotes names with capitals.
      if (Array.isArray(names)) fields ??= names.map((name) => String(name).replace(/^"(.*)"$/, '$1'))
      index ??= textOf(constraint['index'])
    }
    for (const key of ['originalMessage', 'message']) {
      if (typeof layer[key] === 'string') message += `${layer[key]}\n`
    }
  }
  const column = columnIn(databaseMessage)
  // Prisma's adapter for PostgreSQL does not report it.
  if (kind === 'NullConstraintViolation' && column !== undefined) fields ??= [column]
  return { codes, message, state, column, databaseMessage, kind, fields, index, table }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** `column "a" of relation "b"`, `column 'a'`, `column \`db\`.\`b\`.\`a\``, and MariaDB's name of a column's CHECK: `CONSTRAINT \`b.a\``. */
const COLUMN = /\bcolumn (?:[`"']?\w+[`"']?\.)*[`"']?(\w+)|^CONSTRAINT `\w+\.(\w+)`/g

/** Returns the column that a message names. MySQL quotes the caller's value before it. */
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

/** What Prisma tells of an error beside its code; empty where it tells nothing. */
export function prismaMeta(error: unknown): Readonly<Record<string, unknown>> {
  return isObjectLike(error) && isObjectLike(error['meta']) ? error['meta'] : {}
}

/** Whether a value has members to look into. */
export function isObjectLike(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
