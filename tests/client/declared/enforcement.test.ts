import { beforeEach, expect, it } from 'vitest'
import * as z from 'zod'

import { createRestClient, createRpcClient, withRestRoutes, withRpcRoutes } from '../../../client/index.js'
import type { Api } from '../../../fixtures/workspace/expected/client.js'
import { implementRoutes } from '../../../fixtures/workspace/expected/custom-routes.js'
import { declareRoutes } from '../../../fixtures/workspace/expected/declare-routes.js'
import { type AppHooks, defineHooks } from '../../../fixtures/workspace/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../../fixtures/workspace/expected/policy.js'
import type { Limits } from '../../../runtime/index.js'
import { fillWorkspace, type Workspace } from '../../hooks/support/workspace.js'
import { describeDatabases } from '../../support/databases.js'

const declarations = declareRoutes({
  document: {
    close: { method: 'POST', path: '/:id/close', body: z.object({ state: z.string() }), result: 'Document' },
    open: { method: 'GET', path: '/open', result: ['Document'] },
  },
  person: { first: { method: 'GET', path: '/first', result: 'Person', nullable: true } },
  directory: {
    people: { method: 'GET', path: '/people', result: ['Person'] },
    cached: { method: 'GET', path: '/cached', result: ['Person'] },
    names: { method: 'GET', path: '/names', result: z.array(z.object({ email: z.string() })) },
  },
})

interface ServeOptions {
  readonly hooks?: AppHooks
  readonly limits?: Partial<Limits>
  readonly policies?: (builder: ReturnType<typeof abilityBuilder>) => void
}

/** Serves the declared routes in both styles and returns the clients. */
function serve(db: Workspace, { hooks, limits, policies }: ServeOptions) {
  const builder = abilityBuilder()
  policies?.(builder)
  const orm = policies ? db.orm.$extends(withPolicies(builder.build())) : db.orm
  const routes = implementRoutes(declarations, {
    document: {
      close: ({ orm, where, body }) => orm.document.update({ where, data: body }),
      open: ({ orm }) => orm.document.findMany({ where: { state: 'open' }, orderBy: { id: 'asc' } }),
    },
    person: { first: ({ orm }) => orm.person.findFirst({ orderBy: { id: 'asc' } }) },
    directory: {
      people: ({ orm }) => orm.person.findMany({ orderBy: { id: 'asc' } }),
      // A client without policies and hooks.
      cached: () => db.orm.person.findMany({ orderBy: { id: 'asc' } }),
      names: ({ orm }) => orm.person.findMany({ orderBy: { id: 'asc' } }),
    },
  })
  const options = { routes, ...(hooks && { hooks: defineHooks(hooks) }), ...(limits && { limits }) }
  const handlers = {
    rest: db.routes.RestApiHandler({ endpoint: 'http://localhost/rest', ...options }),
    rpc: db.routes.RPCApiHandler(options),
  }
  const fetch = (style: 'rest' | 'rpc') => (request: Request) =>
    handlers[style].fetch(request, { getOrm: () => orm as never, prefix: `/${style}` })
  return {
    rest: withRestRoutes(createRestClient<Api>({ url: 'http://localhost/rest', fetch: fetch('rest') }), declarations),
    rpc: withRpcRoutes(createRpcClient<Api>({ url: 'http://localhost/rpc', fetch: fetch('rpc') }), declarations),
  }
}

describeDatabases(
  'clients of declared routes: enforcement',
  (db) => {
    beforeEach(() => db.fill(fillWorkspace))
    const stateOf = async (id: number) => (await db.orm.document.findUniqueOrThrow({ where: { id } })).state

    it('policies: hides rows from reads', async () => {
      const { rest, rpc } = serve(db, { policies: ({ can }) => can('read', 'Document', { teamId: 1 }) })
      expect((await rest.document.open()).map(({ id }) => id)).toEqual(['1', '2'])
      expect((await rpc.document.open()).map(({ id }) => id)).toEqual([1, 2])
      expect([await rest.person.first(), await rpc.person.first()]).toEqual([null, null])
      expect([await rest.directory.people(), await rpc.directory.people()]).toEqual([[], []])
    })

    it('policies: hides included rows', async () => {
      const { rest } = serve(db, {
        policies({ can }) {
          can('read', 'Document')
          can('read', 'Person', { id: 2 })
        },
      })
      const documents = await rest.document.open({ include: ['owner'] })
      expect(documents.map(({ owner }) => owner?.id)).toEqual([undefined, '2', undefined])
    })

    it('policies: rejects writes of hidden rows with 404 and others with 403', async () => {
      const { rest, rpc } = serve(db, {
        policies({ can }) {
          can('read', 'Document', { teamId: 1 })
          can('update', 'Document', { id: 1 })
        },
      })
      const body = { state: 'closed' }
      await expect(rest.document.close(3, body)).rejects.toMatchObject({ status: 404 })
      await expect(rpc.document.close({ id: 3, ...body })).rejects.toMatchObject({ status: 404 })
      const denied = { status: 403, rejectedByPolicy: true }
      await expect(rest.document.close(2, body)).rejects.toMatchObject(denied)
      await expect(rpc.document.close({ id: 2, ...body })).rejects.toMatchObject(denied)
      expect([await stateOf(2), await stateOf(3)]).toEqual(['open', 'open'])
      expect(await rest.document.close(1, body)).toMatchObject({ id: '1', state: 'closed' })
      expect(await rpc.document.close({ id: 1, state: 'done' })).toMatchObject({ id: 1, state: 'done' })
    })

    it('omits hidden fields of rows', async () => {
      const { rest, rpc } = serve(db, {})
      const rows = [
        await rest.person.first(),
        await rpc.person.first(),
        ...(await rest.directory.people()),
        ...(await rpc.directory.people()),
        ...(await rest.directory.cached()),
        ...(await rpc.directory.cached()),
      ]
      expect(rows).toHaveLength(14)
      for (const row of rows) {
        expect(row).toHaveProperty('email')
        expect(row).not.toHaveProperty('password')
      }
      // @ts-expect-error A hidden field.
      void rows[0]?.password
    })

    it('mask: changes rows, even if the route loads them with another client', async () => {
      const mask = { email: ({ value }: { readonly value: string }) => value.replace(/^.*@/, '***@') }
      const { rest, rpc } = serve(db, { hooks: { Person: { mask } } })
      const masked = ['***@red', '***@red', '***@blue']
      for (const client of [rest, rpc]) {
        expect((await client.directory.people()).map(({ email }) => email)).toEqual(masked)
        expect((await client.directory.cached()).map(({ email }) => email)).toEqual(masked)
        expect(await client.person.first()).toMatchObject({ email: '***@red' })
      }
      const [document] = await rest.document.open({ include: ['owner'] })
      expect(document?.owner).toMatchObject({ email: '***@red' })
    })

    it('where: hides rows from reads and writes', async () => {
      const { rest, rpc } = serve(db, { hooks: { Document: { where: () => ({ teamId: 1 }) } } })
      expect((await rest.document.open()).map(({ id }) => id)).toEqual(['1', '2'])
      expect((await rpc.document.open()).map(({ id }) => id)).toEqual([1, 2])
      await expect(rest.document.close(3, { state: 'closed' })).rejects.toMatchObject({ status: 404 })
      await expect(rpc.document.close({ id: 3, state: 'closed' })).rejects.toMatchObject({ status: 404 })
      expect(await stateOf(3)).toBe('open')
    })

    it('update hooks: run for the writes of a route', async () => {
      const titles: unknown[] = []
      const hooks: AppHooks = {
        Document: { update: { after: ({ row }) => void titles.push(row.state) } },
      }
      const { rest, rpc } = serve(db, { hooks })
      await rest.document.close(1, { state: 'a' })
      await rpc.document.close({ id: 1, state: 'b' })
      expect(titles).toEqual(['a', 'b'])
    })

    it('limits: rejects large bodies with 413 before the route runs', async () => {
      const { rest, rpc } = serve(db, { limits: { bodyBytes: 50 } })
      const state = 'x'.repeat(50)
      await expect(rest.document.close(1, { state })).rejects.toMatchObject({ status: 413 })
      await expect(rpc.document.close({ id: 1, state })).rejects.toMatchObject({ status: 413 })
      expect(await stateOf(1)).toBe('open')
    })

    it('limits: rejects large responses with 400', async () => {
      const { rest, rpc } = serve(db, { limits: { responseBytes: 60 } })
      const calls = [
        rest.directory.people(),
        rest.directory.names(),
        rpc.directory.people(),
        rpc.directory.names(),
        rpc.document.open(),
      ]
      const errors = await Promise.all(calls.map((call) => call.then(String, (error: unknown) => error)))
      for (const error of errors) expect(error).toMatchObject({ status: 400 })
    })

    it('limits: rejects deep includes with 400', async () => {
      const { rest } = serve(db, { limits: { includeDepth: 1 } })
      expect(await rest.document.open({ include: ['owner'] })).toHaveLength(3)
      await expect(rest.document.open({ include: ['owner.team'] })).rejects.toMatchObject({
        status: 400,
        code: 'limit-exceeded',
      })
    })
  },
  { fixture: 'workspace', only: ['sqlite'] },
)
