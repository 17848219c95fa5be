import { beforeEach, describe, expect, it } from 'vitest'

import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { PORT } from '../../runtime/prisma/call-client.js'
import { betaAbility, fillTenants } from '../policy/support/two-tenants.js'
import { fillBlog } from '../rest/support/blog.js'
import { type TestResponse as RestAnswer, fixtureClient, type RestClient, restClient } from '../rest/support/client.js'
import { fixtureRpc, rpcClient, type RpcClient } from '../rpc/client.js'
import { abilityBuilder, withPolicies as workspacePolicies } from '../../fixtures/workspace/expected/policy.js'
import { fillWorkspace, recorder } from '../hooks/support/workspace.js'
import { describeDatabases } from '../support/databases.js'
import { type ClientUsage, recorded } from './recorded.js'

/** The usage of all clients in these tests. */
const everything: ClientUsage = { calls: [], members: new Set() }

const OPERATIONS: Readonly<Record<string, readonly string[]>> = PORT.operations

/** Returns the calls that the list does not contain. */
function unlisted({ calls, members }: ClientUsage): string[] {
  const listed: ReadonlySet<string> = new Set(PORT.members)
  return [
    ...[...members].filter((name) => !listed.has(name)),
    ...calls.flatMap(({ operation, names }) => {
      const args = OPERATIONS[operation]
      return args ? names.filter((name) => !args.includes(name)).map((name) => `${operation}.${name}`) : [operation]
    }),
  ]
}

/** Sends requests on a recording client, and expects that the list contains all of its calls. */
async function requireListed(work: (usage: ClientUsage) => Promise<unknown>): Promise<void> {
  const usage: ClientUsage = { calls: [], members: new Set() }
  await work(usage)
  expect(unlisted(usage)).toEqual([])
  everything.calls.push(...usage.calls)
  for (const name of usage.members) everything.members.add(name)
}

/** Returns the names of all calls, in the format of the list. */
function summary({ calls }: ClientUsage): Record<string, string[]> {
  const byOperation: Record<string, Set<string>> = {}
  for (const { operation, names } of calls) {
    const all = (byOperation[operation] ??= new Set())
    for (const name of names) all.add(name)
  }
  return sorted(Object.entries(byOperation))
}

function sorted(lists: Iterable<readonly [string, Iterable<string>]>): Record<string, string[]> {
  return Object.fromEntries([...lists].map(([name, list]) => [name, [...list].sort()]))
}

const TAG = { type: 'tag', id: 'tips' }
const upsert = (slug: string) => ({
  data: { type: 'post', attributes: { slug, title: 'Upserted' } },
  meta: { operation: 'upsert', matchFields: ['slug'] },
})

/** Requests of every endpoint. */
const REST: readonly ((rest: RestClient) => Promise<RestAnswer>)[] = [
  (rest) => rest.get('/post'),
  (rest) =>
    rest.get('/post?filter[title$contains]=o&filter[author][name]=Ann&sort=-viewCount,author.name&page[limit]=1'),
  (rest) => rest.get('/post?include=author,tags,comments.author&fields[post]=title,author&page[offset]=1'),
  (rest) => rest.get('/post/1?include=category.children,tags'),
  (rest) => rest.get('/user/1?include=posts.tags,profile'),
  (rest) => rest.get('/post/1?fields[post]=title'),
  (rest) => rest.get('/post/1/author?include=posts'),
  (rest) => rest.get('/post/1/comments?page[limit]=1&sort=body'),
  (rest) => rest.get('/post/5/comments'),
  (rest) => rest.get('/post/1/relationships/author'),
  (rest) => rest.get('/post/1/relationships/tags?include=tags'),
  (rest) => rest.post('/tag', { data: { type: 'tag', id: 'new' } }),
  (rest) =>
    rest.post('/post?include=tags,author&fields[post]=title', {
      data: {
        type: 'post',
        attributes: { slug: 'six', title: 'Six' },
        relationships: { author: { data: { type: 'user', id: '1' } }, tags: { data: [TAG] } },
      },
    }),
  (rest) =>
    rest.post('/user', { data: { type: 'user', attributes: { email: 'd@example.org', password: 'secret-d1' } } }),
  (rest) => rest.post('/post', upsert('seven')),
  (rest) => rest.post('/post?include=author', upsert('seven')),
  (rest) => rest.patch('/post/1', { data: { type: 'post', attributes: { title: 'Changed' } } }),
  (rest) =>
    rest.patch('/post/1?include=tags&fields[post]=title', {
      data: { type: 'post', relationships: { tags: { data: [TAG] }, author: { data: null } } },
    }),
  (rest) => rest.patch('/user/1', { data: { type: 'user', attributes: { name: 'Anna' } } }),
  (rest) => rest.patch('/post/1/relationships/author', { data: { type: 'user', id: '2' } }),
  (rest) => rest.patch('/post/5/relationships/comments', { data: [] }),
  (rest) => rest.post('/post/1/relationships/tags', { data: [{ type: 'tag', id: 'news' }] }),
  (rest) => rest.delete('/post/1/relationships/tags', { data: [{ type: 'tag', id: 'news' }] }),
  (rest) => rest.delete('/post/3'),
]

type Call = readonly [model: string, operation: string, args: object]

const nested = { author: { include: { posts: { include: { comments: true } } } }, tags: { where: { name: 'news' } } }

/** Requests with a preflight count, and one `check`. */
const RPC: readonly Call[] = [
  ['post', 'findMany', { where: { viewCount: { gt: 1 } }, include: nested }],
  [
    'post',
    'findMany',
    {
      where: { viewCount: { gt: 1 } },
      orderBy: { viewCount: 'asc' },
      cursor: { id: 1 },
      skip: 1,
      take: 2,
      distinct: ['title'],
      include: nested,
    },
  ],
  [
    'post',
    'findFirst',
    { orderBy: { id: 'desc' }, cursor: { id: 5 }, skip: 1, take: 1, distinct: 'title', select: { comments: true } },
  ],
  ['user', 'findUnique', { where: { id: 1 }, include: { posts: { take: 3, include: { comments: true } } } }],
  ['post', 'update', { where: { id: 1 }, data: { title: 'x' }, include: { comments: true } }],
  ['category', 'update', { where: { id: 1 }, data: { readers: { increment: 1n } } }],
  [
    'post',
    'upsert',
    { where: { slug: 'one' }, create: { slug: 'one', title: 'x' }, update: {}, include: { comments: true } },
  ],
  ['category', 'updateMany', { where: { parentId: 1 }, data: { readers: { increment: 1n } } }],
  ['post', 'updateManyAndReturn', { where: { authorId: 1 }, data: { title: 'x' }, include: { author: true } }],
  ['post', 'delete', { where: { id: 4 }, include: { comments: true } }],
  ['post', 'check', { operation: 'read', where: { id: 1 } }],
]

const LABEL = { name: 'new', organisationId: 2 }

/** Calls that policies restrict and replace with others. */
const GUARDED: readonly Call[] = [
  ['document', 'findMany', { cursor: { id: 4 }, include: { author: true, project: true, labels: true } }],
  ['member', 'findMany', { where: { salary: { gt: 0 } }, orderBy: { salary: 'asc' } }],
  ['member', 'findMany', {}],
  ['document', 'create', { data: { title: 'a', project: { connect: { id: 3 } }, author: { connect: { id: 3 } } } }],
  ['document', 'update', { where: { id: 3 }, data: { labels: { create: LABEL } }, include: { labels: true } }],
  ['document', 'update', { where: { id: 3 }, data: { labels: { set: [] } }, select: { author: true } }],
  ['document', 'update', { where: { id: 3 }, data: { comments: { deleteMany: {} } }, omit: { views: true } }],
  ['document', 'updateMany', { where: { projectId: 3 }, data: { views: 3 }, limit: 1 }],
  ['member', 'updateMany', { where: { role: 'MEMBER' }, data: { name: 'x' }, limit: 1 }],
  ['document', 'updateManyAndReturn', { where: { projectId: 3 }, data: { authorId: 3 }, limit: 2 }],
  ['label', 'createManyAndReturn', { data: [{ name: 'b', organisationId: 2 }], omit: { name: true } }],
  [
    'label',
    'upsert',
    { where: { name: 'b' }, create: { name: 'b', organisationId: 2 }, update: { organisationId: 2 } },
  ],
  ['label', 'delete', { where: { name: 'b' }, include: { organisation: true } }],
  ['label', 'deleteMany', { where: { organisationId: 2 }, limit: 1 }],
  ['document', 'check', { operation: 'update', where: { id: 3 } }],
]

describeDatabases(
  'PORT: client calls',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillBlog)
    })

    it('lists every call of REST requests', async () => {
      await requireListed(async (usage) => {
        const rest = restClient(db, {}, recorded(db.orm, usage))
        for (const request of REST) {
          const { status, text } = await request(rest)
          expect(status, text).toBeLessThan(300)
        }
      })
    })

    it('lists every preflight call of RPC requests', async () => {
      await requireListed(async (usage) => {
        const rpc = rpcClient(db, { limits: { loadedRows: 400 } }, recorded(db.orm, usage))
        for (const [model, operation, args] of RPC) {
          await expectSuccess(rpc, model, operation, args)
          // The last call is the operation itself, with the arguments of the caller.
          if (operation !== 'check') expect(usage.calls.pop()?.operation).toBe(operation)
        }
      })
    })
  },
  { only: ['SQLite'] },
)

describeDatabases(
  'PORT: client calls under policies',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillTenants)
    })

    it('lists every call', async () => {
      await requireListed(async (usage) => {
        const orm = recorded(db.orm, usage).$extends(withPolicies(betaAbility()))
        const rpc = fixtureRpc(db, {}, orm)
        for (const [model, operation, args] of GUARDED) await expectSuccess(rpc, model, operation, args)
        // SQLite does not support this, but the call still reaches the client.
        await rpc.call('label', 'createMany', { data: [LABEL], skipDuplicates: true })
      })
    })

    it('lists every call with a timeout and a health check', async () => {
      await requireListed(async (usage) => {
        const orm = recorded(recorded(db.orm, usage).$extends(withPolicies(betaAbility())), usage)
        const rpc = fixtureRpc(db, { timeout: 60_000, health: true }, orm)
        const page = await fixtureClient({ orm, routes: db.routes }).get('/document?sort=views&page[limit]=1')
        expect(page.status).toBe(200)
        for (const [model, operation, args] of GUARDED.slice(0, 6)) await expectSuccess(rpc, model, operation, args)
        expect((await rpc.fetch('/health')).status).toBe(200)
      })
    })

    it('lists every call inside a transaction of the app', async () => {
      await requireListed(async (usage) => {
        const orm = recorded(db.orm, usage).$extends(withPolicies(betaAbility()))
        await orm.$transaction(async (tx) => {
          await tx.document.update({ where: { id: 3 }, data: { title: 'x', author: { connect: { id: 3 } } } })
        })
      })
    })
  },
  { fixture: 'tenants', only: ['SQLite'] },
)

describeDatabases(
  'PORT: client calls with hooks',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })

    it('lists every call', async () => {
      await requireListed(async (usage) => {
        const rpc = fixtureRpc(db, { hooks: recorder().hooks }, recorded(db.orm, usage))
        const data = { title: 'x', comments: { create: { text: 'y' }, updateMany: { where: {}, data: { text: 'z' } } } }
        await expectSuccess(rpc, 'document', 'update', { where: { id: 1 }, data })
        await expectSuccess(rpc, 'document', 'delete', { where: { id: 1 } })
      })
    })
  },
  { fixture: 'workspace', only: ['SQLite'] },
)

describeDatabases(
  'PORT: client calls with relation joins',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })

    it('lists every call', async () => {
      await requireListed(async (usage) => {
        const rest = fixtureClient({ orm: recorded(db.orm, usage), routes: db.routes })
        expect((await rest.get('/document?include=comments&includePage[comments][limit]=1')).status).toBe(200)
        const builder = abilityBuilder()
        builder.can('manage', 'all')
        builder.cannot('read', 'Document', { title: 'none' })
        // A join would lose digits of the folder's number.
        const orm = recorded(db.orm, usage).$extends(workspacePolicies(builder.build()))
        for (const caller of [rest, fixtureClient({ orm, routes: db.routes })]) {
          const body = { data: { type: 'document', id: '1', attributes: { title: 'x' } } }
          expect((await caller.get('/document/1?include=folder')).status).toBe(200)
          expect((await caller.patch('/document/1?include=folder', body)).status).toBe(200)
          const comment = {
            type: 'comment',
            attributes: { text: 'x' },
            relationships: { document: { data: { type: 'document', id: '1' } } },
          }
          expect((await caller.post('/comment?include=document.folder', { data: comment })).status).toBe(201)
        }
      })
    })
  },
  { fixture: 'workspace', only: ['postgresql'] },
)

describe('PORT', () => {
  it('lists only calls that occur', () => {
    expect(summary(everything)).toEqual(sorted(Object.entries(OPERATIONS)))
    // Used on clients that Prisma creates inside transactions, which the recorder does not wrap.
    const unseen = ['_appliedParent']
    expect([...everything.members, ...unseen].sort()).toEqual([...PORT.members].sort())
  })
})

async function expectSuccess(rpc: RpcClient, model: string, operation: string, args: object): Promise<void> {
  const { status, body } = await rpc.call(model, operation, args)
  expect(status, `${model}.${operation}: ${body.message}`).toBeLessThan(300)
}
