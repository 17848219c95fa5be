import { requireCursor } from './cursor.js'
import { useAggregates, useGroupOrder, useHaving, useNames, useOrderBy } from './order-by.js'
import { inTwoParts, type LateOrder, type TwoParts } from './order-through.js'
import type { Plan } from './plan.js'
import type { Reading, Used } from './read.js'
import type { PolicyModel } from '../schema.js'
import { readableSelection } from './selection.js'
import type { Tree } from '../tree.js'
import { readableWhere } from './where.js'

/** A query, rewritten. */
export interface ReadQuery {
  /** The same object as was given, where rules change nothing. */
  readonly args: Tree
  readonly plan: Plan | undefined
  /** The same in two queries, one after the other: then `args` are not to be used. */
  readonly parts?: TwoParts | undefined
}

type Rewrite = (reading: Reading, model: PolicyModel, args: Tree) => ReadQuery

/** The operations that read, by name, and how their arguments are made to find only what may be read. */
export const READS: ReadonlyMap<string, Rewrite> = new Map<string, Rewrite>([
  ['findUnique', rows],
  ['findUniqueOrThrow', rows],
  ['findFirst', rows],
  ['findFirstOrThrow', rows],
  ['findMany', manyRows],
  ['count', count],
  ['aggregate', aggregate],
  ['groupBy', groupBy],
])

function rows(reading: Reading, model: PolicyModel, args: Tree): ReadQuery {
  const ordered = orderOf(reading, model, args)
  const used: Used = new Set(ordered)
  useNames(model, args['distinct'], used)
  const selected = readableSelection(reading, model, args)
  return { args: filtered(reading, model, selected.args, used, ordered), plan: selected.plan }
}

/** As {@link rows}, and rows may be ordered by related rows of which not all may be read. */
function manyRows(reading: Reading, model: PolicyModel, args: Tree): ReadQuery {
  const late: LateOrder[] = []
  const ordered = orderOf(reading, model, args, late)
  const used: Used = new Set(ordered)
  useNames(model, args['distinct'], used)
  const selected = readableSelection(reading, model, args)
  const rewritten = filtered(reading, model, selected.args, used, ordered)
  return { args: rewritten, plan: selected.plan, parts: inTwoParts(reading, model, rewritten, late) }
}

function count(reading: Reading, model: PolicyModel, args: Tree): ReadQuery {
  const ordered = orderOf(reading, model, args)
  const used: Used = new Set(ordered)
  useNames(model, args['distinct'], used)
  useNames(model, args['select'], used)
  return { args: filtered(reading, model, args, used, ordered), plan: undefined }
}

function aggregate(reading: Reading, model: PolicyModel, args: Tree): ReadQuery {
  const ordered = orderOf(reading, model, args)
  const used: Used = new Set(ordered)
  useNames(model, args['distinct'], used)
  useAggregates(model, args, used)
  return { args: filtered(reading, model, args, used, ordered), plan: undefined }
}

function groupBy(reading: Reading, model: PolicyModel, args: Tree): ReadQuery {
  const used: Used = new Set()
  useNames(model, args['by'], used)
  useHaving(model, args['having'], used)
  useGroupOrder(model, args['orderBy'], used)
  useAggregates(model, args, used)
  return { args: filtered(reading, model, args, used), plan: undefined }
}

function orderOf(reading: Reading, model: PolicyModel, args: Tree, late?: LateOrder[]): Used {
  const ordered: Used = new Set()
  useOrderBy(reading, model, args['orderBy'], ordered, late)
  return ordered
}

function filtered(reading: Reading, model: PolicyModel, args: Tree, used: Used, ordered: Used = new Set()): Tree {
  const before = args['where']
  const where = readableWhere(reading, model, before, used)
  const isSame = before === undefined ? Object.keys(where).length === 0 : where === before
  if (isSame && args['cursor'] === undefined) return args
  const result: Record<string, unknown> = isSame ? { ...args } : { ...args, where }
  requireCursor(reading, model, result, ordered)
  return result
}
