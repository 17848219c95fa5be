import type Libsql from 'libsql'
import pg from 'pg'

import { changedPost, newPost, newPosts, pick, upsertedUser } from '../operations.js'
import type { Calls } from './contender.js'

/** Runs a statement with `?` or `$1` placeholders and returns the rows. */
export type Query = (sql: string, ...values: unknown[]) => Promise<unknown[]>

/** Opens an SQLite file. libsql and better-sqlite3 have the same API. */
export type OpenDatabase = (file: string) => Libsql.Database

/** Queries with the driver of Prisma's adapter and cached prepared statements. */
export function sqliteQuery(url: string, open: OpenDatabase): Query {
  const database = open(url.replace(/^file:/, ''))
  const statements = new Map<string, Libsql.Statement>()
  return async (sql, ...values) => {
    let statement = statements.get(sql)
    if (!statement) {
      statement = database.prepare(sql.replace(/\$\d+/g, '?'))
      statements.set(sql, statement)
    }
    return statement.all(...values)
  }
}

/** Queries with the driver of Prisma's adapter and cached prepared statements. */
export function postgresqlQuery(url: string): Query {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  const names = new Map<string, string>()
  return async (sql, ...values) => {
    let name = names.get(sql)
    if (name === undefined) {
      name = `s${names.size}`
      names.set(sql, name)
    }
    return (await pool.query({ name, text: sql, values })).rows
  }
}

/** Returns SQL for the first comments of each post. */
export function firstComments(postIds: readonly number[], limit: number): string {
  return `SELECT * FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY "postId" ORDER BY "id") AS "place" FROM "Comment"
    WHERE "postId" IN (${postIds.join(',') || 'NULL'})) AS c WHERE "place" <= ${limit} ORDER BY "id"`
}

const RETURNED_COLUMNS = '"id", "slug", "title", "body", "status", "views", "createdAt", "authorId"'

/** Implements the operations in SQL and converts rows with `JSON.stringify`. */
export function driverCalls(query: Query): Calls {
  const page = async (sql: string, count: string, limit: number, n: number) =>
    JSON.stringify(
      await Promise.all([query(`${sql} LIMIT ${limit} OFFSET $1`, (pick('Post', n) % 50) * limit), query(count)]),
    )
  const json = async (sql: string, ...values: unknown[]) => JSON.stringify(await query(sql, ...values))
  const insert = (posts: ReturnType<typeof newPosts>) => {
    const now = new Date().toISOString()
    const values = posts.flatMap(({ slug, title, body, status, authorId }) => [
      slug,
      title,
      body,
      status,
      now,
      authorId,
    ])
    const tuples = posts.map((_, row) => `(${[1, 2, 3, 4, 5, 6].map((at) => `$${row * 6 + at}`).join(', ')})`)
    const sql = `INSERT INTO "Post" ("slug", "title", "body", "status", "createdAt", "authorId")
      VALUES ${tuples.join(', ')} RETURNING ${RETURNED_COLUMNS}`
    return json(sql, ...values)
  }
  const create = (n: number, unique: string) => insert([{ ...newPost(unique), authorId: pick('User', n) }])
  const createAll = (n: number, unique: string) => insert(newPosts(n, unique))
  const get = (n: number) => json('SELECT * FROM "Post" WHERE "id" = $1', pick('Post', n))
  const withComments = async (posts: unknown[]) => {
    const ids = posts.map((post) => (post as { readonly id: number }).id)
    const authors = posts.map((post) => (post as { readonly authorId: number }).authorId)
    const [users, comments] = await Promise.all([
      query(`SELECT * FROM "User" WHERE "id" IN (${authors.join(',') || 'NULL'})`),
      query(`SELECT * FROM "Comment" WHERE "postId" IN (${ids.join(',') || 'NULL'})`),
    ])
    return JSON.stringify([posts, users, comments])
  }
  const countAll = 'SELECT COUNT(*) FROM "Post"'
  return {
    list: (n) => page('SELECT * FROM "Post" ORDER BY "id"', countAll, 20, n),
    'list-include': async (n) => {
      const posts = query('SELECT * FROM "Post" ORDER BY "id" LIMIT 100 OFFSET $1', (pick('Post', n) % 50) * 100)
      return Promise.all([withComments(await posts), query(countAll)])
    },
    'filter-selective': (n) =>
      json('SELECT * FROM "Post" WHERE "authorId" = $1 ORDER BY "createdAt" DESC LIMIT 100', pick('User', n)),
    'filter-broad': (n) => {
      const where = `WHERE "status" = 'PUBLISHED'`
      const count = `SELECT COUNT(*) FROM "Post" ${where}`
      return page(`SELECT * FROM "Post" ${where} ORDER BY "createdAt" DESC, "id"`, count, 20, n)
    },
    get,
    'all-types': async (n) => {
      const [rows, total] = await Promise.all([
        query('SELECT * FROM "Reading" ORDER BY "id" LIMIT 20 OFFSET $1', (pick('Reading', n) % 49) * 20),
        query('SELECT COUNT(*) FROM "Reading"'),
      ])
      return JSON.stringify([rows, total], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
    },
    'related-many': (n) => json('SELECT * FROM "Comment" WHERE "postId" = $1 ORDER BY "id" LIMIT 100', pick('Post', n)),
    'relationship-many': (n) =>
      json('SELECT "id" FROM "Comment" WHERE "postId" = $1 ORDER BY "id" LIMIT 100', pick('Post', n)),
    'related-one': (n) =>
      json('SELECT * FROM "User" WHERE "id" = (SELECT "authorId" FROM "Post" WHERE "id" = $1)', pick('Post', n)),
    'relationship-one': (n) => json('SELECT "authorId" FROM "Post" WHERE "id" = $1', pick('Post', n)),
    create,
    update: (n) => {
      const { title, views } = changedPost(n)
      return json(
        `UPDATE "Post" SET "title" = $1, "views" = $2 WHERE "id" = $3 RETURNING ${RETURNED_COLUMNS}`,
        title,
        views,
        pick('Post', n),
      )
    },
    upsert: (n, unique) => {
      const { email, name } = upsertedUser(n, unique)
      const sql = `INSERT INTO "User" ("email", "name", "createdAt") VALUES ($1, $2, $3)
        ON CONFLICT ("email") DO UPDATE SET "name" = excluded."name" RETURNING *`
      return json(sql, email, name, new Date().toISOString())
    },
    'rpc-find-many': async (n) => {
      const sql = `SELECT * FROM "Post" WHERE "authorId" = $1 AND "status" = 'PUBLISHED' ORDER BY "id" LIMIT 20`
      return withComments(await query(sql, pick('User', n)))
    },
    'rpc-find-unique': get,
    'rpc-create': create,
    'get-with-features': get,
    'cursor-page': (n) => json('SELECT * FROM "Post" WHERE "id" > $1 ORDER BY "id" LIMIT 21', pick('Post', n)),
    'included-list': async (n) => {
      const posts = await query('SELECT * FROM "Post" ORDER BY "id" LIMIT 21 OFFSET $1', (pick('Post', n) % 50) * 20)
      const ids = posts.map((post) => (post as { readonly id: number }).id)
      return JSON.stringify([posts, await query(firstComments(ids, 3))])
    },
    atomic: createAll,
    'conditional-update': async (n) => {
      const [stock] = await query('SELECT * FROM "Stock" WHERE "id" = $1', pick('Stock', n))
      const { id, version } = stock as { readonly id: number; readonly version: number }
      const sql = `UPDATE "Stock" SET "quantity" = $1, "version" = "version" + 1 WHERE "id" = $2 AND "version" = $3 RETURNING *`
      return json(sql, n % 100, id, version)
    },
    'idempotent-create': create,
    'rpc-transaction': createAll,
    'custom-route': (n) => json('SELECT "title", "views" FROM "Post" WHERE "id" = $1', pick('Post', n)),
  }
}
