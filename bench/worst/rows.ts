/**
 * The data that the search for dear requests runs on: the blog with 200 000 posts and a million comments, made by the database
 * itself. Each foreign key has an index, as an app of that size would have them.
 */

/** How the members of relations are spread: the same number for each row, or most of them to a few rows. */
export type Shape = 'even' | 'skewed'

/** How many rows of each kind there are. */
export interface Sizes {
  readonly users: number
  readonly categories: number
  readonly tags: number
  readonly posts: number
  readonly comments: number
  /** Rows of the table between posts and tags. */
  readonly taggings: number
}

/** The sizes of the search. */
export const SIZES: Sizes = {
  users: 10_000,
  categories: 100,
  tags: 1000,
  posts: 200_000,
  comments: 1_000_000,
  taggings: 600_000,
}

/** What two databases write differently. */
interface Dialect {
  /** The rows of numbers 1 to n, as a table `n` with a column `i`. */
  numbers(count: number): string
  /** A date, some minutes after the first one. */
  date(minutes: string): string
  /** The part of a number before its point. */
  floor(number: string): string
  readonly status: (text: string) => string
  readonly role: (text: string) => string
  /** Said after an insert that may meet what is there already. */
  readonly ignore: string
}

const DIALECTS: Readonly<Record<'sqlite' | 'postgresql', Dialect>> = {
  sqlite: {
    numbers: (count) =>
      `(WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ${count}) SELECT i FROM c) n`,
    date: (minutes) => `strftime('%Y-%m-%dT%H:%M:%S.000+00:00', 1577836800 + (${minutes}) * 60, 'unixepoch')`,
    floor: (number) => `CAST(${number} AS INTEGER)`,
    status: (text) => text,
    role: (text) => text,
    ignore: 'ON CONFLICT DO NOTHING',
  },
  postgresql: {
    numbers: (count) => `generate_series(1::bigint, ${count}) AS n(i)`,
    date: (minutes) => `TIMESTAMP '2020-01-01' + (${minutes}) * INTERVAL '1 minute'`,
    floor: (number) => `floor(${number})::int`,
    status: (text) => `(${text})::"PostStatus"`,
    role: (text) => `(${text})::"Role"`,
    ignore: 'ON CONFLICT DO NOTHING',
  },
}

const WORDS = "'the quick brown fox jumps over a lazy dog while seven wizards box in the rain, again and again '"

/** The statements that fill the tables of the blog. */
export function fillStatements(provider: 'sqlite' | 'postgresql', shape: Shape, sizes: Sizes = SIZES): string[] {
  const { numbers, date, floor, status, role, ignore } = DIALECTS[provider]
  // Between 0 and 1, the same for the same number, and another for each factor.
  const chance = (factor: number) => `(((n.i * ${factor}) % 1000003) * 1.0 / 1000003)`
  const one = (count: number, factor: number) => {
    const even = `1 + (n.i * ${factor}) % ${count}`
    // Of a million comments, the first post has some 17 000.
    const skewed = `1 + ${floor(`${count} * ${chance(factor)} * ${chance(factor)} * ${chance(factor)}`)}`
    return shape === 'even' ? even : skewed
  }
  const insert = (table: string, columns: string, count: number, values: string, more = '') =>
    `INSERT INTO "${table}" (${columns
      .split(' ')
      .map((column) => `"${column}"`)
      .join(', ')}) SELECT ${values} FROM ${numbers(count)} ${more}`
  const text = (times: number) => Array.from({ length: times }, () => WORDS).join(' || ')
  const index = (table: string, column: string) => `CREATE INDEX "${table}_${column}" ON "${table}" ("${column}")`
  return [
    insert(
      'User',
      'id email name role password createdAt',
      sizes.users,
      `n.i, 'user' || n.i || '@example.com', 'User ' || n.i, ${role("CASE n.i % 3 WHEN 0 THEN 'EDITOR' ELSE 'AUTHOR' END")}, ` +
        `'x', ${date('n.i')}`,
    ),
    insert('Profile', 'id bio userId', sizes.users, `n.i, ${text(1)} || n.i, n.i`),
    insert(
      'Category',
      'id name readers parentId',
      sizes.categories,
      `n.i, 'Category ' || n.i, n.i, CASE WHEN n.i <= 10 THEN NULL ELSE n.i / 10 END`,
    ),
    insert('Tag', 'name', sizes.tags, `'tag' || n.i`),
    insert(
      'Post',
      'id slug title content status viewCount publishedAt updatedAt authorId categoryId',
      sizes.posts,
      `n.i, 'post-' || n.i, 'Post ' || n.i || ' of ' || (n.i * 7919 % 10007), ${text(3)} || n.i, ` +
        `${status("CASE n.i % 5 WHEN 0 THEN 'DRAFT' ELSE 'PUBLISHED' END")}, n.i * 7919 % 10007, ${date('n.i')}, ` +
        `${date('n.i')}, ${one(sizes.users, 7919)}, ${one(sizes.categories, 104729)}`,
    ),
    insert(
      'Comment',
      'postId seq body createdAt authorId',
      sizes.comments,
      `${one(sizes.posts, 1299709)}, n.i, ${text(1)} || n.i, ${date('n.i % 500000')}, ${one(sizes.users, 15485863)}`,
      // In the order of their key, as a list reads them: elsewhere SQLite's small cache is what would be measured.
      'ORDER BY 1, 2',
    ),
    insert(
      '_PostToTag',
      'A B',
      sizes.taggings,
      `1 + n.i % ${sizes.posts}, 'tag' || (${one(sizes.tags, 32452843)})`,
      `${provider === 'sqlite' ? 'WHERE true ' : ''}${ignore}`,
    ),
    index('Post', 'authorId'),
    index('Post', 'categoryId'),
    index('Comment', 'authorId'),
    index('Category', 'parentId'),
  ]
}
