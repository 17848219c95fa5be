import { callClient } from '../../prisma/call-client.js'
import { chunkKeys, whereAnyKey } from '../../prisma/keys.js'
import type { Args } from '../args.js'
import { type PolicyModel, idFilter, rowKey } from '../policy-schema.js'
import { type Condition, restrict } from '../rules/condition.js'

/** The changes to a result that remove the data that the caller may not read, if the query itself could not exclude it. */
export interface RedactionPlan {
  readonly model: PolicyModel
  /** Fields that were loaded only for the runtime. */
  readonly strip: readonly string[]
  /** Fields and relations to remove from rows that do not meet a condition. */
  readonly conditional: readonly { readonly names: readonly string[]; readonly condition: Args }[]
  /** Related rows that are replaced with null if they do not meet a condition. Prisma cannot filter required relations in the query. */
  readonly required: readonly { readonly name: string; readonly target: PolicyModel; readonly condition: Condition }[]
  /** The plans of related rows. */
  readonly nested: readonly { readonly name: string; readonly plan: RedactionPlan }[]
}

/** Returns the keys of the given rows that match a filter. See {@link rowKey}. */
type MatchRows = (model: PolicyModel, ids: readonly Args[], where: Args) => Promise<ReadonlySet<string>>

/** The prefix for the names of counts in `_count`. */
export const COUNT = '_count.'

type Row = Record<string, unknown>

interface MatchQuery {
  readonly model: PolicyModel
  readonly condition: Args
  readonly rows: Row[]
}

/**
 * Removes everything that is not readable from a result.
 * @param rows one row, a list of rows, or null; changed in place
 * @param matchRows queries the database, once for each model and condition
 */
export async function redact(rows: unknown, plan: RedactionPlan, matchRows: MatchRows): Promise<void> {
  const queries = new Map<PolicyModel, Map<Args, MatchQuery>>()
  const enqueue = (model: PolicyModel, condition: Args, row: Row) => {
    const modelQueries = queries.get(model) ?? new Map<Args, MatchQuery>()
    queries.set(model, modelQueries)
    const query = modelQueries.get(condition) ?? { model, condition, rows: [] }
    modelQueries.set(condition, query)
    query.rows.push(row)
  }
  walk(rows, plan, (row, { model, conditional, required }) => {
    for (const { condition } of conditional) enqueue(model, condition, row)
    for (const { name, target, condition } of required) {
      const related = row[name]
      if (typeof condition !== 'boolean' && isRow(related)) enqueue(target, condition, related)
    }
  })
  const matchingKeys = new Map<PolicyModel, Map<Args, ReadonlySet<string>>>()
  for (const modelQueries of queries.values()) {
    for (const { model, condition, rows: candidates } of modelQueries.values()) {
      const ids = new Map(candidates.map((row) => [rowKey(model, row), idFilter(model, row)]))
      const byCondition = matchingKeys.get(model) ?? new Map<Args, ReadonlySet<string>>()
      matchingKeys.set(model, byCondition)
      byCondition.set(condition, await matchRows(model, [...ids.values()], condition))
    }
  }
  const isMatch = (model: PolicyModel, condition: Args, row: Row) =>
    matchingKeys.get(model)?.get(condition)?.has(rowKey(model, row)) === true
  const removals: (() => void)[] = []
  walk(rows, plan, (row, { model, conditional, required, strip }) => {
    for (const { name, target, condition } of required) {
      const related = row[name]
      if (isRow(related) && condition !== true && !(condition && isMatch(target, condition, related))) row[name] = null
    }
    const names = conditional.flatMap((part) => (isMatch(model, part.condition, row) ? [] : part.names))
    // Ids are needed until all rows have been visited.
    removals.push(() => {
      for (const name of names) removeProperty(row, name)
      for (const name of strip) delete row[name]
    })
  })
  for (const removal of removals) removal()
}

function removeProperty(row: Row, name: string): void {
  const counts = row['_count']
  if (!name.startsWith(COUNT)) delete row[name]
  else if (isRow(counts)) delete counts[name.slice(COUNT.length)]
}

function walk(rows: unknown, plan: RedactionPlan, visit: (row: Row, plan: RedactionPlan) => void): void {
  for (const row of Array.isArray(rows) ? rows : [rows]) {
    if (!isRow(row)) continue
    visit(row, plan)
    for (const { name, plan: nestedPlan } of plan.nested) walk(row[name], nestedPlan, visit)
  }
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null
}

/** Creates a function that queries which rows match a filter. */
export function matchingKeysQuery(getClient: () => object): MatchRows {
  return async (model, ids, where) => {
    const keys = new Set<string>()
    const select = Object.fromEntries(model.idFields.map((field) => [field, true]))
    for (const chunk of chunkKeys(model.idFields, ids)) {
      const matching = restrict(model, whereAnyKey(model.idFields, chunk), [where])
      const rows = await callClient(getClient(), model, 'findMany', { where: matching, select })
      for (const row of rows) keys.add(rowKey(model, row))
    }
    return keys
  }
}
