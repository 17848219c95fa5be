import { httpError } from '@routewright/runtime'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/blog/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../fixtures/workspace/expected/policy.js'
import { fillWorkspace } from '../hooks/support/workspace.js'
import { fillBlog } from '../rest/support/blog.js'
import { describeDatabases } from '../support/databases.js'
import type { Engine, OpenDatabase } from '../support/engines/engine.js'
import { mysql } from '../support/engines/mysql.js'
import { postgresql } from '../support/engines/postgresql.js'
import { isLong } from '../support/form.js'
import { mariadbPrograms, startMariadb } from '../support/servers/mariadb-server.js'
import { postgresPrograms, startPostgres } from '../support/servers/postgres-server.js'
import { preparedFixture } from '../../scripts/prepare-fixtures.js'
import { type Blog, loadBlog, type Orm } from './drivers/driver.js'
import { type Both, doAtOnce, type Style } from './support/multi-operation.js'
import { rawDump } from './support/raw-dump.js'

const STYLES: readonly Style[] = ['REST', 'RPC']

/** Valid operations. Each changes rows that the dump contains. */
const SOUND: readonly Both[] = [
  {
    REST: { op: 'add', data: { type: 'tag', id: 'first' } },
    RPC: { model: 'Tag', op: 'create', args: { data: { name: 'first' } } },
  },
  {
    REST: { op: 'update', data: { type: 'post', id: '3', attributes: { title: 'Changed' } } },
    RPC: { model: 'Post', op: 'updateMany', args: { where: { authorId: 1 }, data: { title: 'Changed' } } },
  },
  {
    REST: { op: 'add', ref: { type: 'post', id: '2', relationship: 'tags' }, data: [{ type: 'tag', id: 'tips' }] },
    RPC: { model: 'Post', op: 'update', args: { where: { id: 2 }, data: { tags: { connect: { name: 'tips' } } } } },
  },
  {
    REST: { op: 'remove', ref: { type: 'comment', id: '1_1' } },
    RPC: { model: 'Comment', op: 'deleteMany', args: { where: { postId: 1 } } },
  },
]

const createTag = (name: string): Both => ({
  REST: { op: 'add', data: { type: 'tag', id: name } },
  RPC: { model: 'Tag', op: 'create', args: { data: { name } } },
})

const createPost = (data: object): Both => ({
  REST: { op: 'add', data: { type: 'post', attributes: { title: 'A post', ...data } } },
  RPC: { model: 'Post', op: 'create', args: { data: { title: 'A post', ...data } } },
})

/** Operations that fail, and the expected status. */
const FAILURES: readonly (readonly [kind: string, failing: Both, status: number])[] = [
  ['a violated field rule', createPost({ slug: 'No Slug' }), 422],
  ['a duplicate unique value', createPost({ slug: 'one' }), 409],
  ['an invalid foreign key', createPost({ slug: 'odd', authorId: 99 }), 409],
  [
    'a delete of a referenced row',
    {
      REST: { op: 'remove', ref: { type: 'category', id: '1' } },
      RPC: { model: 'Category', op: 'delete', args: { where: { id: 1 } } },
    },
    409,
  ],
  [
    'a missing row',
    {
      REST: { op: 'remove', ref: { type: 'post', id: '99' } },
      RPC: { model: 'Post', op: 'delete', args: { where: { id: 99 } } },
    },
    404,
  ],
  ['a before hook that throws an httpError', createTag('refused before'), 409],
  ['an after hook that throws an httpError', createTag('refused after'), 409],
  ['an after hook that throws an Error', createTag('faulty'), 500],
]

/** Hooks that reject some names of tags. */
const HOOKS = defineHooks({
  Tag: {
    create: {
      before({ data }) {
        if (data.name === 'refused before') throw httpError(409, 'Not this one.')
        return data
      },
      after({ row }) {
        if (row.name === 'refused after') throw httpError(409, 'Not this one.')
        if (row.name === 'faulty') throw new Error('A fault of the app.')
      },
    },
  },
})

/** Replaces one of the valid operations with the failing one. */
function withFailing(failing: Both, at: number, sound = SOUND): readonly Both[] {
  return sound.map((operation, index) => (index === at ? failing : operation))
}

const EVERY = SOUND.map((_, index) => index)

describeDatabases('rollback of several operations', (db) => {
  beforeEach(async () => {
    await db.fill(fillBlog)
  })

  it.each(STYLES)('%s: runs all operations if none fails', async (style) => {
    const before = await rawDump(db.orm, db.provider)
    for (const index of EVERY) {
      await db.reset()
      await db.fill(fillBlog)
      const { status } = await doAtOnce(style, db.routes, db.orm, SOUND.slice(index, index + 1), { hooks: HOOKS })
      expect([index, status === 200 || status === 204]).toEqual([index, true])
      expect(await rawDump(db.orm, db.provider)).not.toBe(before)
    }
    await db.fill(fillBlog)
    const { status } = await doAtOnce(style, db.routes, db.orm, SOUND, { hooks: HOOKS })
    expect(status).toBe(200)
  })

  describe.each(STYLES)('%s', (style) => {
    it.each(FAILURES)('%s: rolls back all operations at every position', async (_kind, failing, expected) => {
      const before = await rawDump(db.orm, db.provider)
      for (const index of EVERY) {
        const operations = withFailing(failing, index)
        const { status, failed } = await doAtOnce(style, db.routes, db.orm, operations, { hooks: HOOKS })
        expect([index, status, failed]).toEqual([index, expected, index])
        expect(await rawDump(db.orm, db.provider)).toBe(before)
      }
    })
  })
})

/** Valid operations in the workspace, which has policies. */
const SOUND_WITH_POLICIES: readonly Both[] = ['one', 'two', 'three', 'four'].map((text) => ({
  REST: { op: 'add', data: { type: 'comment', attributes: { text, documentId: 1 } } },
  RPC: { model: 'Comment', op: 'create', args: { data: { text, documentId: 1 } } },
}))

const changeLabel = (id: number): Both => ({
  REST: { op: 'update', data: { type: 'label', id: String(id), attributes: { name: 'renamed' } } },
  RPC: { model: 'Label', op: 'update', args: { where: { id }, data: { name: 'renamed' } } },
})

const createLabel = (name: string): Both => ({
  REST: { op: 'add', data: { type: 'label', attributes: { name, teamId: 1 } } },
  RPC: { model: 'Label', op: 'create', args: { data: { name, teamId: 1 } } },
})

describeDatabases(
  'rollback of several operations under policies',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })

    describe.each(STYLES)('%s', (style) => {
      it.each([
        ['an update that a rule denies', changeLabel(2), 403],
        ['an update of an unreadable row', changeLabel(1), 404],
        ['a create that a rule denies', createLabel('forbidden'), 403],
        ['a create with an unreadable result', createLabel('urgent'), 403],
      ])('%s: rolls back all operations at every position', async (_kind, failing, expected) => {
        const { can, cannot, build } = abilityBuilder()
        can('manage', 'all')
        cannot('update', 'Label', { name: 'later' })
        cannot('read', 'Label', { name: 'urgent' })
        cannot('create', 'Label', { name: 'forbidden' })
        const orm = db.orm.$extends(withPolicies(build()))
        const before = await rawDump(db.orm, db.provider)
        for (const index of EVERY) {
          const operations = withFailing(failing, index, SOUND_WITH_POLICIES)
          const { status, failed } = await doAtOnce(style, db.routes, orm, operations)
          expect([index, status, failed]).toEqual([index, expected, index])
          expect(await rawDump(db.orm, db.provider)).toBe(before)
        }
        const { status } = await doAtOnce(style, db.routes, orm, SOUND_WITH_POLICIES)
        expect(status).toBe(200)
        expect(await rawDump(db.orm, db.provider)).not.toBe(before)
      })
    })
  },
  { fixture: 'workspace' },
)

/** A server for this file that tests can kill. */
interface Mortal {
  readonly engine: Engine
  start(): Promise<void>
  kill(): Promise<void>
  remove(): Promise<void>
}

const SERVERS: readonly (readonly [name: string, begin: (() => Promise<Mortal>) | undefined])[] = [
  ['PostgreSQL', beginPostgres()],
  ['MariaDB', beginMariadb()],
]

for (const [name, begin] of SERVERS) {
  describe.runIf(begin && isLong)(`rollback of several operations if the server dies [${name}]`, () => {
    let server: Mortal
    let database: OpenDatabase
    let blog: Blog
    beforeAll(async () => {
      if (!begin) return
      server = await begin()
      blog = await loadBlog(server.engine.provider)
      database = await server.engine.open(preparedFixture('blog', server.engine.provider).tables)
    })
    afterAll(async () => {
      await server?.start().catch(() => undefined)
      await database?.close().catch(() => undefined)
      await server?.remove()
    })

    it.each(STYLES)('%s: responds with 503 and rolls back all operations', async (style) => {
      const orm = database.client<Orm>(blog.client.PrismaClient)
      await database.reset()
      await fillBlog({ orm })
      const { provider } = server.engine
      const before = await rawDump(orm, provider)
      for (const index of EVERY) {
        let killed = 0
        const hooks = defineHooks({
          Tag: {
            create: {
              // Earlier writes and this row wait in the transaction.
              async after({ row }) {
                if (row.name !== 'deadly') return
                await server.kill()
                killed++
              },
            },
          },
        })
        const operations = withFailing(createTag('deadly'), index)
        const { status } = await doAtOnce(style, blog.routes, orm, operations, { hooks })
        expect([index, killed, status]).toEqual([index, 1, 503])
        await server.start()
        await orm.$queryRaw`SELECT 1`.catch(() => undefined)
        expect(await rawDump(orm, provider)).toBe(before)
      }
    })
  })
}

function beginPostgres(): (() => Promise<Mortal>) | undefined {
  const programs = postgresPrograms()
  if (programs === undefined) return undefined
  return async () => {
    const server = await startPostgres({ programs })
    return { ...bound(server), engine: postgresql(server.url()) }
  }
}

function beginMariadb(): (() => Promise<Mortal>) | undefined {
  const programs = mariadbPrograms()
  if (programs === undefined) return undefined
  return async () => {
    const server = await startMariadb({ programs })
    return { ...bound(server), engine: mysql(server.url()) }
  }
}

function bound({ start, kill, remove }: Omit<Mortal, 'engine'>): Omit<Mortal, 'engine'> {
  return { start: () => start(), kill, remove }
}
