import fc from 'fast-check'
import { expect, it } from 'vitest'

import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import type { Model } from '../../runtime/schema/model.js'
import { describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { abilityOf, arbitraryFieldRules, type FieldRules, isNever, isReadable, showing } from './support/field-rules.js'
import { queryWithDanglingKeys } from './support/oracle.js'
import {
  arbitraryQueries,
  copyOf,
  deleteTheRest,
  isByRelated,
  modelOf,
  outcome,
  type Query,
} from './support/queries.js'
import { type Data, delegatesOf, insert, isRow, type Row, type Tenants, TENANTS } from './support/tenants.js'
import { usesOf } from './support/uses.js'

/** Errors if a relation with unreadable rows is ordered by or counted, regardless of the data. */
const CLOSED = /cannot be (ordered by|counted)/
const FORBIDDEN = /is not readable and cannot be used in filters, sort orders, aggregates or arithmetic/

describeDatabases(
  'policy: reads under field rules',
  (db) => {
    it('matches reads of a database without the unreadable rows and fields', async () => {
      const counts = { compared: 0, denied: 0 }
      await fc.assert(
        fc.asyncProperty(arbitraryQueries(db), arbitraryFieldRules, async ([data, queries], rules) => {
          await fill(db, data)
          const policed = delegatesOf(db.orm.$extends(withPolicies(abilityOf(rules))))
          const open: { readonly query: Query; readonly left: Left; readonly result: unknown }[] = []
          for (const query of queries) {
            const { name, operation, args } = query
            const result = await outcome(() => policed[modelOf(name).delegate]?.[operation]?.(copyOf(args)))
            if (result.error !== undefined && CLOSED.test(result.error)) continue
            const uses = usesOf(modelOf(name), operation, loadable(rules, modelOf(name), operation, args))
            const isForbidden = uses.some(({ model, fields }) =>
              [...fields].some((field) => isNever(rules, model, field)),
            )
            expect(result.error !== undefined && FORBIDDEN.test(result.error), textOf(query, rules)).toBe(isForbidden)
            if (isForbidden) counts.denied++
            const left = isForbidden ? undefined : leftBy(rules, uses)
            if (left && !isByRelated(query)) open.push({ query, left, result })
          }
          // Queries with the same readable rows share one database.
          open.sort((a, b) => (keyOf(a.left) < keyOf(b.left) ? -1 : 1))
          let there: string | undefined
          for (const { query, left, result } of open) {
            if (there !== keyOf(left)) {
              await fill(db, data)
              await deleteTheRest(db, left)
              there = keyOf(left)
            }
            const expected = await outcome(() => expectedOf(db, rules, query))
            // Skips queries that the client itself rejects.
            if (expected.error !== undefined) continue
            counts.compared++
            expect(result, textOf(query, rules)).toEqual(expected)
          }
        }),
        { numRuns: runs(db.name === 'SQLite' ? 6 : 2), endOnFailure: true },
      )
      // Other databases run few cases: all of them or none may be denied.
      if (db.name !== 'SQLite') return
      expect(counts.compared).toBeGreaterThan(counts.denied / 2)
      expect(counts.denied).toBeGreaterThan(0)
    }, 120_000)
  },
  { fixture: 'tenants', only: ['sqlite', 'postgresql'] },
)

async function fill(db: Tenants, data: Data): Promise<void> {
  await db.reset()
  await insert(db, data)
}

type Left = Readonly<Record<string, readonly Row[]>>

function keyOf(left: Left): string {
  return JSON.stringify(left)
}

/** Returns the rows that a query may read, or undefined if two of its uses differ in them. */
function leftBy(rules: FieldRules, uses: ReturnType<typeof usesOf>): Left | undefined {
  const left = new Map<string, Row>()
  for (const { model, fields } of uses) {
    const filter = showing(rules, model, fields)
    const other = left.get(model.name) ?? filter
    if (JSON.stringify(other) !== JSON.stringify(filter)) return undefined
    left.set(model.name, filter)
  }
  return Object.fromEntries([...TENANTS].map(([name, model]) => [name, [left.get(name) ?? showing(rules, model, [])]]))
}

async function expectedOf(db: Tenants, rules: FieldRules, { name, operation, args }: Query): Promise<unknown> {
  const model = modelOf(name)
  const result = await queryWithDanglingKeys(db.orm, model, operation, copyOf(loadable(rules, model, operation, args)))
  if (operation.startsWith('find')) hide(rules, model, args, result)
  return result
}

/** Whether no row shows a field, or the other end of a relation. */
function isClosed(rules: FieldRules, model: Model, name: string): boolean {
  const { target, inverse } = model.relations.get(name) ?? {}
  return isNever(rules, model, name) || (target && inverse !== undefined ? isNever(rules, target, inverse) : false)
}

/** Removes fields that no row shows from the arguments, and adds the ids, which identify the readable rows. */
function loadable(rules: FieldRules, model: Model, operation: string, args: Row): Row {
  if (!operation.startsWith('find')) return args
  const ids = model.uniques.get(model.id) ?? []
  const result: Record<string, unknown> = { ...args }
  for (const key of ['select', 'include']) {
    const chosen = args[key]
    if (!isRow(chosen)) continue
    const readable = Object.entries(chosen).filter(([name]) => name === '_count' || !isClosed(rules, model, name))
    const members = readable.map(([name, value]) => {
      const target = model.relations.get(name)?.target
      return [name, target && isRow(value) ? loadable(rules, target, 'find', value) : value]
    })
    if (key === 'select') members.push(...ids.map((id) => [id, true]))
    if (members.length > 0) result[key] = Object.fromEntries(members)
    else delete result[key]
  }
  const { omit } = args
  if (isRow(omit)) result['omit'] = Object.fromEntries(Object.entries(omit).filter(([name]) => !ids.includes(name)))
  return result
}

/** Removes unreadable values from a result, and the ids that were not requested. */
function hide(rules: FieldRules, model: Model, args: Row, rows: unknown): void {
  const { select, include, omit } = args
  const chosen = isRow(select) ? select : isRow(include) ? include : {}
  for (const row of Array.isArray(rows) ? rows : [rows]) {
    if (!isRow(row)) continue
    for (const [name, { target }] of model.relations) {
      const inner = chosen[name]
      hide(rules, target, isRow(inner) ? inner : {}, row[name])
    }
    const isSelected = (id: string) => (isRow(select) ? select[id] === true : !(isRow(omit) && omit[id] === true))
    const hidden = Object.keys(row).filter((name) => name !== '_count' && !isReadable(rules, model, name, row))
    const extra = (model.uniques.get(model.id) ?? []).filter((id) => !isSelected(id))
    for (const name of [...hidden, ...extra]) Reflect.deleteProperty(row, name)
  }
}

function textOf({ name, operation, args }: Query, rules: FieldRules): string {
  const closed = [...rules].map(([model, { spelling, rows, fields }]) => {
    return [model, spelling, rows, ...[...fields].filter(([, of]) => of !== 'all')]
  })
  return `${name}.${operation}(${JSON.stringify(args, null, 1)}) ${JSON.stringify(closed)}`
}
