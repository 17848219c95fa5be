import { chunkKeys, whereAnyKey } from '../../orm/keys.js'
import { STRATEGY } from '../../orm/load-strategy.js'
import { callClient } from '../../orm/client-port.js'
import { withoutComputedFields, withoutComputed } from '../read/computed-fields.js'
import { runReadableQuery, resolveCursors, rowMatcher } from '../read/run-query.js'
import { redact, idFilter, rowKey } from '../read/redaction.js'
import type { PolicyModel } from '../schema.js'
import { readableSelection } from '../read/selection.js'
import { restrict } from '../rules/condition.js'
import { readableCondition, createReadContext } from '../read/context.js'
import type { Args } from '../args.js'
import { flattenUniqueWhere } from '../read/where.js'
import { bulkUpdate, bulkDelete } from './bulk.js'
import { bulkCreate } from './bulk-create.js'
import type { RowHooks } from './row-hooks.js'
import { updateRow, createRow, deleteRow, ROW_WRITER } from './row-writer.js'
import { findReadableRow, findReadableRowOrThrow, runDeferredChecks, type WriteContext } from './write-context.js'

/** The result of a write, or the fact that it is not readable. */
export interface WriteResult {
  readonly isReadable: boolean
  readonly result: unknown
}

type Write = (writing: WriteContext, model: PolicyModel, args: Args) => Promise<WriteResult>

/** Creates a {@link WriteContext}. */
export function createWriteContext(
  ruling: Pick<WriteContext, 'rules' | 'computed'>,
  client: object,
  hooks: RowHooks,
): WriteContext {
  return {
    ...ruling,
    client,
    hooks,
    path: [],
    expectations: [],
    rows: ROW_WRITER,
    foundBy: new WeakMap(),
    locked: new WeakSet(),
    removals: new Map(),
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

async function create(writing: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  return finishWrite(writing, model, args, await createRow(writing, model, args['data']))
}

async function update(writing: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const found = await findReadableRowOrThrow(writing, model, flattenUniqueWhere(model, args['where']))
  return finishWrite(writing, model, args, await updateRow(writing, model, found, args['data']))
}

async function upsert(writing: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const found = await findReadableRow(writing, model, flattenUniqueWhere(model, args['where']))
  const row = found
    ? await updateRow(writing, model, found, args['update'])
    : await createRow(writing, model, args['create'])
  return finishWrite(writing, model, args, row)
}

async function remove(writing: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const found = await findReadableRowOrThrow(writing, model, flattenUniqueWhere(model, args['where']))
  const result = await readBack(writing, model, args, found)
  await deleteRow(writing, model, found)
  await runDeferredChecks(writing)
  return result
}

async function createMany(writing: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const rows = await bulkCreate(writing, model, { data: args['data'], skipDuplicates: args['skipDuplicates'] })
  await runDeferredChecks(writing)
  return { isReadable: true, result: { count: rows.length } }
}

async function createManyAndReturn(writing: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const rows = await bulkCreate(writing, model, { data: args['data'], skipDuplicates: args['skipDuplicates'] })
  await runDeferredChecks(writing)
  return readAllBack(writing, model, args, rows)
}

async function updateMany(writing: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const { count } = await bulkUpdate(writing, model, { where: args['where'], limit: args['limit'] }, args['data'])
  await runDeferredChecks(writing)
  return { isReadable: true, result: { count } }
}

async function updateManyAndReturn(writing: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const range = { where: args['where'], limit: args['limit'] }
  const { ids = [] } = await bulkUpdate(writing, model, range, args['data'], true)
  await runDeferredChecks(writing)
  return readAllBack(writing, model, args, ids)
}

async function removeMany(writing: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const count = await bulkDelete(writing, model, { where: args['where'], limit: args['limit'] })
  await runDeferredChecks(writing)
  return { isReadable: true, result: { count } }
}

async function finishWrite(writing: WriteContext, model: PolicyModel, args: Args, row: Args): Promise<WriteResult> {
  await runDeferredChecks(writing)
  return readBack(writing, model, args, row)
}

/** Reads a written row under the caller's rules. */
async function readBack(writing: WriteContext, model: PolicyModel, args: Args, row: Args): Promise<WriteResult> {
  const reading = createReadContext(writing)
  const selected = readableSelection(reading, model, pickSelection(args))
  const where = restrict(model, idFilter(model, row), readableCondition(reading, model, []))
  const strategy = args[STRATEGY] === undefined ? {} : { [STRATEGY]: args[STRATEGY] }
  const query = { args: { ...selected.args, ...strategy, where }, plan: selected.plan }
  const { client } = writing
  const run = async (found: Args) => withoutComputed(model, await callClient(client, model, 'findFirst', found))
  const result = await runReadableQuery(query, reading, () => client, run)
  return { isReadable: result !== null, result }
}

async function readAllBack(
  writing: WriteContext,
  model: PolicyModel,
  args: Args,
  rows: readonly Args[],
): Promise<WriteResult> {
  const reading = createReadContext(writing)
  const selected = readableSelection(reading, model, pickSelection(args), true)
  await resolveCursors(reading.cursors, () => writing.client)
  const results: Record<string, unknown>[] = []
  const ids = rows.map((row) => idFilter(model, row))
  for (const chunk of chunkKeys(model.idFields, ids)) {
    const where = restrict(model, whereAnyKey(model.idFields, chunk), readableCondition(reading, model, []))
    const found = await callClient(writing.client, model, 'findMany', { ...selected.args, where })
    results.push(...found.map((row) => withoutComputedFields(model, row)))
  }
  const byKey = new Map(results.map((row) => [rowKey(model, row), row]))
  const result = rows.flatMap((row) => byKey.get(rowKey(model, row)) ?? [])
  if (selected.plan)
    await redact(
      result,
      selected.plan,
      rowMatcher(() => writing.client),
    )
  return { isReadable: result.length === rows.length, result }
}

function pickSelection(args: Args): Args {
  return Object.fromEntries(
    ['select', 'include', 'omit'].flatMap((key) => (args[key] === undefined ? [] : [[key, args[key]]])),
  )
}
