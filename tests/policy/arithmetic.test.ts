import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, type AppAbility, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { defineRpcRoutes } from '../../fixtures/workspace/expected/custom-routes.js'
import { defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { RequestError } from '../../runtime/errors/request-error.js'
import { fieldUpdate } from '../../runtime/rpc/guard/data/scalar-data.js'
import { fillWorkspace } from '../hooks/support/workspace.js'
import { fixtureRpc, rpcClient } from '../rpc/client.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { fillTenants } from './support/two-tenants.js'

const LARGE = 2_147_000_000

/** Updates of the salary of member 2. */
const UPDATES: readonly (readonly [model: string, operation: string, args: (change: object) => object])[] = [
  ['member', 'updateMany', (salary) => ({ where: { id: 2 }, data: { salary } })],
  ['member', 'update', (salary) => ({ where: { id: 2 }, data: { salary }, select: { id: true } })],
  [
    'member',
    'upsert',
    (salary) => ({
      where: { id: 2 },
      update: { salary },
      create: { email: 'two@alpha', organisationId: 1 },
      select: { id: true },
    }),
  ],
]

/** Nested updates, in which Prisma does not support arithmetic on SQLite. */
const NESTED: typeof UPDATES = [
  [
    'organisation',
    'update',
    (salary) => ({ where: { id: 1 }, data: { members: { update: { where: { id: 2 }, data: { salary } } } } }),
  ],
  [
    'organisation',
    'update',
    (salary) => ({ where: { id: 1 }, data: { members: { updateMany: { where: { id: 2 }, data: { salary } } } } }),
  ],
  ['document', 'update', (salary) => ({ where: { id: 2 }, data: { author: { update: { salary } } } })],
]

/** An ability for everything except reading salaries. */
function withoutSalaries(): ReturnType<typeof abilityBuilder> {
  const builder = abilityBuilder()
  builder.can('manage', 'all')
  builder.cannot('read', 'Member', ['salary'])
  return builder
}

function onlyForMember(id: number): AppAbility {
  const builder = withoutSalaries()
  builder.can('read', 'Member', ['salary'], { id })
  return builder.build()
}

describeDatabases(
  'policy: arithmetic on hidden values',
  (db) => {
    beforeEach(() => db.fill(fillTenants))

    const updates = db.provider === 'sqlite' ? UPDATES : [...UPDATES, ...NESTED]
    const call = async (ability: AppAbility, [model, operation, args]: (typeof UPDATES)[number], change: object) => {
      const api = rpcClient(db as unknown as Database, {}, db.orm.$extends(withPolicies(ability)))
      const { status, body } = await api.call(model, operation, args(change))
      const row = await db.orm.member.findUnique({ where: { id: 2 }, select: { salary: true } })
      return { status, body, salary: row?.salary }
    }

    it.each(updates)(
      '%s.%s %#: responds in the same way to each hidden value, which does not change',
      async (...update) => {
        const responses = []
        for (const salary of [10, 1_000_000]) {
          await db.orm.member.update({ where: { id: 2 }, data: { salary } })
          for (const change of [{ increment: LARGE }, { multiply: 4000 }, { decrement: 1 }]) {
            const { salary: after, ...response } = await call(onlyForMember(1), update, change)
            expect(after).toBe(salary)
            responses.push(response)
          }
        }
        for (const response of responses) expect(response).toEqual(responses[0])
      },
    )

    it.each(updates)('%s.%s %#: rejects arithmetic on a field that is never readable', async (...update) => {
      const { status, body, salary } = await call(withoutSalaries().build(), update, { increment: 1 })
      expect([status, salary]).toEqual([403, 72_222])
      expect(body.message).toContain('salary')
    })

    it.each(updates)('%s.%s %#: changes readable values within their range', async (...update) => {
      expect(await call(onlyForMember(2), update, { increment: 1 })).toMatchObject({ status: 200, salary: 72_223 })
      expect((await call(onlyForMember(2), update, { increment: 2_147_483_647 })).status).toBe(422)
      expect(await call(onlyForMember(1), update, { set: 5 })).toMatchObject({ status: 200, salary: 5 })
    })
  },
  { fixture: 'tenants' },
)

describeDatabases(
  'hooks: arithmetic on masked values',
  (db) => {
    beforeEach(() => db.fill(fillWorkspace))

    it.each(['update', 'updateMany'])('%s: is rejected, but a new value is accepted', async (operation) => {
      const hooks = defineHooks({ Attachment: { mask: { size: () => 0 } } })
      const change = (size: object) =>
        fixtureRpc(db, { hooks }).call('attachment', operation, { where: { id: 1 }, data: { size } })
      const { status, body } = await change({ increment: 1 })
      expect([status, body.message]).toEqual([403, expect.stringContaining('is masked and cannot be used in')])
      expect((await change({ set: 7 })).status).toBe(200)
      expect(await db.orm.attachment.findUnique({ where: { id: 1 }, select: { size: true } })).toEqual({ size: 7 })
    })

    it('is rejected in the client of a custom route, also without a filter', async () => {
      const hooks = defineHooks({ Attachment: { mask: { size: () => 0 } } })
      const routes = defineRpcRoutes((app, api) => {
        app.post('/attachment/grow', async (c) => {
          const orm = await api.orm(c)
          return api.value(c, await orm.attachment.updateMany({ data: { size: { increment: 1 } } }))
        })
      })
      const { status, body } = await fixtureRpc(db, { hooks, routes }).fetch('/attachment/grow', { method: 'POST' })
      expect([status, body.message]).toEqual([403, expect.stringContaining('is masked')])
    })
  },
  { fixture: 'workspace' },
)

it('is rejected on write-only fields, because an error would reveal the value', () => {
  const error = (change: object) => () => fieldUpdate({ type: 'Int', writeOnly: true }, change, 'data.pin')
  expect(error({ increment: 1 })).toThrow(RequestError)
  expect(error({ set: 1 })).not.toThrow()
})
