import { checkCursorReadable } from './cursor.js'
import { trackAggregates, trackGroupOrder, trackHaving, trackFieldNames, trackOrderBy } from './order-by.js'
import { splitQuery, type DeferredOrder, type SplitQuery } from './relation-order.js'
import type { RedactionPlan } from './redaction.js'
import type { ReadContext, UsedFields } from './context.js'
import type { PolicyModel } from '../schema.js'
import { readableSelection } from './selection.js'
import type { Args } from '../args.js'
import { readableWhere } from './where.js'

/** A query, rewritten. */
export interface ReadQuery {
  /** The given object if the rules change nothing. */
  readonly args: Args
  readonly plan: RedactionPlan | undefined
  /** The query in two parts. If set, `args` must not be used. */
  readonly parts?: SplitQuery | undefined
}

type Rewrite = (reading: ReadContext, model: PolicyModel, args: Args) => ReadQuery

/** Functions that restrict the arguments of read operations to what is readable, by operation name. */
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

function rows(reading: ReadContext, model: PolicyModel, args: Args): ReadQuery {
  const ordered = orderOf(reading, model, args)
  const used: UsedFields = new Set(ordered)
  trackFieldNames(model, args['distinct'], used)
  const selected = readableSelection(reading, model, args)
  return { args: filtered(reading, model, selected.args, used, ordered), plan: selected.plan }
}

/** Like {@link rows}, but rows may be ordered by related rows that are not all readable. */
function manyRows(reading: ReadContext, model: PolicyModel, args: Args): ReadQuery {
  const late: DeferredOrder[] = []
  const ordered = orderOf(reading, model, args, late)
  const used: UsedFields = new Set(ordered)
  trackFieldNames(model, args['distinct'], used)
  const selected = readableSelection(reading, model, args)
  const rewritten = filtered(reading, model, selected.args, used, ordered)
  return { args: rewritten, plan: selected.plan, parts: splitQuery(reading, model, rewritten, late) }
}

function count(reading: ReadContext, model: PolicyModel, args: Args): ReadQuery {
  const ordered = orderOf(reading, model, args)
  const used: UsedFields = new Set(ordered)
  trackFieldNames(model, args['distinct'], used)
  trackFieldNames(model, args['select'], used)
  return { args: filtered(reading, model, args, used, ordered), plan: undefined }
}

function aggregate(reading: ReadContext, model: PolicyModel, args: Args): ReadQuery {
  const ordered = orderOf(reading, model, args)
  const used: UsedFields = new Set(ordered)
  trackFieldNames(model, args['distinct'], used)
  trackAggregates(model, args, used)
  return { args: filtered(reading, model, args, used, ordered), plan: undefined }
}

function groupBy(reading: ReadContext, model: PolicyModel, args: Args): ReadQuery {
  const used: UsedFields = new Set()
  trackFieldNames(model, args['by'], used)
  trackHaving(model, args['having'], used)
  trackGroupOrder(model, args['orderBy'], used)
  trackAggregates(model, args, used)
  return { args: filtered(reading, model, args, used), plan: undefined }
}

function orderOf(reading: ReadContext, model: PolicyModel, args: Args, late?: DeferredOrder[]): UsedFields {
  const ordered: UsedFields = new Set()
  trackOrderBy(reading, model, args['orderBy'], ordered, late)
  return ordered
}

function filtered(
  reading: ReadContext,
  model: PolicyModel,
  args: Args,
  used: UsedFields,
  ordered: UsedFields = new Set(),
): Args {
  const before = args['where']
  const where = readableWhere(reading, model, before, used)
  const isSame = before === undefined ? Object.keys(where).length === 0 : where === before
  if (isSame && args['cursor'] === undefined) return args
  const result: Record<string, unknown> = isSame ? { ...args } : { ...args, where }
  checkCursorReadable(reading, model, result, ordered)
  return result
}
