import { callClient } from '../../prisma/call-client.js'
import { isObject } from '../../values/is-object.js'
import { type Args, toArray, asArgs } from '../args.js'
import type { PolicyModel } from '../policy-schema.js'
import { restrict } from '../rules/condition.js'
import { deferCursorCheck, readableWhere } from './readable-where.js'
import { matchingKeysQuery, type RedactionPlan, redact } from './redact.js'
import type { ReadContext, UsedFields, Cursor } from './read-context.js'
import { readableSelection } from './readable-selection.js'
import {
  type DeferredOrder,
  denyOrder,
  trackAggregates,
  trackGroupOrder,
  trackHaving,
  trackFieldNames,
  trackOrderBy,
} from './track-used-fields.js'

/** A rewritten query. */
interface ReadQuery {
  /** The original object if the rules do not change it. */
  readonly args: Args
  readonly plan: RedactionPlan | undefined
  /** The query in two parts. If set, `args` must not be used. */
  readonly parts?: SplitQuery | undefined
}

type Rewrite = (readContext: ReadContext, model: PolicyModel, args: Args) => ReadQuery

/** Functions that restrict the arguments of read operations to readable rows and fields, by operation name. */
export const READ_OPERATIONS: ReadonlyMap<string, Rewrite> = new Map<string, Rewrite>([
  ['findUnique', rows],
  ['findUniqueOrThrow', rows],
  ['findFirst', rows],
  ['findFirstOrThrow', rows],
  ['findMany', manyRows],
  ['count', count],
  ['aggregate', aggregate],
  ['groupBy', groupBy],
])

function rows(readContext: ReadContext, model: PolicyModel, args: Args): ReadQuery {
  const ordered = orderOf(readContext, model, args)
  const used: UsedFields = new Set(ordered)
  trackFieldNames(model, args['distinct'], used)
  const selected = readableSelection(readContext, model, args)
  return { args: filtered(readContext, model, selected.args, used, ordered), plan: selected.plan }
}

/** Like {@link rows}, but rows may be ordered by related rows that are not all readable. */
function manyRows(readContext: ReadContext, model: PolicyModel, args: Args): ReadQuery {
  const deferred: DeferredOrder[] = []
  const ordered = orderOf(readContext, model, args, deferred)
  const used: UsedFields = new Set(ordered)
  trackFieldNames(model, args['distinct'], used)
  const selected = readableSelection(readContext, model, args)
  const rewritten = filtered(readContext, model, selected.args, used, ordered)
  return { args: rewritten, plan: selected.plan, parts: splitQuery(readContext, model, rewritten, deferred) }
}

function count(readContext: ReadContext, model: PolicyModel, args: Args): ReadQuery {
  const ordered = orderOf(readContext, model, args)
  const used: UsedFields = new Set(ordered)
  trackFieldNames(model, args['distinct'], used)
  trackFieldNames(model, args['select'], used)
  return { args: filtered(readContext, model, args, used, ordered), plan: undefined }
}

function aggregate(readContext: ReadContext, model: PolicyModel, args: Args): ReadQuery {
  const ordered = orderOf(readContext, model, args)
  const used: UsedFields = new Set(ordered)
  trackFieldNames(model, args['distinct'], used)
  trackAggregates(model, args, used)
  return { args: filtered(readContext, model, args, used, ordered), plan: undefined }
}

function groupBy(readContext: ReadContext, model: PolicyModel, args: Args): ReadQuery {
  const used: UsedFields = new Set()
  trackFieldNames(model, args['by'], used)
  trackHaving(model, args['having'], used)
  trackGroupOrder(model, args['orderBy'], used)
  trackAggregates(model, args, used)
  return { args: filtered(readContext, model, args, used), plan: undefined }
}

function orderOf(readContext: ReadContext, model: PolicyModel, args: Args, deferred?: DeferredOrder[]): UsedFields {
  const ordered: UsedFields = new Set()
  trackOrderBy(readContext, model, args['orderBy'], ordered, deferred)
  return ordered
}

function filtered(
  readContext: ReadContext,
  model: PolicyModel,
  args: Args,
  used: UsedFields,
  ordered: UsedFields = new Set(),
): Args {
  const before = args['where']
  const where = readableWhere(readContext, model, before, used)
  const isSame = before === undefined ? Object.keys(where).length === 0 : where === before
  if (isSame && args['cursor'] === undefined) return args
  const result: Record<string, unknown> = isSame ? { ...args } : { ...args, where }
  deferCursorCheck(readContext, model, result, ordered)
  return result
}

/** A query in two parts: rows with a readable related row to order by, then the others. */
interface SplitQuery {
  readonly model: PolicyModel
  readonly first: Args
  readonly second: Args
}

/**
 * Splits a query in two if its first sort order is by a related row that is not always readable. Rows whose related row is not readable are
 * treated like rows without one: both come last, sorted by the remaining orders.
 * @param args the arguments, with the rewritten filter
 * @returns undefined if there is no such sort order
 * @throws PolicyError if the query cannot be split
 */
function splitQuery(
  { rules }: ReadContext,
  model: PolicyModel,
  args: Args,
  [deferred, ...others]: readonly DeferredOrder[],
): SplitQuery | undefined {
  if (!deferred) return undefined
  const { relation, condition, index } = deferred
  const take = args['take']
  const isPlain = args['cursor'] === undefined && args['distinct'] === undefined && !(Number(take ?? 0) < 0)
  const [first, ...rest] = toArray(args['orderBy'])
  const isOnlyOrder = Object.keys(asArgs(first, 'The order of rows')).length === 1
  if (index > 0 || others.length > 0 || !isPlain || !isOnlyOrder) return denyOrder(model, relation)
  const fields = [undefined, ...relation.target.fields.keys(), ...relation.target.relations.keys()]
  if (!fields.every((field) => rules.isExact('read', relation.target, field))) return denyOrder(model, relation)
  const where = isObject(args['where']) ? args['where'] : {}
  const part = (operator: 'is' | 'isNot') => restrict(model, where, [{ [relation.name]: { [operator]: condition } }])
  const { orderBy, ...unordered } = args
  void orderBy
  return {
    model,
    first: { ...args, where: part('is') },
    second: { ...unordered, where: part('isNot'), ...(rest.length > 0 && { orderBy: rest }) },
  }
}

/**
 * Runs both parts of a split query and concatenates the results.
 * @param count returns the number of rows that match a filter
 */
async function runSplitQuery(
  { first, second }: SplitQuery,
  run: (args: Args) => PromiseLike<unknown>,
  count: (where: unknown) => PromiseLike<number>,
): Promise<unknown[]> {
  const rows = toArray(await run(first))
  const take = first['take'] === undefined ? undefined : Number(first['take'])
  if (take !== undefined && rows.length >= take) return [...rows]
  const skip = Number(first['skip'] ?? 0)
  const left = rows.length > 0 || skip === 0 ? 0 : Math.max(0, skip - (await count(first['where'])))
  const paged = { ...second, skip: left, ...(take !== undefined && { take: take - rows.length }) }
  return [...rows, ...toArray(await run(paged))]
}

/**
 * Runs a rewritten query, and redacts what the query could not exclude.
 * @param getClient returns the client that can access every row, in the query's transaction
 */
export async function runReadableQuery(
  { args, plan, parts }: ReadQuery,
  { cursors }: ReadContext,
  getClient: () => object,
  run: (args: Args) => PromiseLike<unknown>,
): Promise<unknown> {
  await resolveCursors(cursors, getClient)
  const result = await (parts
    ? runSplitQuery(parts, run, (where) => callClient(getClient(), parts.model, 'count', { where }))
    : run(args))
  if (plan) await redact(result, plan, matchingKeysQuery(getClient))
  return result
}

/** Changes the arguments of each cursor whose row is not readable, so that they match no rows. */
export async function resolveCursors(cursors: readonly Cursor[], getClient: () => object): Promise<void> {
  for (const { model, where, drop } of cursors) {
    if ((await callClient(getClient(), model, 'count', { where })) === 0) drop()
  }
}

/**
 * Returns copies of rows without computed fields. A client with result extensions computes them from everything that it loads, readable or
 * not. The caller's client computes them again, from the remaining fields.
 * @param rows one row, a list of rows, or another value, which is returned unchanged
 */
export function rowsWithoutComputedFields(model: PolicyModel, rows: unknown): unknown {
  if (Array.isArray(rows)) return rows.map((row) => rowsWithoutComputedFields(model, row))
  return typeof rows === 'object' && rows !== null ? rowWithoutComputedFields(model, rows) : rows
}

/** Like {@link rowsWithoutComputedFields}, for one row. */
export function rowWithoutComputedFields(model: PolicyModel, row: object): Record<string, unknown> {
  const result: Record<string, unknown> = {}
  // Properties are read by name, so that no computed field is evaluated.
  for (const name of Object.keys(row)) {
    const relation = model.relations.get(name)
    if (relation) result[name] = rowsWithoutComputedFields(relation.target, Reflect.get(row, name))
    else if (model.fields.has(name) || name === '_count') result[name] = Reflect.get(row, name)
  }
  return result
}
