import type { Limits } from '../limits.js'
import { STRATEGY } from '../orm/load-strategy.js'
import { type Owners, findOwners } from '../orm/owner-locks.js'
import { idFields, type Model } from '../schema/schema.js'
import { AGGREGATES, aggregate, countSelection } from './guard/read/aggregate.js'
import { rejectVersionWithLimit, rejectVersionedUpsert, assertVersion } from './guard/data/version.js'
import { createData, updateData } from './guard/data/data.js'
import { includedMembers, rowMembers } from './guard/read/members.js'
import { assertNestedWrites } from './guard/data/nested-writes.js'
import { fieldName, groupOrderBy } from './guard/read/order-by.js'
import {
  type Args,
  expectEnum,
  expectInteger,
  mapOneOrMany,
  limitExceeded,
  unknownName,
  invalidValue,
} from './guard/arguments.js'
import { createManyRows, updateManyData } from './guard/data/scalar-data.js'
import { type RelationPlan, selection, type Selection, toOneRelations } from './guard/read/selection.js'
import { having, changedWhere, whereUnique } from './guard/where/where.js'
import { createdRow, updatedRow, type Written } from './guard/read/written-rows.js'
import { AGGREGATE_WINDOW, ROW_WINDOW, maxTake, addWindowArgument } from './guard/read/window.js'
import { assertRelatedRows } from './preflight/loaded-rows.js'
import type { Preflight } from './preflight/preflight.js'
import { resultPreflights, readPreflights } from './preflight/plan.js'
import { selectFields } from '../orm/select-fields.js'

/** A request's arguments, checked. */
export interface CheckedArgs {
  /** For Prisma. */
  readonly args: Args
  /** How many rows may be answered, where the request does not say it; Prisma is asked for one more. */
  readonly maxRows?: number
  /** Relations that the rows will hold, where their number is still to be checked. */
  readonly relations?: RelationPlan
  /** What is to be counted before the call. */
  readonly looks?: readonly Preflight[]
  /** The rows whose members the call replaces. */
  readonly owners?: Owners | undefined
}

/** One operation. */
export interface RpcOperation {
  /** Status of success (contract 7.3). */
  readonly status: 200 | 201
  /** Whether it answers with rows, as `select`, `include` and `omit` say. */
  readonly rows?: true
  /** Checks the arguments and rebuilds them. */
  readonly check: (model: Model, given: Args, limits: Limits) => CheckedArgs
}

const SELECTION = ['select', 'include', 'omit'] as const
const MAX_LIMIT = 2 ** 31 - 1

/** The arguments of each operation. */
const ARGUMENTS = {
  rows: new Set([...ROW_WINDOW, ...SELECTION, STRATEGY]),
  unique: new Set(['where', ...SELECTION, STRATEGY]),
  count: new Set([...AGGREGATE_WINDOW, 'select']),
  exists: new Set(['where']),
  aggregate: new Set([...AGGREGATE_WINDOW, ...AGGREGATES]),
  groupBy: new Set([...AGGREGATES, 'by', 'where', 'having', 'orderBy', 'take', 'skip']),
  create: new Set(['data', ...SELECTION]),
  createMany: new Set(['data', 'skipDuplicates']),
  createManyAndReturn: new Set(['data', 'skipDuplicates', ...SELECTION]),
  update: new Set(['where', 'data', ...SELECTION]),
  updateMany: new Set(['where', 'data', 'limit']),
  updateManyAndReturn: new Set(['where', 'data', 'limit', ...SELECTION]),
  upsert: new Set(['where', 'create', 'update', ...SELECTION]),
  delete: new Set(['where', ...SELECTION]),
  deleteMany: new Set(['where', 'limit']),
} as const

/** The operations that a route may serve, by name: those of the Prisma client (contract 4.3), and `exists`. */
export const RPC_OPERATIONS: ReadonlyMap<string, RpcOperation> = new Map<string, RpcOperation>([
  ['findMany', { status: 200, rows: true, check: findMany }],
  ['findFirst', { status: 200, rows: true, check: findFirst }],
  ['findFirstOrThrow', { status: 200, rows: true, check: findFirst }],
  ['findUnique', { status: 200, rows: true, check: findUnique }],
  ['findUniqueOrThrow', { status: 200, rows: true, check: findUnique }],
  ['count', { status: 200, check: count }],
  ['aggregate', { status: 200, check: aggregates }],
  ['groupBy', { status: 200, check: groupBy }],
  ['exists', { status: 200, check: exists }],
  ['create', { status: 201, rows: true, check: create }],
  ['createMany', { status: 201, check: createMany }],
  ['createManyAndReturn', { status: 201, rows: true, check: createManyAndReturn }],
  ['update', { status: 200, rows: true, check: update }],
  ['updateMany', { status: 200, check: updateMany }],
  ['updateManyAndReturn', { status: 200, rows: true, check: updateManyAndReturn }],
  ['upsert', { status: 200, rows: true, check: upsert }],
  ['delete', { status: 200, rows: true, check: remove }],
  ['deleteMany', { status: 200, check: removeMany }],
])

function findMany(model: Model, given: Args, limits: Limits): CheckedArgs {
  only(given, ARGUMENTS.rows)
  const args = windowOf(model, given, ROW_WINDOW, limits)
  const take = maxTake(args)
  const selected = selection(model, given, '', { limits, depth: 0, rows: take ?? 1 })
  Object.assign(args, selected.args)
  const { relations } = selected
  const strategy = strategyOf(given)
  if (take !== undefined) {
    return { args: { ...args, ...strategy }, relations, looks: readPreflights(model, 'findMany', args, limits) }
  }
  const members = includedMembers(model, args, args['where'])
  const bounded = { ...args, take: limits.rows + 1 }
  return {
    args: { ...bounded, ...strategy },
    maxRows: limits.rows,
    relations,
    looks: [
      ...(members.length > 0 ? [{ of: 'members', members } as const] : []),
      ...readPreflights(model, 'findMany', bounded, limits, members.length > 0),
    ],
  }
}

function findFirst(model: Model, given: Args, limits: Limits): CheckedArgs {
  only(given, ARGUMENTS.rows)
  const args = windowOf(model, given, ROW_WINDOW, limits)
  const selected = selection(model, given, '', { limits, depth: 0, rows: 1 })
  Object.assign(args, selected.args)
  const looks = readPreflights(model, 'findFirst', args, limits)
  return { args: { ...args, ...strategyOf(given) }, relations: selected.relations, looks }
}

function findUnique(model: Model, given: Args, limits: Limits): CheckedArgs {
  only(given, ARGUMENTS.unique)
  const selected = selection(model, given, '', { limits, depth: 0, rows: 1, answers: 'unique' })
  const args = { where: whereUnique(model, given['where'], 'where', limits), ...selected.args }
  const looks = readPreflights(model, 'findUnique', args, limits)
  return { args: { ...args, ...strategyOf(given) }, relations: selected.relations, looks }
}

function count(model: Model, given: Args, limits: Limits): CheckedArgs {
  only(given, ARGUMENTS.count)
  const args = windowOf(model, given, AGGREGATE_WINDOW, limits)
  if (Object.hasOwn(given, 'select')) args['select'] = countSelection(model, given['select'], 'select')
  return { args }
}

/** The arguments of the `findFirst` that tells whether there is a row: it loads no more of it than its id. */
function exists(model: Model, given: Args, limits: Limits): CheckedArgs {
  only(given, ARGUMENTS.exists)
  const select = selectFields(idFields(model))
  return { args: { ...windowOf(model, given, ARGUMENTS.exists, limits), select } }
}

function aggregates(model: Model, given: Args, limits: Limits): CheckedArgs {
  only(given, ARGUMENTS.aggregate)
  return { args: { ...windowOf(model, given, AGGREGATE_WINDOW, limits), ...aggregatesOf(model, given) } }
}

function groupBy(model: Model, given: Args, limits: Limits): CheckedArgs {
  only(given, ARGUMENTS.groupBy)
  const by = mapOneOrMany(given['by'], 'by', limits, (name, at) => fieldName(model, name, at))
  const names = Array.isArray(by) ? by : [by]
  if (names.length === 0) invalidValue('by', 'must name a field')
  const { orderBy: _, ...others } = given
  const args: Args = {
    by,
    ...windowOf(model, others, new Set(['where', 'take', 'skip']), limits),
    ...aggregatesOf(model, given),
  }
  if (Object.hasOwn(given, 'having')) args['having'] = having(model, given['having'], 'having', limits)
  if (Object.hasOwn(given, 'orderBy')) args['orderBy'] = groupOrderBy(model, given['orderBy'], 'orderBy', limits)
  if (maxTake(args) !== undefined || args['skip'] !== undefined) {
    if (args['orderBy'] === undefined) invalidValue('orderBy', 'must be given where groups are taken or skipped')
    if (maxTake(args) !== undefined) return { args }
  }
  // Groups have no order of their own, but Prisma wants one where it is to take some.
  args['orderBy'] ??= names.map((name) => ({ [name]: 'asc' }))
  return { args: { ...args, take: limits.rows + 1 }, maxRows: limits.rows }
}

function create(model: Model, given: Args, limits: Limits): CheckedArgs {
  only(given, ARGUMENTS.create)
  const data = createData(model, given['data'], 'data', limits)
  assertNestedWrites(model, [data], 'data', limits)
  const selected = written(model, given, limits, createdRow(data))
  return { args: { data, ...selected.args }, looks: resultPreflights(model, selected, limits) }
}

function createMany(model: Model, given: Args): CheckedArgs {
  only(given, ARGUMENTS.createMany)
  return { args: createManyRows(model, given, '') }
}

function createManyAndReturn(model: Model, given: Args, limits: Limits): CheckedArgs {
  only(given, ARGUMENTS.createManyAndReturn)
  const args = createManyRows(model, given, '')
  const selected = written(model, given, limits)
  const rows = Array.isArray(args['data']) ? args['data'].length : 1
  if (rows > limits.rows) {
    limitExceeded('rows', `More than ${limits.rows} rows would be answered. Use createMany, or create fewer at a time.`)
  }
  assertRelatedRows(rows * toOneRelations(selected.relations), limits)
  return { args: { ...args, ...selected.args }, looks: resultPreflights(model, selected, limits, rows) }
}

function update(model: Model, given: Args, limits: Limits): CheckedArgs {
  only(given, ARGUMENTS.update)
  const where = whereUnique(model, given['where'], 'where', limits)
  assertVersion(model, where, 'where')
  const data = updateData(model, given['data'], 'data', limits, where)
  assertNestedWrites(model, [data], 'data', limits)
  const selected = written(model, given, limits, updatedRow(model, data))
  return changedRow(model, where, { data }, selected, limits, findOwners(model, data))
}

function updateMany(model: Model, given: Args, limits: Limits): CheckedArgs {
  only(given, ARGUMENTS.updateMany)
  return { args: changedRows(model, given, limits) }
}

function updateManyAndReturn(model: Model, given: Args, limits: Limits): CheckedArgs {
  only(given, ARGUMENTS.updateManyAndReturn)
  const args = changedRows(model, given, limits)
  const selected = written(model, given, limits)
  const { relations } = selected
  // The client would fail to find them in its answer.
  if (relations.size > 0 && Object.keys(args.data).length === 0)
    invalidValue('data', 'must change something where relations are answered')
  const { where, limit } = args
  return {
    args: { ...args, ...selected.args },
    looks: [
      { of: 'rows', where, relations, ...(limit !== undefined && { limit }) },
      ...resultPreflights(model, selected, limits, limit ?? limits.rows),
    ],
  }
}

function upsert(model: Model, given: Args, limits: Limits): CheckedArgs {
  only(given, ARGUMENTS.upsert)
  const where = whereUnique(model, given['where'], 'where', limits)
  rejectVersionedUpsert(model, where, '')
  const create = createData(model, given['create'], 'create', limits)
  const update = updateData(model, given['update'], 'update', limits)
  assertNestedWrites(model, [create, update], 'The upsert', limits)
  const selected = written(model, given, limits)
  return changedRow(model, where, { create, update }, selected, limits, findOwners(model, update))
}

function remove(model: Model, given: Args, limits: Limits): CheckedArgs {
  only(given, ARGUMENTS.delete)
  const where = whereUnique(model, given['where'], 'where', limits)
  assertVersion(model, where, 'where')
  return changedRow(model, where, {}, written(model, given, limits), limits)
}

function removeMany(model: Model, given: Args, limits: Limits): CheckedArgs {
  only(given, ARGUMENTS.deleteMany)
  return { args: filterAndLimit(model, given, limits) }
}

/** A write to the row that `where` tells, and what its answer holds. */
function changedRow(
  model: Model,
  where: Args,
  data: Args,
  selected: Selection,
  limits: Limits,
  owners?: Owners,
): CheckedArgs {
  const looks = resultPreflights(model, selected, limits)
  const members = rowMembers(model, where, selected.unbounded)
  if (members.length > 0) looks.push({ of: 'answer', members })
  return { args: { where, ...data, ...selected.args }, looks, owners }
}

interface ChangedRows extends Args {
  readonly where: Args
  readonly data: Args
  readonly limit?: number
}

function changedRows(model: Model, given: Args, limits: Limits): ChangedRows {
  const { where, ...limit } = filterAndLimit(model, given, limits)
  return { where, data: updateManyData(model, given['data'], 'data', where), ...limit }
}

function filterAndLimit(model: Model, given: Args, limits: Limits): { readonly where: Args; readonly limit?: number } {
  const where = changedWhere(model, given['where'], 'where', limits)
  assertVersion(model, where, 'where')
  rejectVersionWithLimit(model, where, given['limit'])
  if (!Object.hasOwn(given, 'limit')) return { where }
  return { where, limit: expectInteger(given['limit'], 'limit', 0, MAX_LIMIT) }
}

/** What a write answers with. What it makes itself is counted in its data. */
function written(model: Model, given: Args, limits: Limits, rows?: Written): Selection {
  const scope = { limits, depth: 0, rows: 1, answers: 'write' } as const
  const selected = selection(model, given, '', rows ? { ...scope, written: rows } : scope)
  const members = selected.written.reduce((sum, each) => sum + each, 0)
  assertRelatedRows(members, limits)
  return selected
}

function strategyOf(given: Args): Args {
  return Object.hasOwn(given, STRATEGY) ? { [STRATEGY]: expectEnum(given[STRATEGY], ['query', 'join'], STRATEGY) } : {}
}

function windowOf(model: Model, given: Args, names: ReadonlySet<string>, limits: Limits): Args {
  const args: Args = {}
  for (const [key, value] of Object.entries(given)) {
    if (names.has(key)) addWindowArgument(args, model, key, value, key, limits)
  }
  return args
}

function aggregatesOf(model: Model, given: Args): Args {
  const args: Args = {}
  for (const [key, value] of Object.entries(given)) {
    if (AGGREGATES.has(key)) args[key] = aggregate(model, key, value, key)
  }
  return args
}

function only(given: Args, names: ReadonlySet<string>): void {
  for (const key of Object.keys(given)) if (!names.has(key)) unknownName(key, '')
}

/**
 * Ends a request for more rows than are answered without `take`: never a list that was cut without a word.
 * @param rows how many there are
 */
export function rowLimitError(rows: number, most: number): void {
  if (rows > most) limitExceeded('rows', `There are more than ${most} rows. Use "take" to ask for some of them.`)
}
