import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/versions/expected/policy.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { isLong } from '../support/form.js'
import { type TestResponse, fixtureClient, type RestClient } from './support/client.js'
import { fillVersions } from './support/versions.js'

const EXT = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'

/** Number of clients that concurrently read, change and write one row. */
const AT_ONCE = 8

/** Number of changes that all clients together make. */
const CHANGES = isLong ? 40 : 10

/** Reads, changes and writes until the change is accepted. Resolves to the number of rejections. */
type Client = (isCareful: boolean) => Promise<number>

async function retryUntilAccepted(attempt: () => Promise<number>): Promise<number> {
  for (let rejections = 0; ; rejections++) {
    const status = await attempt()
    if (status < 300) return rejections
    // A write conflict also means that another client was faster.
    if (status !== 412 && status !== 409 && status !== 503) throw new Error(`Answered with ${status}.`)
  }
}

/** Applies changes with all clients. Returns the total number of rejections. */
async function race(client: Client, changes: number, isCareful = true): Promise<number> {
  let left = changes
  let rejections = 0
  const worker = async () => {
    while (left-- > 0) rejections += await client(isCareful)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return rejections
}

const account = (attributes: object) => ({ type: 'account', id: '1', attributes })
const balanceOf = ({ one }: TestResponse): number => Number(one.attributes?.['balance'])

describeDatabases(
  'REST: concurrent updates',
  (db) => {
    let rest: RestClient

    beforeEach(async () => {
      await db.fill(fillVersions)
      rest = fixtureClient(db, { atomicOperations: true })
    })
    const stored = () => db.orm.account.findUniqueOrThrow({ where: { id: 1 } })

    const byPatch =
      (client: () => RestClient): Client =>
      (isCareful) =>
        retryUntilAccepted(async () => {
          const read = await client().get('/account/1')
          const tag = isCareful ? { 'If-Match': read.headers.get('ETag') ?? '' } : undefined
          return (await client().patch('/account/1', { data: account({ balance: balanceOf(read) + 1 }) }, tag)).status
        })

    const byOperation: Client = (isCareful) =>
      retryUntilAccepted(async () => {
        const read = await rest.get('/account/1')
        const operation = {
          op: 'update',
          data: account({ balance: balanceOf(read) + 1 }),
          ...(isCareful && { meta: { version: read.one.meta?.version } }),
        }
        return (await rest.post('/operations', { 'atomic:operations': [operation] }, { 'Content-Type': EXT })).status
      })

    const byRpc: Client = (isCareful) =>
      retryUntilAccepted(async () => {
        const api = fixtureRpc(db)
        const { balance, version } = await stored()
        const where = { id: 1, ...(isCareful && { version }) }
        return (await api.call('account', 'update', { where, data: { balance: balance + 1 } })).status
      })

    const policied = () => {
      const { can, build } = abilityBuilder()
      can('read', 'all')
      can('update', 'Account', ['balance'], { balance: { gte: 0 } })
      return fixtureClient({ orm: db.orm.$extends(withPolicies(build())), routes: db.routes })
    }

    /** Detects from `count` whether the row was changed. */
    const byUpdateMany: Client = (isCareful) =>
      retryUntilAccepted(async () => {
        const { can, build } = abilityBuilder()
        can('read', 'all')
        can('update', 'Account', { balance: { gte: 0 } })
        const api = fixtureRpc(db, {}, db.orm.$extends(withPolicies(build())))
        const { balance, version } = await stored()
        const where = { id: 1, ...(isCareful && { version }) }
        const { status, body } = await api.call('account', 'updateMany', { where, data: { balance: balance + 1 } })
        return status === 200 && JSON.stringify(body.data) === '{"count":0}' ? 412 : status
      })

    it.each<[string, () => Client]>([
      ['PATCH', () => byPatch(() => rest)],
      ['PATCH under policies', () => byPatch(policied)],
      ['atomic operations', () => byOperation],
      ['RPC update', () => byRpc],
      ['RPC updateMany under policies', () => byUpdateMany],
    ])('%s: applies every update', async (_what, client) => {
      const rejections = await race(client(), CHANGES)
      expect(await stored()).toMatchObject({ balance: CHANGES, version: CHANGES + 1 })
      expect(rejections).toBeGreaterThan(0)
    })

    it('applies every addition to a list that clients replace under If-Match', async () => {
      await db.orm.entry.createMany({ data: Array.from({ length: CHANGES }, (_, at) => ({ text: `${at}` })) })
      const added = (
        await db.orm.entry.findMany({ where: { text: { not: '' } }, orderBy: { id: 'desc' }, take: CHANGES })
      ).map(({ id }) => id)
      let next = 0
      await race((isCareful) => {
        const id = added[next++]
        return retryUntilAccepted(async () => {
          const read = await rest.get('/account/1')
          const members = await db.orm.entry.findMany({ where: { accountId: 1 }, select: { id: true } })
          const data = [...members.map((one) => one.id), id].map((one) => ({ type: 'entry', id: `${one}` }))
          const tag = isCareful ? { 'If-Match': read.headers.get('ETag') ?? '' } : undefined
          return (await rest.patch('/account/1/relationships/entries', { data }, tag)).status
        })
      }, CHANGES)
      expect(await db.orm.entry.count({ where: { accountId: 1 } })).toBe(CHANGES + 2)
    })

    it('loses updates if clients send no version', async () => {
      await race(
        byPatch(() => rest),
        CHANGES,
        false,
      )
      expect((await stored()).balance).toBeLessThan(CHANGES)
    })
  },
  { fixture: 'versions' },
)
