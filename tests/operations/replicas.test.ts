import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

import { defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { defineRestRoutes } from '../../fixtures/workspace/expected/custom-routes.js'
import { getPrimary } from '../../runtime/prisma/replicas.js'
import { policed } from '../hooks/support/rule-modes.js'
import { fillWorkspace, recorder, type Workspace } from '../hooks/support/workspace.js'
import { fixtureClient } from '../rest/support/client.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { staleReplica, type StaleReplica } from './support/stale-replica.js'

type Orm = Workspace['orm']

describeDatabases(
  'operations: client with read replicas',
  (db) => {
    let replica: StaleReplica<Orm>
    beforeAll(async () => {
      replica = await staleReplica(db, 'workspace', fillWorkspace)
    })
    afterAll(() => replica.close())
    beforeEach(async () => {
      await db.fill(fillWorkspace)
      replica.takeCalls()
    })

    const open = (orm: Orm) =>
      policed(orm, ({ can }) => {
        can('manage', 'all')
        can('read', 'Document', { id: { gt: 0 } })
      })
    const computed = (orm: Orm) =>
      orm.$extends({
        result: { document: { loud: { needs: { title: true }, compute: ({ title }) => `${title}!` } } },
      }) as unknown as Orm
    const { hooks } = recorder()
    const timeout = 60_000

    /** The ways to combine replicas with other extensions of a client. */
    const WAYS: readonly (readonly [way: string, make: (orm: Orm) => Orm, options: object])[] = [
      ['without extensions', (orm) => replica.replicated(orm), {}],
      ['after policies', (orm) => replica.replicated(open(orm)), {}],
      ['before policies', (orm) => open(replica.replicated(orm)), {}],
      ['before computed fields', (orm) => computed(replica.replicated(orm, computed)), {}],
      ['between policies and computed fields', (orm) => computed(replica.replicated(open(orm), computed)), {}],
      ['with hooks', (orm) => replica.replicated(orm), { hooks }],
      ['after policies, with hooks', (orm) => replica.replicated(open(orm)), { hooks }],
      ['before policies, with hooks', (orm) => computed(open(replica.replicated(orm, computed))), { hooks }],
      ['without extensions, with a timeout', (orm) => replica.replicated(orm), { timeout }],
      ['after policies, with a timeout', (orm) => computed(replica.replicated(open(orm), computed)), { timeout }],
      ['before policies, with hooks and a timeout', (orm) => open(replica.replicated(orm)), { hooks, timeout }],
    ]

    const document = (title: string, labels: readonly string[], id?: string) => ({
      data: {
        type: 'document',
        ...(id && { id }),
        attributes: { title },
        relationships: {
          ...(!id && { team: { data: { type: 'team', id: '1' } } }),
          labels: { data: labels.map((label) => ({ type: 'label', id: label })) },
        },
      },
    })

    describe.each(WAYS)('%s', (_, make, options) => {
      it('REST: uses the primary for writes and the replica for reads', async () => {
        const rest = fixtureClient({ orm: make(db.orm), routes: db.routes }, options)
        const created = await rest.post('/document?include=labels,team', document('New', ['1', '2']))
        expect(created.status).toBe(201)
        expect(created.body.included?.map(({ type, id }) => `${type} ${id}`).sort()).toEqual([
          'label 1',
          'label 2',
          'team 1',
        ])
        const { id } = created.one
        const changed = await rest.patch(`/document/${id}?include=labels`, document('Newer', ['2'], id))
        expect(changed).toMatchObject({ status: 200, one: { attributes: { title: 'Newer' } } })
        expect(changed.body.included).toMatchObject([{ id: '2' }])
        const replaced = await rest.patch(`/document/${id}/relationships/labels`, {
          data: [{ type: 'label', id: '1' }],
        })
        expect(replaced).toMatchObject({ status: 200, many: [{ id: '1' }] })
        const added = await rest.post(`/document/${id}/relationships/labels`, { data: [{ type: 'label', id: '2' }] })
        expect(added.ids).toEqual(['1', '2'])
        const removed = await rest.delete(`/document/${id}/relationships/labels`, {
          data: [{ type: 'label', id: '2' }],
        })
        expect(removed.ids).toEqual(['1'])
        const person = (name: string) => ({
          data: {
            type: 'person',
            attributes: { email: 'new@red', password: name },
            relationships: { team: { data: { type: 'team', id: '1' } } },
          },
          meta: { operation: 'upsert', matchFields: ['email'] },
        })
        expect((await rest.post('/person', person('one'))).status).toBe(201)
        expect((await rest.post('/person', person('two'))).status).toBe(200)
        expect(replica.takeCalls()).toEqual([])

        // The replica does not have these rows.
        expect((await rest.get(`/document/${id}`)).status).toBe(404)
        expect((await rest.get('/document?include=labels')).ids).toEqual(['1', '2', '3'])
        expect(replica.takeCalls()).toEqual(expect.arrayContaining(['Document.findUnique', 'Document.findMany']))
        expect((await rest.delete(`/document/${id}`)).status).toBe(204)
        expect(replica.takeCalls()).toEqual([])
      })

      it('RPC: uses the primary for writes and the replica for reads', async () => {
        const { call } = fixtureRpc(db, options, make(db.orm))
        const include = { comments: { include: { author: true } }, labels: true }
        const data = { title: 'New', teamId: 1, comments: { create: [{ text: 'a', authorId: 1 }] } }
        const created = await call('document', 'create', { data, include })
        expect(created).toMatchObject({ status: 201, body: { data: { comments: [{ text: 'a', author: { id: 1 } }] } } })
        const where = { id: (created.body.data as { id: number }).id }
        const labels = { set: [{ id: 1 }] }
        expect(await call('document', 'update', { where, data: { labels }, include })).toMatchObject({
          status: 200,
          body: { data: { labels: [{ id: 1 }] } },
        })
        const team = { connect: { id: 1 } }
        const upsert = { where: { email: 'new@red' }, create: { email: 'new@red', password: 'x', team }, update: {} }
        expect((await call('person', 'upsert', upsert)).status).toBe(200)
        expect((await call('person', 'upsert', upsert)).status).toBe(200)
        expect((await call('document', 'updateManyAndReturn', { where, data: { title: 'x' } })).body.data).toHaveLength(
          1,
        )
        // A preflight query: the row exists only on the primary, and the result would be out of range.
        const attachment = { data: { name: 'big', size: 2_000_000_000, documentId: where.id } }
        const big = (await call('attachment', 'create', attachment)).body.data as { id: number }
        const grown = { where: { id: big.id }, data: { size: { increment: 2_000_000_000 } } }
        expect((await call('attachment', 'update', grown)).status).toBe(422)
        expect(replica.takeCalls()).toEqual([])

        expect(await call('document', 'findUnique', { where })).toMatchObject({ body: { data: null } })
        expect(await call('document', 'count')).toMatchObject({ body: { data: 3 } })
        expect(replica.takeCalls()).toEqual(['Document.findUnique', 'Document.count'])
        expect(await call('document', 'delete', { where })).toMatchObject({ status: 200 })
      })
    })

    it.each([
      ['policies before replicas', (orm: Orm, define: Define) => replica.replicated(policed(orm, define))],
      ['policies after replicas', (orm: Orm, define: Define) => policed(replica.replicated(orm), define)],
      [
        'policies between replicas and computed fields',
        (orm: Orm, define: Define) => computed(policed(replica.replicated(orm, computed), define)),
      ],
    ])('%s: applies rules to reads from the replica', async (_, make) => {
      const mine: Define = ({ can }) => {
        can('manage', 'Document', { teamId: 2 })
        can('read', 'Label')
      }
      for (const options of [{}, { hooks }]) {
        const orm = make(db.orm, mine)
        const rest = fixtureClient({ orm, routes: db.routes }, options)
        expect((await rest.get('/document')).ids).toEqual(['3'])
        expect((await rest.get('/document/1')).status).toBe(404)
        expect((await rest.get('/person')).ids).toEqual([])
        expect(replica.takeCalls()).toContain('Document.findMany')
        const { call } = fixtureRpc(db, options, orm)
        expect(await call('document', 'count')).toMatchObject({ body: { data: 1 } })
        expect((await call('document', 'update', { where: { id: 1 }, data: { title: 'x' } })).status).toBe(404)
        // The policies also apply to the app's own access to the primary.
        const primary = (orm as unknown as { $primary(): Orm }).$primary()
        expect(await primary.document.count()).toBe(1)
        expect(await (getPrimary(orm) as Orm).document.count()).toBe(1)
      }
    })

    it('applies where hooks to reads from the replica', async () => {
      const narrowed = defineHooks({ Document: { where: () => ({ teamId: 2 }) } })
      const rest = fixtureClient({ orm: replica.replicated(db.orm), routes: db.routes }, { hooks: narrowed })
      expect((await rest.get('/document')).ids).toEqual(['3'])
      expect(replica.takeCalls()).toContain('Document.findMany')
    })

    it('returns the writes of a custom route from the primary', async () => {
      const routes = defineRestRoutes((app, api) => {
        app.post('/document/:id/copy', async (c) => {
          const orm = await api.orm(c)
          const row = await orm.document.create({
            data: { title: 'Copy', teamId: 1, labels: { connect: { id: 2 } } },
            select: { id: true },
          })
          return api.reply(c, 'Document', row, { status: 201 })
        })
      })
      const rest = fixtureClient({ orm: replica.replicated(db.orm), routes: db.routes }, { routes })
      const created = await rest.fetch('/document/1/copy?include=labels', { method: 'POST' })
      expect(created).toMatchObject({ status: 201, one: { attributes: { title: 'Copy' } } })
      expect(created.body.included).toMatchObject([{ id: '2' }])
      expect(replica.takeCalls()).toEqual([])
    })

    it('uses the primary inside a transaction of the app', async () => {
      for (const make of [replica.replicated, (orm: Orm) => open(replica.replicated(orm))]) {
        await db.fill(fillWorkspace)
        const work = make(db.orm).$transaction(async (tx) => {
          const rest = fixtureClient({ orm: tx, routes: db.routes })
          const created = await rest.post('/document?include=labels', document('Inside', ['1']))
          expect(created).toMatchObject({ status: 201, body: { included: [{ id: '1' }] } })
          expect((await rest.get(`/document/${created.one.id}`)).status).toBe(200)
          throw new Error('Rolled back.')
        })
        await expect(work).rejects.toThrow('Rolled back.')
        expect(await db.orm.document.count()).toBe(3)
        expect(replica.takeCalls()).toEqual([])
      }
    })

    it('getPrimary: returns the same client on every call', () => {
      const orm = computed(replica.replicated(db.orm))
      expect(getPrimary(orm)).toBe(getPrimary(orm))
      expect(getPrimary(db.orm)).toBe(db.orm)
      expect(getPrimary(getPrimary(orm))).toBe(getPrimary(orm))
    })

    it('getPrimary: throws if the primary would lose its policies', async () => {
      const orm = open(db.orm)
      const around = new Proxy(orm, { get: (of, name) => (name === '$primary' ? () => db.orm : Reflect.get(of, name)) })
      expect(() => getPrimary(around)).toThrow('must return a client with the same access policies')
    })
  },
  { fixture: 'workspace', only: ['sqlite'] },
)

type Define = Parameters<typeof policed>[1]
