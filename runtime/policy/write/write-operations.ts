import { callClient } from '../../prisma/call-client.js'
import { chunkKeys, whereAnyKey } from '../../prisma/keys.js'
import { STRATEGY } from '../../prisma/load-strategy.js'
import { isObject } from '../../values/is-object.js'
import { type Args, definedEntries, toArray } from '../args.js'
import { type PolicyModel, type PolicySchema, idFilter, rowKey } from '../policy-schema.js'
import { createReadContext, type ReadContext } from '../read/read-context.js'
import { readableSelection } from '../read/readable-selection.js'
import { readableCondition, flattenUniqueWhere, readableWhere } from '../read/readable-where.js'
import { matchingKeysQuery, redact } from '../read/redact.js'
import {
  rowWithoutComputedFields,
  rowsWithoutComputedFields,
  runReadableQuery,
  resolveCursors,
} from '../read/rewrite-read-args.js'
import { restrict } from '../rules/condition.js'
import type { Action, Rules } from '../rules/rules.js'
import { addNeeds } from './add-needs.js'
import { relationsUsingFields } from './assert-targets-readable.js'
import { bulkUpdate, bulkDelete, bulkCreate } from './bulk-writes.js'
import { runDeferredChecks } from './write-condition.js'
import { findReadableRow, findReadableRowOrThrow } from './find-readable-row.js'
import { updateRow, createRow, deleteRow, ROW_WRITER } from './row-writer.js'
import { findArithmeticFields } from './split-data.js'
import type { RowHooks, WriteContext } from './write-context.js'

/** The result of a write, and whether it is readable. */
export interface WriteResult {
  readonly isReadable: boolean
  readonly result: unknown
}

type Write = (writeContext: WriteContext, model: PolicyModel, args: Args) => Promise<WriteResult>

/** Creates a {@link WriteContext}. */
export function createWriteContext(
  access: Pick<WriteContext, 'rules' | 'computed'>,
  client: object,
  hooks: RowHooks,
): WriteContext {
  return {
    ...access,
    client,
    hooks,
    argument: 'data',
    path: [],
    checks: [],
    rows: ROW_WRITER,
    foundBy: new WeakMap(),
    locked: new WeakSet(),
    deletions: new Map(),
  }
}

/** The write operations by name. Each of them throws if the rules forbid any part of the write. */
export const WRITE_OPERATIONS: ReadonlyMap<string, Write> = new Map<string, Write>([
  ['create', create],
  ['createMany', createMany],
  ['createManyAndReturn', createManyAndReturn],
  ['update', update],
  ['updateMany', updateMany],
  ['updateManyAndReturn', updateManyAndReturn],
  ['upsert', upsert],
  ['delete', remove],
  ['deleteMany', removeMany],
])

async function create(writeContext: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  return finishWrite(writeContext, model, args, await createRow(writeContext, model, args['data']))
}

async function update(writeContext: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const found = await findRowToWrite(writeContext, model, args, 'an update')
  return finishWrite(writeContext, model, args, await updateRow(writeContext, model, found, args['data']))
}

function findRowToWrite(
  writeContext: WriteContext,
  model: PolicyModel,
  args: Args,
  operation: 'an update' | 'a delete',
): Promise<Args> {
  const meta = { modelName: model.name, operation }
  return findReadableRowOrThrow(writeContext, model, flattenUniqueWhere(model, args['where']), { meta })
}

async function upsert(writeContext: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const found = await findReadableRow(writeContext, model, flattenUniqueWhere(model, args['where']))
  const row = found
    ? await updateRow({ ...writeContext, argument: 'update' }, model, found, args['update'])
    : await createRow({ ...writeContext, argument: 'create' }, model, args['create'])
  return finishWrite(writeContext, model, args, row)
}

async function remove(writeContext: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const found = await findRowToWrite(writeContext, model, args, 'a delete')
  const result = await readRow(writeContext, model, args, found)
  await deleteRow(writeContext, model, found)
  await runDeferredChecks(writeContext)
  return result
}

async function createMany(writeContext: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const rows = await bulkCreate(writeContext, model, { data: args['data'], skipDuplicates: args['skipDuplicates'] })
  await runDeferredChecks(writeContext)
  return { isReadable: true, result: { count: rows.length } }
}

async function createManyAndReturn(writeContext: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const rows = await bulkCreate(writeContext, model, { data: args['data'], skipDuplicates: args['skipDuplicates'] })
  await runDeferredChecks(writeContext)
  return readRows(writeContext, model, args, rows)
}

async function updateMany(writeContext: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const { count } = await bulkUpdate(writeContext, model, { where: args['where'], limit: args['limit'] }, args['data'])
  await runDeferredChecks(writeContext)
  return { isReadable: true, result: { count } }
}

async function updateManyAndReturn(writeContext: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const range = { where: args['where'], limit: args['limit'] }
  const { ids = [] } = await bulkUpdate(writeContext, model, range, args['data'], true)
  await runDeferredChecks(writeContext)
  return readRows(writeContext, model, args, ids)
}

async function removeMany(writeContext: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const count = await bulkDelete(writeContext, model, { where: args['where'], limit: args['limit'] })
  await runDeferredChecks(writeContext)
  return { isReadable: true, result: { count } }
}

async function finishWrite(
  writeContext: WriteContext,
  model: PolicyModel,
  args: Args,
  row: Args,
): Promise<WriteResult> {
  await runDeferredChecks(writeContext)
  return readRow(writeContext, model, args, row)
}

/** Reads a written row under the caller's rules. */
async function readRow(writeContext: WriteContext, model: PolicyModel, args: Args, row: Args): Promise<WriteResult> {
  const readContext = createReadContext(writeContext)
  const selected = readableSelection(readContext, model, pickSelection(writeContext, model, args))
  const where = restrict(model, idFilter(model, row), readableCondition(readContext, model, []))
  const strategy = args[STRATEGY] === undefined ? {} : { [STRATEGY]: args[STRATEGY] }
  const query = { args: { ...selected.args, ...strategy, where }, plan: selected.plan }
  const { client } = writeContext
  const run = async (found: Args) =>
    rowsWithoutComputedFields(model, await callClient(client, model, 'findFirst', found))
  const result = await runReadableQuery(query, readContext, () => client, run)
  return { isReadable: result !== null, result }
}

async function readRows(
  writeContext: WriteContext,
  model: PolicyModel,
  args: Args,
  rows: readonly Args[],
): Promise<WriteResult> {
  const readContext = createReadContext(writeContext)
  const selected = readableSelection(readContext, model, pickSelection(writeContext, model, args), true)
  await resolveCursors(readContext.cursors, () => writeContext.client)
  const results: Record<string, unknown>[] = []
  const ids = rows.map((row) => idFilter(model, row))
  for (const chunk of chunkKeys(model.idFields, ids)) {
    const where = restrict(model, whereAnyKey(model.idFields, chunk), readableCondition(readContext, model, []))
    const found = await callClient(writeContext.client, model, 'findMany', { ...selected.args, where })
    results.push(...found.map((row) => rowWithoutComputedFields(model, row)))
  }
  const byKey = new Map(results.map((row) => [rowKey(model, row), row]))
  const result = rows.flatMap((row) => byKey.get(rowKey(model, row)) ?? [])
  if (selected.plan)
    await redact(
      result,
      selected.plan,
      matchingKeysQuery(() => writeContext.client),
    )
  return { isReadable: result.length === rows.length, result }
}

function pickSelection({ computed }: WriteContext, model: PolicyModel, args: Args): Args {
  const keys = ['select', 'include', 'omit'].filter((key) => args[key] !== undefined)
  return addNeeds(computed, model, Object.fromEntries(keys.map((key) => [key, args[key]])))
}

const ACTIONS: readonly Action[] = ['create', 'read', 'update', 'delete']

/** Whether a write can be passed to the client unchanged: everything that it writes and returns is allowed on every row. */
export function isPassthroughWrite(
  access: Pick<ReadContext, 'rules' | 'computed'>,
  schema: PolicySchema,
  model: PolicyModel,
  operation: string,
  args: Args,
): boolean {
  // Nested writes are inspected even if every model is open, because they could reach a hidden model that has no rules.
  const { rules } = access
  const readContext = createReadContext(access)
  if (!rules.isOpen('read', model)) return false
  const selected = readableSelection(readContext, model, args)
  if (selected.args !== args || selected.plan || readContext.cursors.length > 0) return false
  const where = flattenUniqueWhere(model, args['where'] ?? {})
  const used = findArithmeticFields(model, Object(args['update'] ?? args['data']))
  if (readableWhere(readContext, model, where, used) !== where) return false
  if (operation.startsWith('delete')) return rules.isOpen('delete', model)
  const data = operation === 'upsert' ? [args['create'], args['update']] : toArray(args['data'])
  const isCreate = operation === 'upsert' || operation.startsWith('create')
  const isUpdate = operation === 'upsert' || operation.startsWith('update')
  if (isCreate && !rules.isOpen('create', model)) return false
  if (isUpdate && !(rules.isOpen('update', model) && rules.isOpen(rules.outcome(model), model))) return false
  return data.every((row) => isPlainData(rules, schema, model, row))
}

/**
 * Whether a write connects rows under a condition. Prisma checks the condition in a separate query, but policies check it in the statement
 * that connects the rows.
 */
export function connectsConditionally({ relations }: PolicyModel, { data, create, update }: Args): boolean {
  return [data, create, update].flatMap(toArray).some((row) => {
    return isObject(row) && definedEntries(row).some(([name, value]) => relations.has(name) && hasCondition(value))
  })
}

function hasCondition(operations: unknown): boolean {
  return isObject(operations) && toArray(operations['connect']).some((where) => isObject(where) && 'AND' in where)
}

function isPlainData(rules: Rules, schema: PolicySchema, model: PolicyModel, data: unknown): boolean {
  if (!isObject(data)) return false
  const names = new Set(definedEntries(data).map(([name]) => name))
  // Nested operations may find rows by masked fields.
  const mayNest = () => !rules.isMasked && areAllOpen(rules, schema)
  for (const name of names) if (!model.fields.has(name)) return mayNest() && isSimpleData(model, data)
  return relationsUsingFields(model, names).every(({ target }) =>
    readableCondition({ rules }, target, []).every((condition) => condition === true),
  )
}

/** Whether every action is allowed on every model of the schema. Nested writes that only use these models are then allowed too. */
function areAllOpen(rules: Rules, schema: PolicySchema): boolean {
  return [...schema.values()].every((model) =>
    [...ACTIONS, rules.outcome(model)].every((action) => rules.isOpen(action, model)),
  )
}

function isSimpleData(model: PolicyModel, data: unknown): boolean {
  if (Array.isArray(data)) return data.every((item) => isSimpleData(model, item))
  if (!isObject(data)) return true
  return definedEntries(data).every(([name, value]) => {
    if (model.fields.has(name)) return true
    const relation = model.relations.get(name)
    if (!relation || !isObject(value)) return false
    return definedEntries(value).every(([operation, written]) => isSimpleWrite(relation.target, operation, written))
  })
}

function isSimpleWrite(target: PolicyModel, operation: string, written: unknown): boolean {
  if (operation === 'create') return isSimpleData(target, written)
  return operation === 'connect' || operation === 'disconnect' || operation === 'set'
}
