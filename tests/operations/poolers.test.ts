import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { PrismaPg } from '@prisma/adapter-pg'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { seed } from '../../fixtures/blog/seed.js'
import { preparedFixture } from '../../scripts/prepare-fixtures.js'
import { clientOf, ENDPOINT } from '../rest/support/client.js'
import { clientOf as rpcClientOf, superjsonOf } from '../rpc/client.js'
import type { Fixtures } from '../support/fixtures.js'
import { isLong } from '../support/form.js'
import { type Pgbouncer, pgbouncerProgram, startPgbouncer } from '../support/servers/pgbouncer.js'
import { type PostgresServer, postgresPrograms, startPostgres } from '../support/servers/postgres-server.js'

const programs = postgresPrograms()
const program = pgbouncerProgram()

describe.runIf(isLong && programs && program)('operations: PgBouncer in transaction mode', () => {
  let server: PostgresServer
  let pooler: Pgbouncer
  let blog: Fixtures['blog']['client']
  let routes: Fixtures['blog']['routes']
  const clients: { $disconnect(): Promise<void> }[] = []

  beforeAll(async () => {
    server = await startPostgres({ programs: programs ?? '' })
    // Fewer connections to the server than clients have to the pooler, so statements of a client move between connections.
    pooler = await startPgbouncer({ program: program ?? '', to: server.port, conf: ['default_pool_size = 3'] })
    const { folder, tables } = preparedFixture('blog', 'postgresql')
    const client = new Client({ connectionString: server.url() })
    await client.connect()
    await client.query(await readFile(tables, 'utf8'))
    await client.end()
    const load = (path: string): Promise<unknown> => import(pathToFileURL(join(folder, path)).href)
    blog = (await load('client/client.ts')) as typeof blog
    routes = (await load('expected/index.ts')) as typeof routes
    await seed(ormOf({}))
  })
  afterAll(async () => {
    for (const client of clients) await client.$disconnect().catch(() => undefined)
    await pooler?.remove()
    await server?.remove()
  })

  function ormOf(options: object, adapterOptions: object = {}): Fixtures['blog']['orm'] {
    const adapter = new PrismaPg({ connectionString: pooler.url(), max: 10, ...options }, adapterOptions)
    const orm = new blog.PrismaClient({ adapter })
    clients.push(orm)
    return orm
  }
  function serve(orm: Fixtures['blog']['orm']) {
    const rest = routes.RestApiHandler({ endpoint: ENDPOINT })
    const rpc = routes.RPCApiHandler()
    const context = { getOrm: () => orm, prefix: '/api', log: () => undefined }
    return {
      rest: clientOf((request) => rest.fetch(request, context)),
      rpc: rpcClientOf((request) => rpc.fetch(request, context), superjsonOf(blog.Prisma)),
    }
  }

  it('handles concurrent reads and writes of both styles', async () => {
    const { rest, rpc } = serve(ormOf({}))
    const works = Array.from({ length: 40 }, (_, n) => n)
    const post = (n: number) => ({
      data: {
        type: 'post',
        attributes: { slug: `pooled-${n}`, title: `Pooled ${n}` },
        relationships: { tags: { data: [{ type: 'tag', id: 'tools' }] } },
      },
    })
    const created = await Promise.all(works.map((n) => rest.post('/post?include=tags,author', post(n))))
    expect(created.map(({ status }) => status)).toEqual(works.map(() => 201))
    const replaced = await Promise.all(
      created.map(({ one }, n) => {
        return rest.patch(`/post/${one.id}/relationships/tags`, {
          data: [{ type: 'tag', id: n % 2 ? 'tools' : 'bread' }],
        })
      }),
    )
    expect(replaced.map(({ status, ids }) => [status, ...ids])).toEqual(
      works.map((n) => [200, n % 2 ? 'tools' : 'bread']),
    )
    const upserts = await Promise.all(
      works.map((n) =>
        rpc.call('tag', 'upsert', { where: { name: `t${n % 4}` }, create: { name: `t${n % 4}` }, update: {} }),
      ),
    )
    expect(upserts.map(({ status }) => status)).toEqual(works.map(() => 200))
    const read = { where: { slug: { startsWith: 'pooled-' } }, include: { tags: true, author: true } }
    expect(await rpc.result('post', 'findMany', read)).toHaveLength(works.length)
  })

  it('rejects startup parameters unless PgBouncer ignores them', async () => {
    const { rest } = serve(ormOf({ statement_timeout: 5000 }))
    expect((await rest.get('/tag')).status).toBeGreaterThanOrEqual(500)
    const lenient = await startPgbouncer({
      program: program ?? '',
      to: server.port,
      conf: ['ignore_startup_parameters = statement_timeout'],
    })
    try {
      const { rest } = serve(ormOf({ connectionString: lenient.url(), statement_timeout: 5000 }))
      expect((await rest.get('/tag')).status).toBe(200)
    } finally {
      await lenient.remove()
    }
  })

  it('supports named statements from version 1.21 on', async () => {
    const [, minor = 0] = /PgBouncer 1\.(\d+)/.exec(await pooler.log())?.map(Number) ?? []
    const keeps = minor >= 21
    const conf = ['default_pool_size = 3', ...(keeps ? ['max_prepared_statements = 100'] : [])]
    const named = await startPgbouncer({ program: program ?? '', to: server.port, conf })
    const names = new Map<string, string>()
    const statementNameGenerator = ({ sql }: { readonly sql: string }) => {
      const name = names.get(sql) ?? `s${names.size}`
      names.set(sql, name)
      return name
    }
    try {
      const { rest } = serve(ormOf({ connectionString: named.url() }, { statementNameGenerator }))
      const reads = await Promise.all(Array.from({ length: 40 }, () => rest.get('/post/1?include=author,tags')))
      expect(reads.some(({ status }) => status !== 200)).toBe(!keeps)
    } finally {
      await named.remove()
    }
  })
})
