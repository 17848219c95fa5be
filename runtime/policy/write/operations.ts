import { chunksOf, whereKeys } from '../../orm/keys.js'
import { STRATEGY } from '../../orm/exact-relations.js'
import { callClient } from '../../orm/port.js'
import { ownMembers, withoutComputed } from '../read/computed.js'
import { findReadable, lookForCursors, meeting } from '../read/find.js'
import { applyPlan, idOf, keyOf } from '../read/plan.js'
import type { PolicyModel } from '../schema.js'
import { readableSelection } from '../read/selection.js'
import { restrict } from '../rules/condition.js'
import { readable, readingOf } from '../read/read.js'
import type { Tree } from '../tree.js'
import { plainWhere } from '../read/where.js'
import { changeRows, createRows, deleteRows } from './many-rows.js'
import type { RowHooks } from './row-hooks.js'
import { changeRow, createRow, deleteRow, ROW_WRITES } from './rows.js'
import { findRow, requireRow, settle, type Writing } from './writing.js'

/** What a write is answered with: a result, or that the result may not be read. */
export interface WriteAnswer {
  readonly isReadable: boolean
  readonly result: unknown
}

type Write = (writing: Writing, model: PolicyModel, args: Tree) => Promise<WriteAnswer>

/** Begins a write: see {@link Writing}. */
export function writingOf(ruling: Pick<Writing, 'rules' | 'computed'>, client: object, hooks: RowHooks): Writing {
  return {
    ...ruling,
    client,
    hooks,
    path: [],
    expectations: [],
    rows: ROW_WRITES,
    foundBy: new WeakMap(),
    removals: new Map(),
  }
}

/** The operations that write, by name. Each leaves nothing behind that the rules forbid, or throws. */
export const WRITES: ReadonlyMap<string, Write> = new Map<string, Write>([
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

async function create(writing: Writing, model: PolicyModel, args: Tree): Promise<WriteAnswer> {
  return written(writing, model, args, await createRow(writing, model, args['data']))
}

async function update(writing: Writing, model: PolicyModel, args: Tree): Promise<WriteAnswer> {
  const found = await requireRow(writing, model, plainWhere(model, args['where']))
  return written(writing, model, args, await changeRow(writing, model, found, args['data']))
}

async function upsert(writing: Writing, model: PolicyModel, args: Tree): Promise<WriteAnswer> {
  const found = await findRow(writing, model, plainWhere(model, args['where']))
  const row = found
    ? await changeRow(writing, model, found, args['update'])
    : await createRow(writing, model, args['create'])
  return written(writing, model, args, row)
}

async function remove(writing: Writing, model: PolicyModel, args: Tree): Promise<WriteAnswer> {
  const found = await requireRow(writing, model, plainWhere(model, args['where']))
  const answer = await readBack(writing, model, args, found)
  await deleteRow(writing, model, found)
  await settle(writing)
  return answer
}

async function createMany(writing: Writing, model: PolicyModel, args: Tree): Promise<WriteAnswer> {
  const rows = await createRows(writing, model, { data: args['data'], skipDuplicates: args['skipDuplicates'] })
  await settle(writing)
  return { isReadable: true, result: { count: rows.length } }
}

async function createManyAndReturn(writing: Writing, model: PolicyModel, args: Tree): Promise<WriteAnswer> {
  const rows = await createRows(writing, model, { data: args['data'], skipDuplicates: args['skipDuplicates'] })
  await settle(writing)
  return readAllBack(writing, model, args, rows)
}

async function updateMany(writing: Writing, model: PolicyModel, args: Tree): Promise<WriteAnswer> {
  const { count } = await changeRows(writing, model, { where: args['where'], limit: args['limit'] }, args['data'])
  await settle(writing)
  return { isReadable: true, result: { count } }
}

async function updateManyAndReturn(writing: Writing, model: PolicyModel, args: Tree): Promise<WriteAnswer> {
  const range = { where: args['where'], limit: args['limit'] }
  const { ids = [] } = await changeRows(writing, model, range, args['data'], true)
  await settle(writing)
  return readAllBack(writing, model, args, ids)
}

async function removeMany(writing: Writing, model: PolicyModel, args: Tree): Promise<WriteAnswer> {
  const count = await deleteRows(writing, model, { where: args['where'], limit: args['limit'] })
  await settle(writing)
  return { isReadable: true, result: { count } }
}

async function written(writing: Writing, model: PolicyModel, args: Tree, row: Tree): Promise<WriteAnswer> {
  await settle(writing)
  return readBack(writing, model, args, row)
}

/** Reads a row as the caller may. */
async function readBack(writing: Writing, model: PolicyModel, args: Tree, row: Tree): Promise<WriteAnswer> {
  const reading = readingOf(writing)
  const selected = readableSelection(reading, model, shownOf(args))
  const where = restrict(model, idOf(model, row), readable(reading, model, []))
  const strategy = args[STRATEGY] === undefined ? {} : { [STRATEGY]: args[STRATEGY] }
  const query = { args: { ...selected.args, ...strategy, where }, plan: selected.plan }
  const { client } = writing
  const run = async (found: Tree) => withoutComputed(model, await callClient(client, model, 'findFirst', found))
  const result = await findReadable(query, reading, () => client, run)
  return { isReadable: result !== null, result }
}

async function readAllBack(
  writing: Writing,
  model: PolicyModel,
  args: Tree,
  rows: readonly Tree[],
): Promise<WriteAnswer> {
  const reading = readingOf(writing)
  const selected = readableSelection(reading, model, shownOf(args), true)
  await lookForCursors(reading.cursors, () => writing.client)
  const results: Record<string, unknown>[] = []
  const ids = rows.map((row) => idOf(model, row))
  for (const some of chunksOf(model.idFields, ids)) {
    const where = restrict(model, whereKeys(model.idFields, some), readable(reading, model, []))
    const found = await callClient(writing.client, model, 'findMany', { ...selected.args, where })
    results.push(...found.map((row) => ownMembers(model, row)))
  }
  const byKey = new Map(results.map((row) => [keyOf(model, row), row]))
  const result = rows.flatMap((row) => byKey.get(keyOf(model, row)) ?? [])
  if (selected.plan)
    await applyPlan(
      result,
      selected.plan,
      meeting(() => writing.client),
    )
  return { isReadable: result.length === rows.length, result }
}

function shownOf(args: Tree): Tree {
  return Object.fromEntries(
    ['select', 'include', 'omit'].flatMap((key) => (args[key] === undefined ? [] : [[key, args[key]]])),
  )
}
