import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { preparedFixture, type Provider } from '../../../scripts/prepare-fixtures.js'
import type { Fixtures } from '../../support/fixtures.js'

/** Database failures, as named in the table of `docs/high-availability.md`. */
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
 * Sends concurrent reads and writes of both styles on one client, and records the statuses.
 * @param meanwhile runs during the requests
 * @param names which requests to send; default: all
 */
export type SendRequests = (
  orm: Orm,
  meanwhile?: () => Promise<unknown>,
  names?: readonly RequestName[],
) => Promise<void>

/** The requests. The RPC write is a transaction of several statements. */
export type RequestName = 'REST read' | 'RPC read' | 'REST write' | 'RPC write'

/**
 * Causes a failure and sends requests while it lasts. Restores the database afterwards.
 * @returns `not possible here`, after logging a message, if this machine does not support it
 */
export type Scene = (sendRequests: SendRequests) => Promise<'not possible here' | void>

/** A database and one driver. */
export interface World {
  /** The failures that can occur with this driver. */
  readonly scenes: Partial<Record<Failure, Scene>>
  /** A client without failures. */
  readonly orm: Orm
  close(): Promise<void>
}

/** A supported driver adapter. */
export interface Driver {
  readonly name: string
  readonly provider: Provider
  /** Undefined if this machine does not have the database. A message was logged then. */
  readonly open: ((modules: Blog) => Promise<World>) | undefined
}

/** The blog for one database. */
export interface Blog {
  readonly client: Fixtures['blog']['client']
  readonly routes: Fixtures['blog']['routes']
  /** The SQL that creates the tables. */
  readonly tables: string
}

/** Loads the blog for a database. */
export async function loadBlog(provider: Provider): Promise<Blog> {
  const prepared = preparedFixture('blog', provider)
  const load = (path: string): Promise<unknown> => import(pathToFileURL(join(prepared.folder, path)).href)
  const [client, routes] = await Promise.all([
    load('client/client.ts') as Promise<Blog['client']>,
    load('expected/index.ts') as Promise<Blog['routes']>,
  ])
  return { client, routes, tables: await readFile(prepared.tables, 'utf8') }
}

/** Creates the rows of the requests. */
export async function fillBlog(orm: Orm): Promise<void> {
  await orm.tag.create({ data: { name: 'one' } })
  for (const id of [1, 2]) {
    await orm.category.create({ data: { id, name: `shelf ${id}`, readers: 100 } })
    await orm.post.create({ data: { slug: `post-${id}`, title: 'Post', categoryId: id } })
  }
}

/** Waits until a condition is true. */
export async function until(condition: () => Promise<boolean>): Promise<void> {
  const end = Date.now() + 20_000
  while (!(await condition())) {
    if (Date.now() > end) throw new Error('What the test waits for has not come.')
    await new Promise((later) => setTimeout(later, 20))
  }
}
