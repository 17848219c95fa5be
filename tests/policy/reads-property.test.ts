import fc from 'fast-check'
import { expect, it } from 'vitest'

import { abilityBuilder, type AppAbility, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { queryWithDanglingKeys } from './support/oracle.js'
import { arbitraryQueries, copyOf, deleteTheRest, isByRelated, modelOf, outcome } from './support/queries.js'
import { delegatesOf, insert, type Row, type Tenants } from './support/tenants.js'

/** CASL rules and the readable rows, as filters that must all match. */
interface RuleSet {
  readonly name: string
  readonly define: (builder: ReturnType<typeof abilityBuilder>, orm: Tenants['orm']) => void
  readonly left: (orm: Tenants['orm']) => Readonly<Record<string, readonly Row[]>>
}

const NOTHING = { OR: [] }

const RULES: readonly RuleSet[] = [
  {
    name: 'one tenant',
    define({ can }) {
      can('read', 'Organisation', { id: 1 })
      can('read', 'Member', { organisationId: 1 })
      can('read', 'Project', { organisationId: 1 })
      can('read', 'Assignment', { project: { organisationId: 1 } })
      can('read', 'Document', { project: { is: { organisationId: 1 } } })
      can('read', 'Comment', { document: { project: { organisationId: 1 } } })
      can('read', 'Label', { organisationId: 1 })
      can('read', 'Secret', { document: { project: { organisationId: 1 } } })
    },
    left: () => ({
      Organisation: [{ id: 1 }],
      Member: [{ organisationId: 1 }],
      Project: [{ organisationId: 1 }],
      Assignment: [{ project: { organisationId: 1 } }],
      Document: [{ project: { is: { organisationId: 1 } } }],
      Comment: [{ document: { project: { organisationId: 1 } } }],
      Label: [{ organisationId: 1 }],
      Secret: [{ document: { project: { organisationId: 1 } } }],
    }),
  },
  {
    name: 'exceptions, nulls and models without conditions',
    define({ can, cannot }) {
      can('read', ['Organisation', 'Project', 'Assignment'])
      can('read', 'Member', { OR: [{ name: 'a' }, { salary: { lt: 2 } }] })
      can('read', 'Document', { visibility: { not: 'PRIVATE' } })
      cannot('read', 'Document', { reviewer: { is: { name: 'b' } } })
      can('read', 'Document', { authorId: 2 })
      can('read', 'Comment')
      cannot('read', 'Comment', { isHidden: true })
      can('read', 'Label', { NOT: { organisation: { plan: 'a' } } })
    },
    left: () => ({
      Organisation: [],
      Project: [],
      Assignment: [],
      Member: [{ OR: [{ name: 'a' }, { salary: { lt: 2 } }] }],
      Document: [
        {
          OR: [
            { authorId: 2 },
            { AND: [{ visibility: { not: 'PRIVATE' } }, { NOT: { reviewer: { is: { name: 'b' } } } }] },
          ],
        },
      ],
      Comment: [{ NOT: { isHidden: true } }],
      Label: [{ NOT: { organisation: { plan: 'a' } } }],
      Secret: [NOTHING],
    }),
  },
  {
    name: 'rules through to-many relations',
    define({ can }) {
      can('read', 'Organisation', { members: { some: { role: 'OWNER' } } })
      can('read', 'Member', { assignments: { every: { hours: { gt: 0 } } } })
      can('read', 'Project', { documents: { none: { body: 'a' } } })
      can('read', 'Assignment', { hours: { not: null } })
      can('read', 'Document', { comments: { some: {} } })
      can('read', 'Comment', { author: { isNot: { name: 'a' } } })
      can('read', 'Label', { projects: { every: { organisation: { plan: null } } } })
      can('read', 'Secret', { document: { isNot: null } })
    },
    left: () => ({
      Organisation: [{ members: { some: { role: 'OWNER' } } }],
      Member: [{ assignments: { every: { hours: { gt: 0 } } } }],
      Project: [{ documents: { none: { body: 'a' } } }],
      Assignment: [{ hours: { not: null } }],
      Document: [{ comments: { some: {} } }],
      Comment: [{ author: { isNot: { name: 'a' } } }],
      Label: [{ projects: { every: { organisation: { plan: null } } } }],
      Secret: [{ document: { isNot: null } }],
    }),
  },
  {
    name: 'rules that are unknown for null columns',
    define({ can, cannot }, orm) {
      can('read', ['Organisation', 'Project', 'Assignment', 'Label', 'Secret'])
      can('read', 'Member', { id: { gte: orm.member.fields.salary } })
      can('read', 'Document')
      cannot('read', 'Document', { views: { lt: orm.document.fields.reviewerId } })
      can('read', 'Comment', { NOT: { seq: { gt: orm.comment.fields.authorId } } })
    },
    left: (orm) => ({
      Organisation: [],
      Member: [{ id: { gte: orm.member.fields.salary } }],
      Project: [],
      Assignment: [],
      Document: [{ NOT: { views: { lt: orm.document.fields.reviewerId } } }],
      Comment: [{ NOT: { seq: { gt: orm.comment.fields.authorId } } }],
      Label: [],
      Secret: [],
    }),
  },
]

describeDatabases(
  'policy: reads under row rules',
  (db) => {
    for (const rules of RULES) {
      it(`${rules.name}: matches reads of a database without the unreadable rows`, async () => {
        const ability = abilityOf(rules, db)
        let denied = 0
        let compared = 0
        await fc.assert(
          fc.asyncProperty(arbitraryQueries(db), async ([data, queries]) => {
            await db.reset()
            await insert(db, data)
            const policed = db.orm.$extends(withPolicies(ability))
            const results = []
            for (const { name, operation, args } of queries) {
              const model = modelOf(name)
              results.push(await outcome(() => delegatesOf(policed)[model.delegate]?.[operation]?.(copyOf(args))))
            }
            await deleteTheRest(db, rules.left(db.orm))
            for (const [index, { name, operation, args }] of queries.entries()) {
              const model = modelOf(name)
              const result = results[index]
              if (isByRelated({ name, operation, args })) continue
              if (result?.error?.match(/cannot be ordered by|cannot be used in a negated filter/)) {
                denied++
                continue
              }
              const expected = await outcome(() => queryWithDanglingKeys(db.orm, model, operation, copyOf(args)))
              // Skips queries that the client itself rejects.
              if (expected.error !== undefined) continue
              compared++
              const what = `${model.name}.${operation}(${JSON.stringify(args, null, 1)})`
              expect(result, what).toEqual(expected)
            }
          }),
          { numRuns: runs(db.name === 'SQLite' ? 6 : 4), endOnFailure: true },
        )
        expect(compared).toBeGreaterThan(denied)
      }, 120_000)
    }
  },
  { fixture: 'tenants', only: ['sqlite', 'postgresql'] },
)

function abilityOf({ define }: RuleSet, { orm }: Tenants): AppAbility {
  const builder = abilityBuilder()
  define(builder, orm)
  return builder.build()
}
