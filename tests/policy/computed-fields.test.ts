import { beforeEach, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { fixtureClient } from '../rest/support/client.js'
import { rpcClient } from '../rpc/client.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { fillTenants, ME } from './support/two-tenants.js'

type Rules = (builder: ReturnType<typeof abilityBuilder>) => void

const never: Rules = ({ can, cannot }) => {
  can('manage', 'all')
  cannot('read', 'Member', ['salary'])
}
const mine: Rules = ({ can, cannot }) => {
  can('manage', 'all')
  cannot('read', 'Member', ['salary'], { id: { not: ME } })
}

/** Each gives member 3, who is me, and at least one other. */
const CALLS: readonly (readonly [model: string, operation: string, args: object])[] = [
  ['member', 'findMany', {}],
  ['member', 'findMany', { omit: { salary: true } }],
  ['member', 'findMany', { include: { organisation: true } }],
  ['organisation', 'findMany', { include: { members: { take: 9 } } }],
  ['document', 'findMany', { select: { author: true } }],
  ['member', 'updateManyAndReturn', { where: { id: { in: [1, 3] } }, data: { name: 'x' } }],
  ['organisation', 'update', { where: { id: 2 }, data: { name: 'x' }, include: { members: { take: 9 } } }],
  [
    'document',
    'createManyAndReturn',
    { data: [1, 3].map((authorId) => ({ title: 'n', projectId: 3, authorId })), include: { author: true } },
  ],
]
/** Each gives another member. */
const OTHERS: readonly (readonly [model: string, operation: string, args: object])[] = [
  ['member', 'findUnique', { where: { id: 1 } }],
  ['member', 'update', { where: { id: 1 }, data: { name: 'x' } }],
  ['member', 'upsert', { where: { id: 1 }, create: { email: 'n', organisationId: 2 }, update: { name: 'x' } }],
  ['member', 'create', { data: { email: 'n', salary: 71111, organisationId: 2 } }],
  ['member', 'delete', { where: { id: 4 } }],
]

describeDatabases(
  'policy: computed fields of extensions',
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
      const { status, body } = await rpcClient(db as unknown as Database, {}, policed(define)).call(
        model,
        operation,
        args,
      )
      expect(status, JSON.stringify(body)).toBeLessThan(300)
      return JSON.stringify(body)
    }

    it.each(CALLS)('%s.%s %j shows none whose needs may not be read', async (...call) => {
      if (call[1].endsWith('AndReturn') && db.provider === 'mysql') return
      const text = await bodyOf(never, call)
      expect(text).toContain('ME@BETA')
      expect(text).not.toMatch(/salary|raise|7\d{4}|14\d{4}/)
    })

    it.each(CALLS)('%s.%s %j shows them where their needs may be read', async (...call) => {
      if (call[1].endsWith('AndReturn') && db.provider === 'mysql') return
      const text = await bodyOf(mine, call)
      expect(text).not.toMatch(/7\d{4}|14\d{4}|null,"loud"/)
      expect(text.match(/"raise":/g)?.length).toBe(text.match(/"salary":/g)?.length)
      expect(text.includes('"raise":6')).toBe(!('omit' in call[2]))
    })

    it.each(OTHERS)('%s.%s %j shows none whose needs may not be read', async (...call) => {
      for (const define of [never, mine]) {
        await db.fill(fillTenants)
        const text = await bodyOf(define, call)
        expect(text).toContain('"loud":')
        expect(text).not.toMatch(/salary|raise|7\d{4}|14\d{4}/)
      }
    })

    it('extensions that are added later are held by rules too', async () => {
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

    it('asked for one by one, they are held by rules too', async () => {
      for (const define of [never, mine]) {
        const orm = policed(define)
        const author = await orm.document.findUnique({ where: { id: 1 } }).author()
        expect(JSON.stringify(author)).not.toMatch(/salary|raise/)
        await expect(orm.member.findMany({ select: { raise: true } })).rejects.toMatchObject({ code: 'P2004' })
        const { text } = await fixtureClient({ orm, routes: db.routes }).get('/member?include=documents')
        expect(text).not.toMatch(/raise|7\d{4}|14\d{4}/)
      }
    })
  },
  { fixture: 'tenants' },
)
