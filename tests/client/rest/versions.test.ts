import { MutationObserver, QueryClient } from '@tanstack/query-core'
import { beforeEach, expect, expectTypeOf, it, vi } from 'vitest'

import { createRpcClient, RestError, withRestRoutes } from '../../../client/index.js'
import { createRestQueries, createRestQueriesWithRoutes } from '../../../client/query/index.js'
import type { Api } from '../../../fixtures/versions/expected/client.js'
import { implementRoutes } from '../../../fixtures/versions/expected/custom-routes.js'
import { declareRoutes } from '../../../fixtures/versions/expected/declare-routes.js'
import { graph } from '../../../fixtures/versions/expected/graph.js'
import { fillVersions } from '../../rest/support/versions.js'
import { describeDatabases } from '../../support/databases.js'
import { versionsClient } from './apis.js'
import { fetchOf, recorded } from './serve.js'

describeDatabases(
  'REST client: version preconditions',
  (db) => {
    let fetch: ReturnType<typeof recorded>
    let rest: ReturnType<typeof versionsClient>

    beforeEach(async () => {
      await db.fill(fillVersions)
      fetch = recorded(fetchOf(db, { atomicOperations: true }))
      rest = versionsClient(fetch)
    })
    const expectPreconditionFailed = async (change: Promise<unknown>) => {
      const error: unknown = await change.catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(RestError)
      expect(error).toMatchObject({ status: 412, code: 'precondition-failed' })
    }

    it('rejects a change to an outdated resource with 412', async () => {
      const [mine] = await rest.account.list({ sort: ['name'] })
      const yours = await rest.account.get(1, { fields: { account: ['name'] } })
      if (!mine) throw new Error('There is no account.')
      const changed = await rest.account.update(mine, { balance: 5 })
      expect([changed.balance, changed.$meta]).toEqual([5, { version: '2' }])
      await expectPreconditionFailed(rest.account.update(yours, { balance: 7 }))
      await expectPreconditionFailed(rest.account.relationship(yours, 'entries').add([3]))
      await expectPreconditionFailed(rest.account.delete(yours))
      expect((await rest.account.update(changed, { balance: 6 })).balance).toBe(6)
      expect((await rest.account.update(1, { balance: 7 })).balance).toBe(7)
    })

    it('rejects a change to an outdated included resource with 412', async () => {
      const entry = await rest.entry.get(1, { include: ['account'] })
      if (!entry.account) throw new Error('The entry has no account.')
      await rest.account.update(entry.account, { balance: 5 })
      await expectPreconditionFailed(rest.account.update(entry.account, { balance: 6 }))
    })

    it('sends no If-Match header for a resource without a version', async () => {
      const entry = await rest.entry.get(1)
      await rest.entry.update(entry, { text: 'x' })
      expect(fetch.requests.at(-1)?.headers.get('If-Match')).toBe(null)
    })

    it('sends the If-Match header of the caller and rejects with 412', async () => {
      const account = await rest.account.get(1)
      await expectPreconditionFailed(
        rest.account.update(account, { balance: 5 }, {}, { headers: { 'If-Match': '"7"' } }),
      )
    })

    it('rejects $operations on an outdated resource with 412 and rolls back', async () => {
      const [one, two, bank] = [await rest.account.get(1), await rest.account.get(2), await rest.bank.get(1)]
      const changes = [
        rest.account.update.call(one, { balance: 5 }),
        rest.bank.update.call(bank, { city: 'Bern' }),
        rest.account.relationship(two, 'entries').add.call([3]),
      ] as const
      const [changed] = await rest.$operations(changes)
      expect(changed.$meta).toEqual({ version: '2' })
      await expectPreconditionFailed(
        rest.$operations([rest.account.update.call(changed, { balance: 6 }), rest.account.delete.call(two)]),
      )
      expect((await rest.account.get(1)).balance).toBe(5)
    })

    it('rejects an RPC update with an outdated version with 412', async () => {
      const handler = db.routes.RPCApiHandler()
      const api = createRpcClient<Api>({
        url: 'http://localhost/api',
        fetch: (request) => handler.fetch(request, { getOrm: () => db.orm, prefix: '/api' }),
      })
      const { balance, version } = await api.account.findUniqueOrThrow({ where: { id: 1 } })
      await api.account.update({ where: { id: 1, version }, data: { balance: balance + 5 } })
      const late = api.account.update({ where: { id: 1, version }, data: { balance: balance + 7 } })
      await expect(late).rejects.toMatchObject({ status: 412 })
    })

    it('rejects a TanStack Query mutation with an outdated version with 412', async () => {
      const { account } = createRestQueries(rest, { graph })
      const { mutate } = new MutationObserver(new QueryClient(), account.update.mutationOptions())
      const { id, $meta } = await rest.account.get(1)
      expectTypeOf($meta.version).toEqualTypeOf<string | undefined>()
      expect((await mutate({ id, version: $meta.version, data: { balance: 5 } })).balance).toBe(5)
      await expectPreconditionFailed(mutate({ id, version: $meta.version, data: { balance: 6 } }))
    })

    it('rejects a TanStack Query mutation of an outdated resource with 412', async () => {
      const queries = createRestQueries(rest, { graph })
      const queryClient = new QueryClient()
      const [mine] = await rest.account.list({ sort: ['name'] })
      if (!mine) throw new Error('There is no account.')
      const update = new MutationObserver(queryClient, queries.account.update.mutationOptions())
      const changed = await update.mutate({ id: mine, data: { balance: 5 } })
      await expectPreconditionFailed(update.mutate({ id: mine, data: { balance: 5 } }))
      const linking = queries.account.relationship.mutationOptions({ relation: 'entries', change: 'add' })
      await expectPreconditionFailed(new MutationObserver(queryClient, linking).mutate({ id: mine, members: [3] }))
      const remove = new MutationObserver(queryClient, queries.account.delete.mutationOptions())
      await expectPreconditionFailed(remove.mutate(mine))
      // The version has precedence over that of the resource.
      const stored = await update.mutate({ id: mine, version: changed.$meta.version, data: { balance: 6 } })
      await remove.mutate(stored)
      await expect(rest.account.get(mine.id)).rejects.toMatchObject({ status: 404 })
    })

    it('rejects a TanStack Query mutation of a declared route on an outdated resource with 412', async () => {
      const declarations = declareRoutes({ account: { close: { method: 'POST', path: '/:id/close' } } })
      const routes = implementRoutes(declarations, {
        account: {
          async close({ orm, where }) {
            await orm.account.update({ where, data: { notes: 'closed' } })
          },
        },
      })
      const routed = withRestRoutes(versionsClient(fetchOf(db, { routes })), declarations)
      const { account } = createRestQueriesWithRoutes(routed, { graph })
      const close = new MutationObserver(new QueryClient(), account.close.mutationOptions())
      const mine = await rest.account.get(1)
      const { $meta } = await rest.account.update(1, { balance: 5 })
      await expectPreconditionFailed(close.mutate({ id: mine }))
      await close.mutate({ id: mine, version: $meta.version })
    })

    it('invalidates the queries of a resource that is passed to a mutation', async () => {
      const { account } = createRestQueries(rest, { graph })
      const client = new QueryClient()
      const options = account.get.queryOptions(1)
      const others = account.get.queryOptions(2)
      const mine = await client.fetchQuery(options)
      await client.fetchQuery(others)
      const update = account.update.mutationOptions({ optimistic: true })
      const done = new MutationObserver(client, update).mutate({ id: mine, data: { balance: 5 } })
      await vi.waitFor(() => expect(client.getQueryData(options.queryKey)?.balance).toBe(5))
      await done
      expect(client.getQueryState(options.queryKey)?.isInvalidated).toBe(true)
      expect(client.getQueryState(others.queryKey)?.isInvalidated).toBe(false)
    })
  },
  { fixture: 'versions' },
)
