import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'

import { abilityBuilder, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { describeDatabases } from '../support/databases.js'
import { fillTenants } from './support/two-tenants.js'

type Where = Readonly<Record<string, unknown>>

/** Conditions on one field. Prisma ignores some of them. */
const DOCUMENT: readonly Where[] = [
  { id: 1 },
  { views: { gt: 1 } },
  { views: {} },
  { body: 'text' },
  { body: { not: 'text' } },
  { body: { not: {} } },
  { body: null },
  { title: { contains: 'beta' } },
  { id: { in: [] } },
  { id: { notIn: [] } },
  {},
]
const MEMBER: readonly Where[] = [{ id: 1 }, { id: { gt: 2 } }, { role: 'OWNER' }, { email: {} }, {}]
const COMMENT: readonly Where[] = [{ seq: 1 }, { body: { contains: 'beta' } }, { seq: {} }, {}]

/** Filters that combine some conditions with `AND`, `OR` and `NOT`, including empty lists. */
function combined(
  leaves: readonly Where[],
  relations: Readonly<Record<string, fc.Arbitrary<unknown>>>,
): fc.Arbitrary<Where> {
  const related = Object.entries(relations).map(([name, of]) => of.map((value) => ({ [name]: value })))
  return fc.letrec<{ where: Where }>((tie) => {
    const list = fc.array(tie('where'), { maxLength: 2 })
    const group = fc.record(
      { AND: fc.oneof(tie('where'), list), OR: list, NOT: fc.oneof(tie('where'), list), id: fc.constantFrom(1, 3) },
      { requiredKeys: [] },
    )
    return {
      where: fc.oneof({ maxDepth: 3, depthIdentifier: 'where' }, fc.constantFrom(...leaves), group, ...related),
    }
  }).where
}

const member = combined(MEMBER, {})
const comment = combined(
  COMMENT.map((where) => where),
  {},
).map(withoutId)
const document = combined(DOCUMENT, {
  author: fc.oneof(
    member,
    member.map((is) => ({ is })),
    member.map((isNot) => ({ isNot })),
  ),
  reviewer: fc.oneof(
    fc.constant(null),
    member,
    member.map((is) => ({ is })),
    member.map((isNot) => ({ isNot })),
  ),
  comments: fc.oneof(
    fc.constant({}),
    fc.constantFrom('some', 'every', 'none').chain((quantifier) => comment.map((where) => ({ [quantifier]: where }))),
  ),
})

/** Comments have no field "id". */
function withoutId(where: Where): Where {
  const rename = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(rename)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, of]) => [key === 'id' ? 'seq' : key, rename(of)]))
  }
  return rename(where) as Where
}

/** Filters in which Prisma ignores a part that no row matches. */
const IGNORED: readonly Where[] = [
  { NOT: {} },
  { NOT: [{}, { id: 1 }] },
  { NOT: { AND: [] } },
  { NOT: { author: {} } },
  { AND: { OR: [] } },
  { AND: [{ OR: [] }, { id: 1 }] },
  { comments: { some: { NOT: {} } } },
]

describeDatabases(
  'policy: rules compared with Prisma filters',
  (db) => {
    beforeAll(async () => {
      await db.fill(fillTenants)
    })

    const idsBy = async (where: Where): Promise<readonly number[]> =>
      (await db.orm.document.findMany({ where, orderBy: { id: 'asc' }, select: { id: true } })).map(({ id }) => id)
    const idsUnder = async (where: Where): Promise<readonly number[]> => {
      const { can, build } = abilityBuilder()
      can('read', ['Member', 'Comment'])
      can('read', 'Document', where)
      const orm = db.orm.$extends(withPolicies(build()))
      return (await orm.document.findMany({ orderBy: { id: 'asc' }, select: { id: true } })).map(({ id }) => id)
    }

    it('finds the same rows as the filter', async () => {
      let compared = 0
      const property = fc.asyncProperty(document, async (where) => {
        const ruled = await idsUnder(where).catch((error: unknown) => error)
        if (ruled instanceof Error) {
          expect(ruled.message).toContain('which Prisma ignores')
          return
        }
        compared += 1
        expect(ruled).toEqual(await idsBy(where))
      })
      await fc.assert(property, { numRuns: 300 })
      expect(compared).toBeGreaterThan(100)
    })

    it.each<[string, Where, readonly number[]]>([
      ['an empty member of OR', { OR: [{}] }, []],
      ['an empty member of OR next to another', { OR: [{}, { id: 1 }] }, [1]],
      ['an empty OR', { OR: [] }, []],
      ['an empty OR inside OR', { OR: [{ OR: [] }, { id: 1 }] }, [1]],
      ['the opposite of an empty OR', { NOT: { OR: [] } }, [1, 2, 3, 4]],
      ['an empty relation', { reviewer: {} }, [1, 2, 3, 4]],
      ['an empty filter of a field', { body: {} }, [1, 2, 3, 4]],
    ])('%s: finds the same rows as Prisma', async (_, where, ids) => {
      expect([await idsUnder(where), await idsBy(where)]).toEqual([ids, ids])
    })

    it.each(IGNORED.map((where) => [JSON.stringify(where), where] as const))(
      '%s: throws because Prisma would ignore a part',
      async (_, where) => {
        await expect(idsUnder(where)).rejects.toThrow('which Prisma ignores')
      },
    )
  },
  { fixture: 'tenants', only: ['SQLite', 'PostgreSQL', 'MySQL'] },
)
