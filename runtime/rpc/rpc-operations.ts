import type { Limits } from '../limits.js'
import { STRATEGY } from '../prisma/load-strategy.js'
import { type Owners, findOwners } from '../prisma/transactions/owner-locks.js'
import { idFields, type Model } from '../schema/model.js'
import { AGGREGATES, aggregate, countSelection, fieldName, groupOrderBy } from './guard/read/order-by.js'
import { createData, updateData } from './guard/data/create-and-update-data.js'
import { includedMemberFilters, rowMemberFilters } from './guard/read/find-unbounded-loads.js'
import { assertNestedWriteCount, planCreate, planUpdate, type PlannedRows } from './guard/data/nested-writes.js'
import {
  type Args,
  expectEnum,
  expectInteger,
  expectNames,
  mapOneOrMany,
  limitExceeded,
  invalidValue,
} from './guard/argument-helpers.js'
import { createManyRows, updateManyData } from './guard/data/scalar-data.js'
import { type RelationPlan, selection, type Selection, toOneRelations } from './guard/read/selection.js'
import { having, changedWhere, whereUnique } from './guard/where/where.js'
import { AGGREGATE_WINDOW, ROW_WINDOW, maxTake, addWindowArgument } from './guard/read/window-arguments.js'
import { assertRelatedRows } from './preflight/assert-loaded-rows.js'
import {
  changedRowsPreflight,
  memberPreflights,
  parentPreflights,
  type Preflight,
  resultPreflights,
  readPreflights,
} from './preflight/preflights.js'
import { selectFields } from '../prisma/keys.js'

/** The validated arguments of a request. */
export interface CheckedArgs {
  /** The arguments for Prisma. */
  readonly args: Args
  /** Maximum number of rows in the response, if the request has no `take`. Prisma loads one more. */
  readonly maxRows?: number
  /** The relations of the rows, if the number of related rows must still be checked. */
  readonly relations?: RelationPlan
  /** The queries to run before the call. */
  readonly preflights?: readonly Preflight[]
  /** The parent rows whose members the call replaces. */
  readonly owners?: Owners | undefined
}

/** One operation. */
export interface RpcOperation {
  /** Whether the operation returns rows, whose fields `select`, `include` and `omit` determine. */
  readonly rows?: true
  /** The names of its arguments, without those that select fields. */
  readonly names: readonly string[]
  /** Validates the arguments and rebuilds them. */
  readonly check: (model: Model, input: Args, limits: Limits) => CheckedArgs
}

export const SELECTION = ['select', 'include', 'omit']
const MAX_LIMIT = 2 ** 31 - 1

const FIND_ARGUMENTS = [...ROW_WINDOW, STRATEGY]
const COUNT_ARGUMENTS = [...AGGREGATE_WINDOW, 'select']
const AGGREGATE_ARGUMENTS = [...AGGREGATE_WINDOW, ...AGGREGATES]
const GROUP_BY_ARGUMENTS = [...AGGREGATES, 'by', 'where', 'having', 'orderBy', 'take', 'skip']

// One constant per operation (contract 4.3), so that a bundle contains only the operations in use. Bundlers do not omit spreads.
export const FIND_MANY: RpcOperation = { rows: true, names: FIND_ARGUMENTS, check: checkFindMany }
export const FIND_FIRST: RpcOperation = { rows: true, names: FIND_ARGUMENTS, check: checkFindFirst }
export const FIND_UNIQUE: RpcOperation = { rows: true, names: ['where', STRATEGY], check: checkFindUnique }
export const COUNT: RpcOperation = { names: COUNT_ARGUMENTS, check: checkCount }
export const AGGREGATE: RpcOperation = { names: AGGREGATE_ARGUMENTS, check: checkAggregate }
export const GROUP_BY: RpcOperation = { names: GROUP_BY_ARGUMENTS, check: checkGroupBy }
export const EXISTS: RpcOperation = { names: ['where'], check: checkExists }
export const CREATE: RpcOperation = { rows: true, names: ['data'], check: checkCreate }
export const CREATE_MANY: RpcOperation = { names: ['data', 'skipDuplicates'], check: checkCreateMany }
export const CREATE_MANY_AND_RETURN: RpcOperation = {
  rows: true,
  names: ['data', 'skipDuplicates'],
  check: checkCreateManyAndReturn,
}
export const UPDATE: RpcOperation = { rows: true, names: ['where', 'data'], check: checkUpdate }
export const UPDATE_MANY: RpcOperation = { names: ['where', 'data', 'limit'], check: checkUpdateMany }
export const UPDATE_MANY_AND_RETURN: RpcOperation = {
  rows: true,
  names: ['where', 'data', 'limit'],
  check: checkUpdateManyAndReturn,
}
export const UPSERT: RpcOperation = { rows: true, names: ['where', 'create', 'update'], check: checkUpsert }
export const DELETE: RpcOperation = { rows: true, names: ['where'], check: checkDelete }
export const DELETE_MANY: RpcOperation = { names: ['where', 'limit'], check: checkDeleteMany }

function checkFindMany(model: Model, input: Args, limits: Limits): CheckedArgs {
  const args = parseWindow(model, input, ROW_WINDOW, limits)
  const take = maxTake(args)
  const selected = selection(model, input, '', { limits, depth: 0, rows: take ?? 1 })
  Object.assign(args, selected.args)
  const { relations } = selected
  const strategy = parseStrategy(input)
  if (take !== undefined) {
    return { args: { ...args, ...strategy }, relations, preflights: readPreflights(model, 'findMany', args, limits) }
  }
  const members = includedMemberFilters(model, args, args['where'])
  const bounded = { ...args, take: limits.rows + 1 }
  return {
    args: { ...bounded, ...strategy },
    maxRows: limits.rows,
    relations,
    preflights: [
      ...parentPreflights(members, limits),
      ...readPreflights(model, 'findMany', bounded, limits, members.length > 0),
    ],
  }
}

function checkFindFirst(model: Model, input: Args, limits: Limits): CheckedArgs {
  const args = parseWindow(model, input, ROW_WINDOW, limits)
  const selected = selection(model, input, '', { limits, depth: 0, rows: 1 })
  Object.assign(args, selected.args)
  const preflights = readPreflights(model, 'findFirst', args, limits)
  return { args: { ...args, ...parseStrategy(input) }, relations: selected.relations, preflights }
}

function checkFindUnique(model: Model, input: Args, limits: Limits): CheckedArgs {
  const selected = selection(model, input, '', { limits, depth: 0, rows: 1, operationKind: 'unique' })
  const args = { where: whereUnique(model, input['where'], 'where', limits), ...selected.args }
  const preflights = readPreflights(model, 'findUnique', args, limits)
  return { args: { ...args, ...parseStrategy(input) }, relations: selected.relations, preflights }
}

function checkCount(model: Model, input: Args, limits: Limits): CheckedArgs {
  const args = parseWindow(model, input, AGGREGATE_WINDOW, limits)
  if (Object.hasOwn(input, 'select')) args['select'] = countSelection(model, input['select'], 'select')
  return { args }
}

/** Returns the arguments of the `findFirst` behind `exists`, which loads only the id. */
function checkExists(model: Model, input: Args, limits: Limits): CheckedArgs {
  const select = selectFields(idFields(model))
  return { args: { ...parseWindow(model, input, new Set(['where']), limits), select } }
}

function checkAggregate(model: Model, input: Args, limits: Limits): CheckedArgs {
  return { args: { ...parseWindow(model, input, AGGREGATE_WINDOW, limits), ...parseAggregates(model, input) } }
}

function checkGroupBy(model: Model, input: Args, limits: Limits): CheckedArgs {
  const by = mapOneOrMany(input['by'], 'by', limits, (name, path) => fieldName(model, name, path))
  const names = [by].flat()
  if (names.length === 0) invalidValue('by', 'must name a field')
  const { orderBy: _, ...others } = input
  const args: Args = {
    by,
    ...parseWindow(model, others, new Set(['where', 'take', 'skip']), limits),
    ...parseAggregates(model, input),
  }
  if (Object.hasOwn(input, 'having')) args['having'] = having(model, input['having'], 'having', limits)
  if (Object.hasOwn(input, 'orderBy')) args['orderBy'] = groupOrderBy(model, input['orderBy'], 'orderBy', limits)
  if (maxTake(args) !== undefined || args['skip'] !== undefined) {
    if (args['orderBy'] === undefined) invalidValue('orderBy', 'is required with "take" or "skip"')
    if (maxTake(args) !== undefined) return { args }
  }
  // Groups are not sorted by default, but Prisma requires a sort order with `take`.
  args['orderBy'] ??= names.map((name) => ({ [name]: 'asc' }))
  return { args: { ...args, take: limits.rows + 1 }, maxRows: limits.rows }
}

function checkCreate(model: Model, input: Args, limits: Limits): CheckedArgs {
  const data = createData(model, input['data'], 'data', limits)
  assertNestedWriteCount(model, [data], 'data', limits)
  const selected = parseWriteSelection(model, input, limits, planCreate(data))
  return { args: { data, ...selected.args }, preflights: resultPreflights(model, selected, limits) }
}

function checkCreateMany(model: Model, input: Args): CheckedArgs {
  return { args: createManyRows(model, input, '') }
}

function checkCreateManyAndReturn(model: Model, input: Args, limits: Limits): CheckedArgs {
  const args = createManyRows(model, input, '')
  const selected = parseWriteSelection(model, input, limits)
  const rows = Array.isArray(args['data']) ? args['data'].length : 1
  if (rows > limits.rows) {
    limitExceeded('rows', `More than ${limits.rows} rows would be returned. Use createMany, or create fewer rows.`)
  }
  assertRelatedRows(rows * toOneRelations(selected.relations), limits)
  return { args: { ...args, ...selected.args }, preflights: resultPreflights(model, selected, limits, rows) }
}

function checkUpdate(model: Model, input: Args, limits: Limits): CheckedArgs {
  const where = whereUnique(model, input['where'], 'where', limits)
  model.versionChecks?.assertVersion(where, 'where')
  const data = updateData(model, input['data'], 'data', limits, where)
  assertNestedWriteCount(model, [data], 'data', limits)
  const selected = parseWriteSelection(model, input, limits, planUpdate(model, data))
  return checkRowWrite(model, where, { data }, selected, limits, findOwners(model, data))
}

function checkUpdateMany(model: Model, input: Args, limits: Limits): CheckedArgs {
  return { args: parseBulkUpdate(model, input, limits) }
}

function checkUpdateManyAndReturn(model: Model, input: Args, limits: Limits): CheckedArgs {
  const args = parseBulkUpdate(model, input, limits)
  const selected = parseWriteSelection(model, input, limits)
  const { relations } = selected
  // Prisma cannot load relations of the updated rows if the data is empty.
  if (relations.size > 0 && Object.keys(args.data).length === 0)
    invalidValue('data', 'must not be empty if relations are selected')
  return {
    args: { ...args, ...selected.args },
    preflights: [
      changedRowsPreflight(model, args, relations, limits),
      ...resultPreflights(model, selected, limits, args.limit ?? limits.rows),
    ],
  }
}

function checkUpsert(model: Model, input: Args, limits: Limits): CheckedArgs {
  const where = whereUnique(model, input['where'], 'where', limits)
  model.versionChecks?.rejectUpsert(where, '')
  const create = createData(model, input['create'], 'create', limits)
  const update = updateData(model, input['update'], 'update', limits)
  assertNestedWriteCount(model, [create, update], 'The upsert', limits)
  const selected = parseWriteSelection(model, input, limits)
  return checkRowWrite(model, where, { create, update }, selected, limits, findOwners(model, update))
}

function checkDelete(model: Model, input: Args, limits: Limits): CheckedArgs {
  const where = whereUnique(model, input['where'], 'where', limits)
  model.versionChecks?.assertVersion(where, 'where')
  return checkRowWrite(model, where, {}, parseWriteSelection(model, input, limits), limits)
}

function checkDeleteMany(model: Model, input: Args, limits: Limits): CheckedArgs {
  return { args: parseFilterAndLimit(model, input, limits) }
}

/** Builds the arguments of a write to the row that `where` identifies, with the preflights for its response. */
function checkRowWrite(
  model: Model,
  where: Args,
  data: Args,
  selected: Selection,
  limits: Limits,
  owners?: Owners,
): CheckedArgs {
  const members = rowMemberFilters(model, where, selected.unbounded)
  const preflights = [...resultPreflights(model, selected, limits), ...memberPreflights(members, limits)]
  return { args: { where, ...data, ...selected.args }, preflights, owners }
}

interface ChangedRows extends Args {
  readonly where: Args
  readonly data: Args
  readonly limit?: number
}

function parseBulkUpdate(model: Model, input: Args, limits: Limits): ChangedRows {
  const { where, ...limit } = parseFilterAndLimit(model, input, limits)
  return { where, data: updateManyData(model, input['data'], 'data', where), ...limit }
}

function parseFilterAndLimit(
  model: Model,
  input: Args,
  limits: Limits,
): { readonly where: Args; readonly limit?: number } {
  const where = changedWhere(model, input['where'], 'where', limits)
  model.versionChecks?.assertVersion(where, 'where')
  model.versionChecks?.rejectWithLimit(where, input['limit'])
  if (!Object.hasOwn(input, 'limit')) return { where }
  return { where, limit: expectInteger(input['limit'], 'limit', 0, MAX_LIMIT) }
}

/** Parses the selection of a write. Rows that the write creates are counted from its data. */
function parseWriteSelection(model: Model, input: Args, limits: Limits, rows?: PlannedRows): Selection {
  const scope = { limits, depth: 0, rows: 1, operationKind: 'write' } as const
  const selected = selection(model, input, '', rows ? { ...scope, planned: rows } : scope)
  const members = selected.written.reduce((sum, size) => sum + size, 0)
  assertRelatedRows(members, limits)
  return selected
}

function parseStrategy(input: Args): Args {
  return Object.hasOwn(input, STRATEGY) ? { [STRATEGY]: expectEnum(input[STRATEGY], ['query', 'join'], STRATEGY) } : {}
}

function parseWindow(model: Model, input: Args, names: ReadonlySet<string>, limits: Limits): Args {
  const args: Args = {}
  for (const [key, value] of Object.entries(input)) {
    if (names.has(key)) addWindowArgument(args, model, key, value, key, limits)
  }
  return args
}

function parseAggregates(model: Model, input: Args): Args {
  const args: Args = {}
  for (const [key, value] of Object.entries(input)) {
    if (AGGREGATES.has(key)) args[key] = aggregate(model, key, value, key)
  }
  return args
}

/**
 * Validates the arguments of an operation and rebuilds them.
 * @throws RequestError 400
 */
export function checkArguments(
  { rows, names, check }: RpcOperation,
  model: Model,
  input: Args,
  limits: Limits,
): CheckedArgs {
  return check(model, expectNames(input, rows ? [...names, ...SELECTION] : names, ''), limits)
}

/**
 * Rejects a request without `take` that finds too many rows. Lists are never truncated silently.
 * @param rows the number of rows
 */
export function assertRowLimit(rows: number, max: number): void {
  if (rows > max) limitExceeded('rows', `More than ${max} rows match. Use "take" to request fewer.`)
}
