import fc from 'fast-check'
import { beforeAll, it } from 'vitest'

import { compoundKeyResource } from '../../fixtures/kitchen-sink/expected/compound-key/resource.js'
import { compoundLineResource } from '../../fixtures/kitchen-sink/expected/compound-line/resource.js'
import { compoundUniqueOnlyResource } from '../../fixtures/kitchen-sink/expected/compound-unique-only/resource.js'
import { courseResource } from '../../fixtures/kitchen-sink/expected/course/resource.js'
import { documentResource } from '../../fixtures/kitchen-sink/expected/document/resource.js'
import { enrolmentResource } from '../../fixtures/kitchen-sink/expected/enrolment/resource.js'
import { keywordResource } from '../../fixtures/kitchen-sink/expected/keyword/resource.js'
import { lockerResource } from '../../fixtures/kitchen-sink/expected/locker/resource.js'
import { namedKeyResource } from '../../fixtures/kitchen-sink/expected/named-key/resource.js'
import { passportResource } from '../../fixtures/kitchen-sink/expected/passport/resource.js'
import { personResource } from '../../fixtures/kitchen-sink/expected/person/resource.js'
import { uniqueOnlyResource } from '../../fixtures/kitchen-sink/expected/unique-only/resource.js'
import { compileSchema } from '../../runtime/schema/compile-schema.js'
import { idFields } from '../../runtime/schema/model.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { Arguments, type Pool, valuesByField } from './arbitrary.js'
import { Data } from './arbitrary-data.js'
import { callOf } from './blog-writes.js'
import { ANY_COST, type TestResponse, fixtureRpc, superjsonOf } from './client.js'
import { copyOf, expectSame, runAndRollBack } from './rolled-back-call.js'

const WRITES = [
  'create',
  'createMany',
  'createManyAndReturn',
  'update',
  'updateMany',
  'updateManyAndReturn',
  'upsert',
  'delete',
  'deleteMany',
] as const

// On a server, each run is many round trips.
const RUNS = { embedded: 20, server: 10 }

const MODELS = compileSchema([
  compoundKeyResource,
  compoundLineResource,
  compoundUniqueOnlyResource,
  courseResource,
  documentResource,
  enrolmentResource,
  keywordResource,
  lockerResource,
  namedKeyResource,
  passportResource,
  personResource,
  uniqueOnlyResource,
])

const DAYS = [new Date(Date.UTC(2024, 0, 1)), new Date(Date.UTC(2024, 0, 2))] as const

// Ids from 500 on are compared as new.
const COUNT_FROM_500 = ['Person', 'Document', 'Locker', 'Course', 'CompoundLine']
  .map((table) => `ALTER SEQUENCE "${table}_id_seq" RESTART WITH 500`)
  .join(';')

describeDatabases(
  'RPC: writes of every relation and key kind compared with the Prisma client',
  (db) => {
    let data: Data

    beforeAll(async () => {
      await db.reset()
      await fill(db.orm)
      await db.execute(COUNT_FROM_500)
      data = new Data(new Arguments(await poolOf(db), db.provider, true))
    })

    it.each(WRITES)(
      "%s: matches the client's result and rows, or responds with 4xx if the client throws",
      async (operation) => {
        const superjson = superjsonOf(db.client.Prisma as never)
        const transaction = (work: (orm: Transaction) => Promise<never>) =>
          db.orm.$transaction(work, { timeout: 20_000, maxWait: 20_000 })
        const cases = fc
          .constantFrom(...MODELS.values())
          .chain((model) => fc.tuple(fc.constant(model.delegate), data.write(model, operation)))
        await fc.assert(
          fc.asyncProperty(cases, async ([model, args]) => {
            const prismaOutcome = await runAndRollBack(transaction, everything, (orm) =>
              callOf(orm, model, operation, copyOf(args)),
            )
            let response: TestResponse | undefined
            const rpcOutcome = await runAndRollBack(transaction, everything, async (orm) => {
              response = await fixtureRpc(db, ANY_COST, orm).call(model, operation, args)
              if (response.status >= 400) throw new Error(response.body.message)
              const { data: json, meta } = response.body
              return superjson.parse(JSON.stringify({ json, meta: meta?.serialization }))
            })
            expectSame(operation, prismaOutcome, rpcOutcome, response)
          }),
          { numRuns: runs(db.concurrent ? RUNS.server : RUNS.embedded), endOnFailure: true },
        )
      },
      90_000,
    )
  },
  { fixture: 'kitchen-sink' },
)

type Orm = Database<'kitchen-sink'>['orm']
type Transaction = Parameters<Parameters<Orm['$transaction']>[0]>[0]

async function fill(orm: Orm): Promise<void> {
  for (let id = 1; id <= 4; id++) {
    await orm.person.create({
      data: {
        name: `Person ${id}`,
        keywords: { connectOrCreate: ['a', `b${id}`].map((word) => ({ where: { word }, create: { word } })) },
        ...(id > 1 && { mentorId: 1, partnerId: id - 1, follows: { connect: { id: id - 1 } } }),
        ...(id < 3 && { passport: { create: { number: `N${id}` } }, locker: { create: {} } }),
        authored: { create: { title: `Document ${id}` } },
      },
    })
  }
  await orm.document.update({ where: { id: 1 }, data: { reviewerId: 2 } })
  await orm.course.createMany({ data: [{ code: 'c1' }, { code: 'c2' }] })
  await orm.enrolment.createMany({ data: [1, 2].map((personId) => ({ personId, courseCode: 'c1' })) })
  await orm.compoundKey.createMany({
    data: DAYS.map((day, index) => ({ tenant: 't', day, number: BigInt(index), label: `${index}` })),
  })
  await orm.compoundLine.createMany({ data: [{ tenant: 't', day: DAYS[0], number: 0n }] })
  await orm.namedKey.createMany({
    data: [1, 2].map((a) => {
      return { a, b: `b${a}`, c: a, d: a === 1 ? null : 'd', email: `${a}@example.com`, code: `${a}` }
    }),
  })
  await orm.uniqueOnly.createMany({ data: [{ code: 'x', alias: 'alias', label: 'X' }] })
  await orm.compoundUniqueOnly.createMany({
    data: [1, 2].map((number) => ({ region: 'r', number, label: `${number}` })),
  })
}

/** Reads every row. Only `follows` and `keywords` have join tables. */
function everything(orm: object): Promise<unknown> {
  const include = { keywords: { orderBy: { word: 'asc' } }, follows: { orderBy: { id: 'asc' } } }
  return Promise.all(
    [...MODELS.values()].map((model) => {
      const orderBy = idFields(model).map((name) => ({ [name]: 'asc' }))
      return callOf(orm, model.delegate, 'findMany', { orderBy, ...(model.name === 'Person' && { include }) })
    }),
  )
}

/** Returns the values of existing rows, and some keys that no row has. */
async function poolOf(db: Database<'kitchen-sink'>): Promise<Pool> {
  const free: Record<string, unknown> = { tenant: 'u', number: 7n, day: DAYS[1], a: 9, b: 'b9', region: 's', word: 'c' }
  const pool = new Map<string, Map<string, unknown[]>>()
  for (const model of MODELS.values()) {
    const delegate = Reflect.get(db.orm, model.delegate) as { findMany(): PromiseLike<readonly object[]> }
    const byField = valuesByField(await delegate.findMany())
    const references = [...model.relations.values()].flatMap(({ foreignKey }) => Object.keys(foreignKey ?? {}))
    for (const [name, values] of byField)
      if (Object.hasOwn(free, name) && !references.includes(name)) values.push(free[name])
    pool.set(model.name, byField)
  }
  return pool
}
