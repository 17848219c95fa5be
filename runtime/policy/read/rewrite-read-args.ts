import { deferCursorCheck } from './defer-cursor-check.js'
import { trackAggregates, trackGroupOrder, trackHaving, trackFieldNames, trackOrderBy } from './track-used-fields.js'
import type { DeferredOrder } from './related-order.js'
import { splitQuery, type SplitQuery } from './split-query.js'
import type { RedactionPlan } from './redact.js'
import type { ReadContext, UsedFields } from './read-context.js'
import type { PolicyModel } from '../policy-schema.js'
import { readableSelection } from './readable-selection.js'
import type { Args } from '../args.js'
import { readableWhere } from './readable-where.js'

/** A rewritten query. */
export interface ReadQuery {
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
