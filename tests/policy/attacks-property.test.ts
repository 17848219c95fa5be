import fc from 'fast-check'
import { expect, it } from 'vitest'

import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import type { Model } from '../../runtime/schema/model.js'
import { Arguments, type Pool } from '../rpc/arbitrary.js'
import { Data } from '../rpc/arbitrary-data.js'
import { describeDatabases } from '../support/databases.js'
import { isLong } from '../support/form.js'
import { delegatesOf, type Row, type Tenants, TENANTS } from './support/tenants.js'
import { betaAbility, fillTenants } from './support/two-tenants.js'

const WRITES = ['create', 'createMany', 'update', 'updateMany', 'upsert', 'delete', 'deleteMany'] as const

type Rows = Readonly<Record<string, readonly Row[]>>

/** Selects the rows that belong only to alpha. */
function alphaAmong(rows: Rows): Rows {
  const of = (name: string, isAlphas: (row: Row) => boolean) => (rows[name] ?? []).filter(isAlphas)
  const ofAlpha = (name: string) => of(name, (row) => row['organisationId'] === 1)
  const Project = ofAlpha('Project')
  const isIn = (owners: readonly Row[], field: string) => (row: Row) => owners.some(({ id }) => id === row[field])
  const Document = of('Document', isIn(Project, 'projectId'))
  return {
    Organisation: of('Organisation', ({ id }) => id === 1),
    Member: ofAlpha('Member'),
    Project,
    Assignment: of('Assignment', isIn(Project, 'projectId')),
    Document,
    Comment: of('Comment', isIn(Document, 'documentId')),
    Label: of('Label', ({ organisationId }) => organisationId === 1 || organisationId === null),
    Secret: of('Secret', isIn(Document, 'documentId')),
  }
}

describeDatabases(
  'policy: random writes by a member of tenant beta',
  (db) => {
    it('does not change rows of tenant alpha or add references to them', async () => {
      await db.fill(fillTenants)
      const data = new Data(new Arguments(await poolOf(db), db.provider))
      const orm = delegatesOf(db.orm.$extends(withPolicies(betaAbility())))
      const before = await alphaOf(db)
      const cases = fc
        .tuple(fc.constantFrom(...TENANTS.values()), fc.constantFrom(...WRITES))
        .chain(([model, operation]) =>
          fc.tuple(fc.constant(model.delegate), fc.constant(operation), data.write(model, operation)),
        )
      let written = 0
      await fc.assert(
        fc.asyncProperty(cases, async ([delegate, operation, args]) => {
          const failed = await orm[delegate]?.[operation]?.(structuredClone(args)).then(
            () => undefined,
            (error: unknown) => error,
          )
          const after = await alphaOf(db)
          const what = `${delegate}.${operation}(${JSON.stringify(args, null, 1)}) ${String(failed).slice(-200)}`
          expect(after.rows, what).toEqual(before.rows)
          for (const [reference, count] of after.references) {
            expect(count, `${what} ${reference}`).toBeLessThanOrEqual(before.references.get(reference) ?? 0)
          }
          if (failed !== undefined) return
          written++
          await db.fill(fillTenants)
        }),
        { numRuns: isLong ? 200 : 40, endOnFailure: true },
      )
      expect(written).toBeGreaterThan(10)
    }, 180_000)
  },
  { fixture: 'tenants', only: ['SQLite', 'PGlite'] },
)

async function find(db: Tenants, model: Model): Promise<Row[]> {
  const orderBy = (model.uniques.get(model.id) ?? []).map((field) => ({ [field]: 'asc' }))
  const found = await delegatesOf(db.orm)[model.delegate]?.['findMany']?.({ orderBy })
  return Array.isArray(found) ? found : []
}

async function alphaOf(db: Tenants) {
  const all: Record<string, readonly Row[]> = {}
  for (const [name, model] of TENANTS) all[name] = await find(db, model)
  const rows = alphaAmong(all)
  const references = new Map<string, number>()
  for (const [name, model] of TENANTS) {
    for (const row of all[name] ?? []) {
      for (const [relation, { target, foreignKey = {} }] of model.relations) {
        const [pair] = Object.entries(foreignKey)
        if (!pair || !rows[target.name]?.some((other) => other[pair[1]] === row[pair[0]])) continue
        const key = `${name}.${relation} ${String(row[pair[0]])}`
        references.set(key, (references.get(key) ?? 0) + 1)
      }
    }
  }
  return { rows, references }
}

async function poolOf(db: Tenants): Promise<Pool> {
  const pool = new Map<string, Map<string, unknown[]>>()
  for (const [name, model] of TENANTS) {
    const rows = await find(db, model)
    pool.set(name, new Map([...model.fields.keys()].map((field) => [field, rows.map((row) => row[field])])))
  }
  return pool
}
