/** The data set: the same rows for every database and run. */

/** Number of rows per model. */
export const SIZES = { User: 10_000, Post: 100_000, Comment: 300_000, Reading: 1_000, Stock: 1_000 } as const

/** A value of a row, before it is written as SQL. */
export type Value = string | number | bigint | boolean | null | Date | Uint8Array | { readonly json: unknown }

/** A table and its rows. */
export interface Table {
  readonly name: keyof typeof SIZES
  readonly columns: readonly string[]
  readonly row: (id: number) => readonly Value[]
}

const START = Date.UTC(2020, 0, 1)
const MINUTE = 60_000
const WORDS = 'the quick brown fox jumps over a lazy dog while "seven" wizards box in Zürich — again and again'.split(
  ' ',
)

/** Returns words, which are always the same for the same seed. */
function words(seed: number, count: number): string {
  let text = ''
  for (let word = 0; word < count; word++) text += ` ${WORDS[(seed * 31 + word * (7 + (seed % 5))) % WORDS.length]}`
  return text.slice(1)
}

/** All tables. Referenced tables come first. */
export const TABLES: readonly Table[] = [
  {
    name: 'User',
    columns: ['id', 'email', 'name', 'bio', 'createdAt'],
    row: (id) => [
      id,
      `user${id}@example.com`,
      `User ${id}`,
      id % 3 === 0 ? null : words(id, 12),
      new Date(START + id * MINUTE),
    ],
  },
  {
    name: 'Post',
    columns: ['id', 'slug', 'title', 'body', 'status', 'views', 'createdAt', 'authorId'],
    row: (id) => [
      id,
      `post-${id}`,
      words(id, 6),
      words(id, 40),
      id % 5 === 0 ? 'DRAFT' : 'PUBLISHED',
      (id * 7919) % 10_000,
      new Date(START + ((id * 7919) % SIZES.Post) * MINUTE),
      ((id * 37) % SIZES.User) + 1,
    ],
  },
  {
    name: 'Comment',
    columns: ['id', 'body', 'createdAt', 'postId', 'authorId'],
    row: (id) => [
      id,
      words(id, 15),
      new Date(START + id * MINUTE),
      ((id * 61) % SIZES.Post) + 1,
      ((id * 41) % SIZES.User) + 1,
    ],
  },
  {
    name: 'Reading',
    columns: ['id', 'label', 'at', 'amount', 'count', 'ratio', 'valid', 'data', 'raw', 'note'],
    row: (id) => [
      id,
      `reading ${id}`,
      new Date(START + id * 1234),
      Number(`${id}.25`),
      2n ** 40n + BigInt(id),
      id / 7,
      id % 2 === 0,
      { json: { unit: 'kWh', tags: ['a', 'b', words(id, 2)], limits: { low: id, high: id * 2 } } },
      Uint8Array.from({ length: 48 }, (_, index) => (id * (index + 3)) % 256),
      id % 4 === 0 ? null : words(id, 4),
    ],
  },
  { name: 'Stock', columns: ['id', 'name', 'quantity'], row: (id) => [id, words(id, 2), (id * 7919) % 100] },
]

const ROWS_PER_STATEMENT = 500

/**
 * Yields the insert statements for all tables, with many rows each.
 * @param literal formats a value as SQL
 */
export function* insertStatements(literal: (value: Value) => string): Iterable<string> {
  for (const { name, columns, row } of TABLES) {
    const into = `INSERT INTO "${name}" (${columns.map((column) => `"${column}"`).join(', ')}) VALUES`
    for (let first = 1; first <= SIZES[name]; first += ROWS_PER_STATEMENT) {
      const ids = Array.from({ length: Math.min(ROWS_PER_STATEMENT, SIZES[name] - first + 1) }, (_, at) => first + at)
      yield `${into} ${ids.map((id) => `(${row(id).map(literal).join(',')})`).join(',')}`
    }
  }
}

/** Quotes a string for SQL. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Encodes bytes as hexadecimal digits. */
export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
