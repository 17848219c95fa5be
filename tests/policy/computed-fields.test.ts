import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { rpcClient } from '../rpc/client.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { fillTenants, ME } from './support/two-tenants.js'

const EXPOSED = { computed: { Member: ['raise', 'loud'] } }

type Rules = (builder: ReturnType<typeof abilityBuilder>) => void

const never: Rules = ({ can, cannot }) => {
  can('manage', 'all')
  cannot('read', 'Member', ['salary'])
}
/** Rules under which only the caller's own salary is readable. */
const mine: Rules = ({ can, cannot }) => {
  can('manage', 'all')
  cannot('read', 'Member', ['salary'], { id: { not: ME } })
}

/** Each returns member 3, who is the caller, and at least one other member. */
const CALLS: readonly (readonly [model: string, operation: string, args: object])[] = [
  ['member', 'findMany', {}],
  ['member', 'findMany', { omit: { salary: true } }],
  ['member', 'findMany', { include: { organisation: true } }],
  ['organisation', 'findMany', { include: { members: { take: 9 } } }],
  ['document', 'findMany', { select: { author: true } }],
  ['member', 'findMany', { select: { loud: true, raise: true, salary: true } }],
  ['document', 'findMany', { select: { title: true, author: { select: { raise: true, salary: true, loud: true } } } }],
  ['member', 'updateManyAndReturn', { where: { id: { in: [1, 3] } }, data: { name: 'x' } }],
  ['organisation', 'update', { where: { id: 2 }, data: { name: 'x' }, include: { members: { take: 9 } } }],
  [
    'document',
    'createManyAndReturn',
    { data: [1, 3].map((authorId) => ({ title: 'n', projectId: 3, authorId })), include: { author: true } },
  ],
]
/** Each returns another member. */
const OTHERS: readonly (readonly [model: string, operation: string, args: object])[] = [
  ['member', 'findUnique', { where: { id: 1 } }],
  ['member', 'update', { where: { id: 1 }, data: { name: 'x' } }],
  ['member', 'upsert', { where: { id: 1 }, create: { email: 'n', organisationId: 2 }, update: { name: 'x' } }],
  ['member', 'create', { data: { email: 'n', salary: 71111, organisationId: 2 } }],
  ['member', 'delete', { where: { id: 4 } }],
]

describeDatabases(
  'policy: computed fields of client extensions',
  (db) => {
    beforeEach(() => db.fill(fillTenants))
    const policed = (define: Rules, isLater = false) => {
      const builder = abilityBuilder()
      define(builder)
      const raise = { needs: { salary: true }, compute: ({ salary }: { salary: number | null }) => (salary ?? 0) * 2 }
      const loud = { needs: { email: true }, compute: ({ email }: { email: string }) => email.toUpperCase() }
      const computing = { result: { member: { raise, loud } } }
      const policy = withPolicies(builder.build())
      return isLater ? db.orm.$extends(policy).$extends(computing) : db.orm.$extends(computing).$extends(policy)
    }
    const bodyOf = async (define: Rules, [model, operation, args]: (typeof CALLS)[number]) => {
      if (model === 'member' && operation === 'delete') {
        await db.orm.document.updateMany({ data: { reviewerId: null } })
      }
      const caller = rpcClient(db as unknown as Database, EXPOSED as object, policed(define))
      const { status, body } = await caller.call(model, operation, args)
      expect(status, JSON.stringify(body)).toBeLessThan(300)
      return JSON.stringify(body)
    }

    it.each(CALLS)('%s.%s %j: omits computed fields with unreadable needs', async (...call) => {
      if (call[1].endsWith('AndReturn') && db.provider === 'mysql') return
      const text = await bodyOf(never, call)
      expect(text).toContain('ME@BETA')
      expect(text).not.toMatch(/salary|raise|7\d{4}|14\d{4}/)
    })

    it.each(CALLS)('%s.%s %j: returns computed fields on rows with readable needs', async (...call) => {
      if (call[1].endsWith('AndReturn') && db.provider === 'mysql') return
      const text = await bodyOf(mine, call)
      expect(text).not.toMatch(/7\d{4}|14\d{4}|null,"loud"/)
      expect(text.match(/"raise":/g)?.length).toBe(text.match(/"salary":/g)?.length)
      expect(text.includes('"raise":6')).toBe(!('omit' in call[2]))
    })

    it.each(OTHERS)('%s.%s %j: omits computed fields on a row with unreadable needs', async (...call) => {
      for (const define of [never, mine]) {
        await db.fill(fillTenants)
        const text = await bodyOf(define, call)
        expect(text).toContain('"loud":')
        expect(text).not.toMatch(/salary|raise|7\d{4}|14\d{4}/)
      }
    })

    it('applies rules to computed fields of later extensions', async () => {
      for (const define of [never, mine]) {
        const orm = policed(define, true)
        const [found] = await orm.member.findMany({ orderBy: { id: 'asc' }, take: 1 })
        const changed = await orm.member.update({ where: { id: 1 }, data: { name: 'x' } })
        for (const member of [found, changed]) {
          expect(member).toMatchObject({ id: 1, loud: 'ONE@ALPHA' })
          expect(JSON.stringify(member)).not.toMatch(/salary|raise/)
        }
      }
    })

    it('applies rules to computed fields in fluent calls', async () => {
      for (const define of [never, mine]) {
        const orm = policed(define)
        const author = await orm.document.findUnique({ where: { id: 1 } }).author()
        expect(JSON.stringify(author)).not.toMatch(/salary|raise/)
        const selected = await orm.document
          .findUnique({ where: { id: 1 } })
          .author({ select: { raise: true, loud: true } })
        expect(JSON.stringify(selected)).toBe('{"loud":"ONE@ALPHA"}')
        const { text } = await fixtureClient({ orm, routes: db.routes }).get('/member?include=documents')
        expect(text).not.toMatch(/raise|7\d{4}|14\d{4}/)
      }
    })

    const SELECTED: readonly (readonly [operation: string, args: object])[] = [
      ['findMany', { where: { id: { in: [1, ME] } }, orderBy: { id: 'asc' } }],
      ...(db.provider === 'mysql'
        ? []
        : ([['updateManyAndReturn', { where: { id: { in: [1, ME] } }, data: { name: 'x' } }]] as const)),
    ]
    it.each(SELECTED)('%s %j: returns selected fields only on rows with readable needs', async (operation, args) => {
      const call = async (define: Rules, select: object) => {
        await db.fill(fillTenants)
        const caller = rpcClient(db as unknown as Database, EXPOSED as object, policed(define))
        return caller.result('member', operation, { ...args, select })
      }
      const salaries = await db.orm.member.findMany({ where: { id: { in: [1, ME] } }, orderBy: { id: 'asc' } })
      const [, raise] = salaries.map(({ salary }) => (salary ?? 0) * 2)
      expect(raise).toBeGreaterThan(0)
      expect(await call(mine, { id: true, raise: true })).toEqual([{ id: 1 }, { id: ME, raise }])
      expect(await call(mine, { raise: true })).toEqual([{}, { raise }])
      expect(await call(mine, { id: true, raise: true, salary: true })).toEqual([
        { id: 1 },
        { id: ME, raise, salary: (raise ?? 0) / 2 },
      ])
      expect(await call(mine, { loud: true })).toEqual([{ loud: 'ONE@ALPHA' }, { loud: 'ME@BETA' }])
      expect(await call(never, { id: true, raise: true })).toEqual([{ id: 1 }, { id: ME }])
      expect(await call(never, { raise: true })).toEqual([{}, {}])
      expect(await call(never, { raise: true, loud: true })).toEqual([{ loud: 'ONE@ALPHA' }, { loud: 'ME@BETA' }])
    })

    it.each<readonly [operation: string, args: object]>([
      ['findUnique', { where: { id: ME } }],
      ['update', { where: { id: ME }, data: { name: 'x' } }],
      ['upsert', { where: { id: ME }, create: { email: 'n', organisationId: 2 }, update: { name: 'x' } }],
    ])('%s %j: returns selected fields with readable needs, also in included rows', async (operation, args) => {
      const select = {
        raise: true,
        organisation: { select: { members: { take: 9, select: { id: true, raise: true } } } },
      }
      for (const define of [never, mine]) {
        await db.fill(fillTenants)
        const caller = rpcClient(db as unknown as Database, EXPOSED as object, policed(define))
        const row = (await caller.result('member', operation, { ...args, select })) as {
          raise?: number
          organisation: { members: { id: number; raise?: number }[] }
        }
        const visibleIds = row.organisation.members.filter((member) => 'raise' in member).map(({ id }) => id)
        expect(visibleIds).toEqual(define === mine ? [ME] : [])
        expect('raise' in row).toBe(define === mine)
        expect(JSON.stringify(row)).not.toContain('salary')
      }
    })

    it('returns computed fields with readable needs as REST attributes', async () => {
      for (const [define, isLater] of [[never], [mine], [never, true], [mine, true]] as const) {
        const orm = policed(define, isLater)
        const { many } = await fixtureClient({ orm, routes: db.routes }, EXPOSED).get('/member?sort=id')
        expect(many.map(({ attributes }) => attributes?.['loud'])).toContain('ME@BETA')
        const ids = many.filter(({ attributes }) => attributes && 'raise' in attributes).map(({ id }) => id)
        expect(ids).toEqual(define === mine ? [String(ME)] : [])
        if (isLater) continue
        const sparse = await fixtureClient({ orm, routes: db.routes }, EXPOSED).get(
          '/member?sort=id&fields[member]=raise',
        )
        const visibleIds = sparse.many
          .filter(({ attributes }) => attributes && 'raise' in attributes)
          .map(({ id }) => id)
        expect(visibleIds).toEqual(ids)
        expect(sparse.text).not.toMatch(/salary|loud/)
      }
    })

    it('omits computed fields of later extensions from RPC and rejects their selection with 403', async () => {
      const orm = policed(mine, true)
      const caller = rpcClient(db as unknown as Database, { computed: { Member: ['loud'] } } as object, orm)
      const update = { where: { id: ME }, data: { name: 'x' } }
      for (const [operation, args] of [
        ['findMany', {}],
        ['findMany', { include: { organisation: { include: { members: { take: 9 } } } } }],
        ['update', update],
      ] as const) {
        const { status, body } = await caller.call('member', operation, args)
        expect(status, JSON.stringify(body)).toBe(200)
        expect(JSON.stringify(body)).toContain('ME@BETA')
        expect(JSON.stringify(body)).not.toContain('raise')
      }
      const { status, body } = await caller.call('member', 'findMany', { select: { loud: true } })
      expect([status, body.rejectedByPolicy]).toEqual([403, true])
    })
  },
  { fixture: 'tenants' },
)
