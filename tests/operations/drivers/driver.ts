import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { preparedFixture, type Provider } from '../../../scripts/prepare-fixtures.js'
import type { Fixtures } from '../../support/fixtures.js'

/** What can go wrong with a database, as the table of `docs/high-availability.md` names it. */
export const FAILURES = [
  'connection refused',
  'killed while idle',
  'killed mid-query',
  'killed at COMMIT',
  'stalled',
  'pool exhausted',
  'statement timeout',
  'lock timeout',
  'read-only',
  'disk full',
  'deadlock',
  'serialization failure',
] as const

/** One of {@link FAILURES}. */
export type Failure = (typeof FAILURES)[number]

/** The blog's client. */
export type Orm = Fixtures['blog']['orm']

/**
 * Sends the same requests with both styles on a client, reads and writes, all at once, and notes what they are answered with.
 * @param meanwhile done while they are under way
 * @param names which of them; default: all
 */
export type SendRequests = (
  orm: Orm,
  meanwhile?: () => Promise<unknown>,
  names?: readonly RequestName[],
) => Promise<void>

/** The requests. The RPC write takes a transaction of several statements. */
export type RequestName = 'REST read' | 'RPC read' | 'REST write' | 'RPC write'

/**
 * Brings a fault about and asks while it lasts. It leaves the database as it was.
 * @returns whether this machine does not let it, which it has said in a line
 */
export type Scene = (sendRequests: SendRequests) => Promise<'not possible here' | void>

/** A database that is reached through one driver. */
export interface World {
  /** What can go wrong with it. What is not here cannot. */
  readonly scenes: Partial<Record<Failure, Scene>>
  /** A client without any of the faults. */
  readonly orm: Orm
  close(): Promise<void>
}

/** A driver adapter that we name. */
export interface Driver {
  readonly name: string
  readonly provider: Provider
  /** Undefined where its database is not on this machine, which it has said in a line. */
  readonly open: ((modules: Blog) => Promise<World>) | undefined
}

/** The blog for one database. */
export interface Blog {
  readonly client: Fixtures['blog']['client']
  readonly routes: Fixtures['blog']['routes']
  /** The SQL that makes its tables. */
  readonly tables: string
}

/** Loads the blog that was prepared for a database. */
export async function loadBlog(provider: Provider): Promise<Blog> {
  const prepared = preparedFixture('blog', provider)
  const load = (path: string): Promise<unknown> => import(pathToFileURL(join(prepared.folder, path)).href)
  const [client, routes] = await Promise.all([
    load('client/client.ts') as Promise<Blog['client']>,
    load('expected/index.ts') as Promise<Blog['routes']>,
  ])
  return { client, routes, tables: await readFile(prepared.tables, 'utf8') }
}

/** The rows that the requests are about. */
export async function fillBlog(orm: Orm): Promise<void> {
  await orm.tag.create({ data: { name: 'one' } })
  for (const id of [1, 2]) {
    await orm.category.create({ data: { id, name: `shelf ${id}`, readers: 100 } })
    await orm.post.create({ data: { slug: `post-${id}`, title: 'Post', categoryId: id } })
  }
}

/** Waits until something holds. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('What the test waits for has not come.')
    await new Promise((later) => setTimeout(later, 20))
  }
}
