import { chunkKeys, whereAnyKey } from '../../prisma/keys.js'
import { STRATEGY } from '../../prisma/load-strategy.js'
import { callClient } from '../../prisma/call-client.js'
import { rowWithoutComputedFields, rowsWithoutComputedFields } from '../read/rows-without-computed-fields.js'
import { runReadableQuery, resolveCursors } from '../read/run-readable-query.js'
import { matchingKeysQuery } from '../read/matching-keys-query.js'
import { redact } from '../read/redact.js'
import { idFilter, rowKey } from '../row-id.js'
import type { PolicyModel } from '../policy-schema.js'
import { readableSelection } from '../read/readable-selection.js'
import { restrict } from '../rules/condition.js'
import { createReadContext } from '../read/read-context.js'
import { readableCondition } from '../read/readable-condition.js'
import type { Args } from '../args.js'
import { flattenUniqueWhere } from '../read/readable-where.js'
import { bulkUpdate, bulkDelete } from './bulk-update-and-delete.js'
import { bulkCreate } from './bulk-create.js'
import type { RowHooks, WriteContext } from './write-context.js'
import { updateRow, createRow, deleteRow, ROW_WRITER } from './row-writer.js'
import { findReadableRow, findReadableRowOrThrow } from './find-readable-row.js'
import { runDeferredChecks } from './deferred-checks.js'

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
  const found = await findReadableRowOrThrow(writeContext, model, flattenUniqueWhere(model, args['where']))
  return finishWrite(writeContext, model, args, await updateRow(writeContext, model, found, args['data']))
}

async function upsert(writeContext: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const found = await findReadableRow(writeContext, model, flattenUniqueWhere(model, args['where']))
  const row = found
    ? await updateRow(writeContext, model, found, args['update'])
    : await createRow(writeContext, model, args['create'])
  return finishWrite(writeContext, model, args, row)
}

async function remove(writeContext: WriteContext, model: PolicyModel, args: Args): Promise<WriteResult> {
  const found = await findReadableRowOrThrow(writeContext, model, flattenUniqueWhere(model, args['where']))
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
  const selected = readableSelection(readContext, model, pickSelection(args))
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
  const selected = readableSelection(readContext, model, pickSelection(args), true)
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

function pickSelection(args: Args): Args {
  return Object.fromEntries(
    ['select', 'include', 'omit'].flatMap((key) => (args[key] === undefined ? [] : [[key, args[key]]])),
  )
}
