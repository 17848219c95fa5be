import fc from 'fast-check'
import { expect, it } from 'vitest'

import { abilityBuilder, type AppAbility, withPolicies } from '../../fixtures/tenants/expected/policy.js'
import type { Model } from '../../runtime/schema.js'
import { Arguments, type Pool } from '../rpc/arbitrary.js'
import { describeDatabases } from '../support/databases.js'
import { answerWithout } from './support/oracle.js'
import {
  arbitraryData,
  type Data,
  delegatesOf,
  insert,
  type Row,
  type Tenants,
  TENANTS,
  withoutForeignKeys,
} from './support/tenants.js'

/** Rules as they are said to CASL, and the rows that they leave, as filters that must all hold. */
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
    name: 'exceptions, nulls, and models of which all or none may be read',
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
    name: 'rules that are unknown to the database where a column is null',
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

const OPERATIONS = ['findMany', 'findFirst', 'findUnique', 'count', 'aggregate', 'groupBy'] as const
const QUERIES = 12

describeDatabases(
  'policy: reading',
  (db) => {
    for (const rules of RULES) {
      it(`finds what is left where the rest was deleted: ${rules.name}`, async () => {
        const ability = abilityOf(rules, db)
        let denied = 0
        let compared = 0
        await fc.assert(
          fc.asyncProperty(cases(db), async ([data, queries]) => {
            await db.reset()
            await insert(db, data)
            const policed = db.orm.$extends(withPolicies(ability))
            const answers = []
            for (const { name, operation, args } of queries) {
              const model = modelOf(name)
              answers.push(await outcome(() => delegatesOf(policed)[model.delegate]?.[operation]?.(copyOf(args))))
            }
            await deleteTheRest(db, rules)
            for (const [index, { name, operation, args }] of queries.entries()) {
              const model = modelOf(name)
              const answer = answers[index]
              if (answer?.error?.match(/cannot be ordered by|cannot be filtered by under a negation/)) {
                denied++
                continue
              }
              const expected = await outcome(() => answerWithout(db.orm, model, operation, copyOf(args)))
              // What the client does not take in the first place.
              if (expected.error !== undefined) continue
              compared++
              const what = `${model.name}.${operation}(${JSON.stringify(args, null, 1)})`
              expect(answer, what).toEqual(expected)
            }
          }),
          { numRuns: db.name === 'SQLite' ? 12 : 8, endOnFailure: true },
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

interface Query {
  /** The model's. */
  readonly name: string
  readonly operation: string
  readonly args: Row
}

function cases(db: Tenants): fc.Arbitrary<[Data, Query[]]> {
  return arbitraryData.chain((data) => {
    const args = new Arguments(poolOf(data), db.provider)
    const query = fc
      .constantFrom(...TENANTS.values())
      .chain((model) => fc.tuple(fc.constant(model), fc.constantFrom(...OPERATIONS)))
      .chain(([model, operation]) =>
        args
          .read(model, operation)
          .map((given) => ({ name: model.name, operation, args: ordered(model, operation, given) })),
      )
    return fc.tuple(fc.constant(data), fc.array(query, { minLength: QUERIES, maxLength: QUERIES }))
  })
}

function poolOf(data: Data): Pool {
  const { labelled, ...models } = data
  void labelled
  return new Map(
    Object.entries(models).map(([model, rows]) => {
      const fields = [...(TENANTS.get(model)?.fields.keys() ?? [])]
      return [model, new Map(fields.map((field) => [field, rows.map((row: Row) => row[field] ?? null)]))]
    }),
  )
}

function modelOf(name: string): Model {
  const model = TENANTS.get(name)
  if (!model) throw new Error(`There is no ${name}.`)
  return model
}

/** Ends every order with the id: rows that are equal in order come as the database likes. */
function ordered(model: Model, operation: string, args: Row): Row {
  const result: Record<string, unknown> = { ...args }
  for (const key of ['select', 'include']) {
    const chosen = args[key]
    if (typeof chosen !== 'object' || chosen === null) continue
    result[key] = Object.fromEntries(
      Object.entries(chosen).map(([name, value]: [string, unknown]) => {
        // Without policies that would count hidden rows as well.
        if (name === '_count' && value === true) return [name, { select: countable(model) }]
        const relation = model.relations.get(name)
        if (!relation) return [name, value]
        const inner = ordered(
          relation.target,
          relation.many ? 'findMany' : '',
          typeof value === 'object' ? { ...value } : {},
        )
        return [name, Object.keys(inner).length > 0 ? inner : true]
      }),
    )
  }
  if (['findMany', 'findFirst', 'count', 'aggregate'].includes(operation)) {
    const order = Array.isArray(args['orderBy']) ? args['orderBy'] : args['orderBy'] ? [args['orderBy']] : []
    const ids = model.uniques.get(model.id) ?? []
    result['orderBy'] = [...order, ...ids.map((field) => ({ [field]: 'asc' }))]
  }
  return result
}

function countable(model: Model): Row {
  const names = [...model.relations].filter(([, { many }]) => many).map(([name]) => name)
  return Object.fromEntries(names.map((name) => [name, true]))
}

async function deleteTheRest(db: Tenants, { left }: RuleSet): Promise<void> {
  const statements: string[] = []
  for (const [name, filters] of Object.entries(left(db.orm))) {
    const model = TENANTS.get(name)
    const fields = model?.uniques.get(model.id) ?? []
    const find = async (where: Row): Promise<Row[]> => {
      const found = await delegatesOf(db.orm)[model?.delegate ?? '']?.['findMany']?.({ where })
      return Array.isArray(found) ? found : []
    }
    const key = (row: Row) => fields.map((field) => `"${field}" = ${Number(row[field])}`).join(' AND ')
    let keys = new Set((await find({})).map(key))
    const all = [...keys]
    for (const where of filters) {
      const meet = new Set((await find(where)).map(key))
      keys = new Set([...keys].filter((one) => meet.has(one)))
    }
    statements.push(...all.filter((one) => !keys.has(one)).map((one) => `DELETE FROM "${name}" WHERE ${one}`))
  }
  // The table between labels and projects, whose rows go with both.
  statements.push('DELETE FROM "_LabelToProject" WHERE "A" NOT IN (SELECT "id" FROM "Label")')
  statements.push('DELETE FROM "_LabelToProject" WHERE "B" NOT IN (SELECT "id" FROM "Project")')
  await withoutForeignKeys(db, statements)
}

interface Outcome {
  readonly result?: unknown
  readonly error?: string
}

async function outcome(work: () => Promise<unknown> | undefined): Promise<Outcome> {
  try {
    return { result: await work() }
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
}

// The client keeps what it is given; a copy keeps the case as it was.
function copyOf<T>(args: T): T {
  if (Array.isArray(args)) return args.map(copyOf) as T
  if (typeof args !== 'object' || args === null || Object.getPrototypeOf(args) !== Object.prototype) return args
  return Object.fromEntries(Object.entries(args).map(([key, value]) => [key, copyOf(value)])) as T
}
