import { beforeEach, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { abilityBuilder, type AppAbility, withPolicies } from '../../fixtures/workspace/expected/policy.js'
import { httpError } from '../../runtime/index.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { fillWorkspace } from './support/workspace.js'

describeDatabases(
  'hooks: behavior',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })
    const rpc = (hooks: AppHooks, orm: unknown = db.orm) => fixtureRpc(db, { hooks: defineHooks(hooks) }, orm)
    const rest = (hooks: AppHooks, orm: typeof db.orm = db.orm) =>
      fixtureClient({ orm, routes: db.routes }, { hooks: defineHooks(hooks) })
    const policed = (define: (builder: ReturnType<typeof abilityBuilder>) => void): typeof db.orm => {
      const builder = abilityBuilder()
      define(builder)
      const ability: AppAbility = builder.build()
      return db.orm.$extends(withPolicies(ability)) as unknown as typeof db.orm
    }
    const archiving: AppHooks = {
      Document: {
        where: () => ({ deletedAt: null }),
        delete: { replaceWith: () => ({ deletedAt: new Date('2026-01-01') }) },
      },
    }

    it('create.before: sets data before the write, including read-only fields', async () => {
      const hooks: AppHooks = {
        Document: { create: { before: ({ data }) => ({ ...data, slug: data.title?.toLowerCase(), ownerId: 2 }) } },
      }
      const created = await rest(hooks).post('/document', {
        data: {
          type: 'document',
          attributes: { title: 'New' },
          relationships: { team: { data: { type: 'team', id: '1' } } },
        },
      })
      expect(created.status).toBe(201)
      expect(created.one.attributes).toMatchObject({ slug: 'new', ownerId: 2, teamId: 1 })
    })

    it('soft delete: hides archived rows from reads and writes', async () => {
      expect(await rest(archiving).delete('/document/1')).toMatchObject({ status: 204 })
      expect(await db.orm.document.findUnique({ where: { id: 1 } })).toMatchObject({
        deletedAt: new Date('2026-01-01'),
      })
      const { get } = rest(archiving)
      expect((await get('/document/1')).status).toBe(404)
      expect((await get('/document')).ids).toEqual(['2', '3'])
      expect((await get('/folder/1/documents')).ids).toEqual([])
      expect((await get('/folder/1?include=documents')).body.included).toEqual([])
      expect((await get('/folder?filter[documents]=1')).ids).toEqual([])
      const { result, call } = rpc(archiving)
      expect(await result('document', 'count')).toBe(2)
      expect(await result('document', 'findUnique', { where: { slug: 'one' } })).toBeNull()
      expect(
        await result('folder', 'findFirst', { include: { _count: { select: { documents: true } } } }),
      ).toMatchObject({
        _count: { documents: 0 },
      })
      expect(await call('document', 'update', { where: { id: 1 }, data: { title: 'x' } })).toMatchObject({
        status: 404,
      })
      expect(await call('document', 'deleteMany', { where: { teamId: 1 } })).toMatchObject({
        body: { data: { count: 1 } },
      })
      expect(await db.orm.document.count()).toBe(3)
    })

    it('mask: changes responses and rejects queries by the field with 403', async () => {
      const hooks: AppHooks = { Person: { mask: { email: ({ value }) => value.replace(/^.*@/, '***@') } } }
      expect((await rest(hooks).get('/person/1')).one.attributes).toMatchObject({ email: '***@red' })
      const included = await rest(hooks).get('/document/1?include=owner')
      expect(included.text).not.toContain('ann@')
      const { call } = rpc(hooks)
      expect(await call('document', 'findFirst', { include: { owner: true } })).toMatchObject({
        body: { data: { owner: { email: '***@red' } } },
      })
      for (const args of [{ where: { email: 'ann@red' } }, { orderBy: { email: 'asc' } }, { distinct: ['email'] }]) {
        expect(await call('person', 'findMany', args), JSON.stringify(args)).toMatchObject({ status: 403 })
      }
      expect(await call('person', 'findUnique', { where: { email: 'ann@red' } })).toMatchObject({ status: 403 })
      expect(await call('document', 'findMany', { where: { owner: { email: 'ann@red' } } })).toMatchObject({
        status: 403,
      })
      expect(await call('person', 'aggregate', { _min: { email: true } })).toMatchObject({ status: 403 })
    })

    it('mask: rejects nested writes that filter by the field with 403', async () => {
      const { call } = rpc({ Person: { mask: { email: () => '***' } } })
      const guesses = [{ connect: { id: 2, AND: [{ email: { startsWith: 'b' } }] } }, { connect: { email: 'ben@red' } }]
      for (const author of guesses) {
        const args = { where: { id: 1 }, data: { author } }
        expect(await call('comment', 'update', args), JSON.stringify(author)).toMatchObject({ status: 403 })
      }
      const disconnect = { where: { id: 1 }, data: { author: { disconnect: { email: { startsWith: 'a' } } } } }
      expect(await call('comment', 'update', disconnect)).toMatchObject({ status: 400 })
      const people = { connect: { id: 2, AND: [{ email: { startsWith: 'c' } }] } }
      expect(await call('team', 'update', { where: { id: 1 }, data: { people } })).toMatchObject({ status: 403 })
    })

    it('client of a hook: finds rows by a masked field', async () => {
      const found: unknown[] = []
      const hooks: AppHooks = {
        Person: { mask: { email: () => '***' } },
        Comment: {
          update: {
            async before({ client, data }) {
              found.push(await client.person.findUnique({ where: { email: 'ann@red' }, select: { email: true } }))
              return data
            },
          },
        },
      }
      const args = { where: { id: 1 }, data: { text: 'x' } }
      expect(await rpc(hooks).call('comment', 'update', args)).toMatchObject({ status: 200 })
      expect(found).toEqual([{ email: 'ann@red' }])
    })

    it('mask: responds with 500 and logs its name if it returns a promise', async () => {
      const lines: unknown[] = []
      const later: AppHooks = { Comment: { mask: { text: (async () => 'x') as never } } }
      const handler = db.routes.RPCApiHandler({ hooks: defineHooks(later) })
      const log = (...line: unknown[]) => void lines.push(...line)
      const response = await handler.fetch(new Request('http://localhost/comment/findMany'), {
        getOrm: () => db.orm,
        log,
      })
      expect(response.status).toBe(500)
      expect(String(lines[1])).toContain('Comment.mask.text must not return a promise')
    })

    it('check: returns false for rows that where excludes', async () => {
      await rest(archiving).delete('/document/1')
      for (const operation of ['read', 'update', 'delete']) {
        const check = (id: number) => rpc(archiving).call('document', 'check', { operation, where: { id } })
        expect(await check(1), operation).toMatchObject({ body: { data: false } })
        expect(await check(2), operation).toMatchObject({ body: { data: true } })
      }
    })

    it('create.after: rolls back and skips afterCommit if it throws', async () => {
      const later: string[] = []
      const hooks: AppHooks = {
        Comment: {
          create: {
            after: () => {
              throw new Error('no')
            },
          },
        },
        Document: { create: { afterCommit: () => void later.push('committed') } },
      }
      const data = { title: 'New', teamId: 1, comments: { create: { text: 'x' } } }
      expect(await rpc(hooks).call('document', 'create', { data })).toMatchObject({ status: 500 })
      expect(later).toEqual([])
      expect(await db.orm.document.count()).toBe(3)
    })

    it('client of a hook: writes in the transaction, under policies and with hooks', async () => {
      const events: unknown[] = []
      const hooks: AppHooks = {
        Document: {
          update: {
            async after({ client, row }) {
              await client.comment.create({ data: { text: 'changed', documentId: row.id } })
            },
          },
        },
        Comment: { create: { afterCommit: ({ row, path }) => void events.push([row.text, path]) } },
      }
      const call = { where: { id: 1 }, data: { title: 'x' } }
      expect(await rpc(hooks).call('document', 'update', call)).toMatchObject({ status: 200 })
      expect(events).toEqual([['changed', []]])
      const orm = policed(({ can }) => {
        can('read', 'all')
        can('update', 'Document')
      })
      expect(await rpc(hooks, orm).call('document', 'update', { ...call, data: { title: 'y' } })).toMatchObject({
        status: 403,
      })
      expect(await db.orm.document.findUnique({ where: { id: 1 } })).toMatchObject({ title: 'x' })
      expect(events).toHaveLength(1)
    })

    it('client of a hook: keeps a write whose result is unreadable', async () => {
      const results: unknown[] = []
      const hooks: AppHooks = {
        Document: {
          update: {
            async after({ client }) {
              results.push(await client.auditEntry.create({ data: { action: 'update', model: 'Document' } }))
            },
          },
        },
      }
      const orm = policed(({ can }) => {
        can('read', 'Document')
        can('update', 'Document')
        can('create', 'AuditEntry')
      })
      const call = { where: { id: 1 }, data: { title: 'x' } }
      expect(await rpc(hooks, orm).call('document', 'update', call)).toMatchObject({ status: 200 })
      expect(results).toEqual([null])
      expect(await db.orm.auditEntry.count()).toBe(1)
    })

    it('update.before: rejects a value that a rule forbids with 403', async () => {
      const hooks: AppHooks = { Document: { update: { before: ({ data }) => ({ ...data, ownerId: 2 }) } } }
      const orm = policed(({ can }) => {
        can('read', 'all')
        can('update', 'Document', ['title'])
      })
      expect(
        await rpc(hooks, orm).call('document', 'update', { where: { id: 1 }, data: { title: 'x' } }),
      ).toMatchObject({
        status: 403,
      })
    })

    it('httpError: responds with its status and the path of the field', async () => {
      const hooks: AppHooks = {
        Document: {
          update: {
            before({ row, data }) {
              if (row.state === 'open' && data.title === 'No') throw httpError(409, 'It is open.', { field: 'title' })
              return data
            },
          },
        },
        Comment: {
          create: {
            before({ data }) {
              if (data.text === 'rude') throw httpError(422, 'Not so.', { field: 'text', code: 'rude' })
              return data
            },
          },
        },
      }
      const no = { data: { type: 'document', id: '1', attributes: { title: 'No' } } }
      expect(await rest(hooks).patch('/document/1', no)).toMatchObject({
        status: 409,
        errors: [{ code: 'conflict', detail: 'It is open.', source: { pointer: '/data/attributes/title' } }],
      })
      const args = { where: { id: 1 }, data: { title: 'No' } }
      expect(await rpc(hooks).call('document', 'update', args)).toMatchObject({
        status: 409,
        body: { issues: [{ path: ['data', 'title'], message: 'It is open.' }] },
      })
      const nested = { where: { id: 1 }, data: { comments: { create: [{ text: 'fine' }, { text: 'rude' }] } } }
      expect(await rpc(hooks).call('document', 'update', nested)).toMatchObject({
        status: 422,
        body: { code: 'rude', issues: [{ path: ['data', 'comments', 'create', 1, 'text'] }] },
      })
      expect(await db.orm.comment.count({ where: { documentId: 1 } })).toBe(2)
    })

    const rude = { text: 'rude' }
    const titled = { title: 'rude' }
    it.each<[model: string, path: readonly (string | number)[], data: object]>([
      ['document', ['comments', 'create', 'text'], { comments: { create: rude } }],
      [
        'document',
        ['comments', 'createMany', 'data', 1, 'text'],
        { comments: { createMany: { data: [{ text: 'a' }, rude] } } },
      ],
      ['document', ['comments', 'createMany', 'data', 'text'], { comments: { createMany: { data: rude } } }],
      [
        'document',
        ['comments', 'update', 0, 'data', 'text'],
        { comments: { update: [{ where: { id: 1 }, data: rude }] } },
      ],
      ['document', ['comments', 'update', 'data', 'text'], { comments: { update: { where: { id: 1 }, data: rude } } }],
      [
        'document',
        ['comments', 'upsert', 0, 'update', 'text'],
        { comments: { upsert: [{ where: { id: 1 }, create: rude, update: rude }] } },
      ],
      [
        'document',
        ['comments', 'upsert', 'create', 'text'],
        { comments: { upsert: { where: { id: 99 }, create: rude, update: rude } } },
      ],
      [
        'document',
        ['comments', 'connectOrCreate', 0, 'create', 'text'],
        { comments: { connectOrCreate: [{ where: { id: 99 }, create: rude }] } },
      ],
      ['comment', ['document', 'update', 'title'], { document: { update: titled } }],
      ['comment', ['document', 'update', 'data', 'title'], { document: { update: { where: {}, data: titled } } }],
      [
        'comment',
        ['document', 'upsert', 'update', 'title'],
        { document: { upsert: { create: { ...titled, teamId: 1 }, update: titled } } },
      ],
    ])('httpError: names the position of a nested row in %s: %j', async (model, path, data) => {
      const reject = (field: string, value: unknown) => {
        if (value === 'rude') throw httpError(422, 'Not so.', { field })
      }
      const hooks: AppHooks = {
        Comment: {
          create: { before: ({ data: input }) => (reject('text', input.text), input) },
          update: { before: ({ data: input }) => (reject('text', input.text), input) },
        },
        Document: { update: { before: ({ data: input }) => (reject('title', input.title), input) } },
      }
      const { call } = rpc(hooks)
      const where = { id: 1 }
      expect(await call(model, 'update', { where, data })).toMatchObject({
        status: 422,
        body: { issues: [{ path: ['data', ...path] }] },
      })
      const create = model === 'document' ? { title: 'x', teamId: 1 } : { text: 'x', documentId: 1 }
      expect(await call(model, 'upsert', { where, create, update: data })).toMatchObject({
        status: 422,
        body: { issues: [{ path: ['update', ...path] }] },
      })
    })

    it('httpError: names the argument of an upsert', async () => {
      const reject = () => {
        throw httpError(422, 'Not so.', { field: 'title' })
      }
      const { call } = rpc({ Document: { create: { before: reject }, update: { before: reject } } })
      const args = { create: { title: 'x', teamId: 1 }, update: { title: 'x' } }
      for (const [id, argument] of [
        [1, 'update'],
        [99, 'create'],
      ] as const) {
        expect(await call('document', 'upsert', { ...args, where: { id } })).toMatchObject({
          status: 422,
          body: { issues: [{ path: [argument, 'title'] }] },
        })
      }
    })

    it('rejects a field still missing after the hooks with 422 and its path', async () => {
      const hooks: AppHooks = { Document: { create: { before: ({ data }) => ({ ...data, teamId: 1 }) } } }
      const untitled = { data: { type: 'document', attributes: { state: 'open' } } }
      expect(await rest(hooks).post('/document', untitled)).toMatchObject({
        status: 422,
        errors: [
          {
            code: 'missing-attribute',
            source: { pointer: '/data/attributes/title' },
            meta: { message: 'Must have a value.', rule: 'required' },
          },
        ],
      })
      expect(await rpc(hooks).call('document', 'create', { data: { state: 'open' } })).toMatchObject({
        status: 422,
        body: { issues: [{ path: ['data', 'title'], message: 'Must have a value.', code: 'required' }] },
      })
    })

    it('responds with 500 if the client is already in a transaction', async () => {
      const lines: unknown[] = []
      const handler = db.routes.RPCApiHandler({ hooks: defineHooks(archiving) })
      const response = await db.orm.$transaction(async (tx) => {
        const log = (...line: unknown[]) => void lines.push(...line)
        return handler.fetch(new Request('http://localhost/document/count'), { getOrm: () => tx as typeof db.orm, log })
      })
      expect(response.status).toBe(500)
      expect(String(lines[1])).toContain('inside a transaction')
    })

    it('update.before: responds with 500 and logs its name if it returns undefined', async () => {
      const lines: unknown[] = []
      const handler = db.routes.RPCApiHandler({
        hooks: defineHooks({ Document: { update: { before: () => undefined as never } } }),
      })
      const request = new Request('http://localhost/document/update', {
        method: 'PATCH',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ where: { id: 1 }, data: { title: 'x' } }),
      })
      const log = (...line: unknown[]) => void lines.push(...line)
      const response = await handler.fetch(request, { getOrm: () => db.orm, log })
      expect(response.status).toBe(500)
      expect(String(lines[1])).toContain('Document.update.before')
    })
  },
  { fixture: 'workspace' },
)
