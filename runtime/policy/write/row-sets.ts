import { databaseFaultOf } from '../../errors/database-fault.js'
import { ChangedRowError } from '../../errors/policy-error.js'
import { chunksOf, keyText, whereKeys } from '../../orm/keys.js'
import { callClient } from '../../orm/port.js'
import { allOf, type Condition, filterOf, restrict } from '../rules/condition.js'
import { meeting } from '../read/find.js'
import { idOf, keyOf } from '../read/plan.js'
import { readable, readingOf } from '../read/read.js'
import { counted } from './counted.js'
import type { PolicyModel } from '../schema.js'
import { deny, type Tree } from '../tree.js'
import { readableWhere } from '../read/where.js'
import { NO_HOOKS } from './row-hooks.js'
import { addedNames, expectUpdated, findRow, permit, requireRow, rowSelect, VERBS, type Writing } from './writing.js'

/**
 * Finds rows that may be read, some hundreds by one query.
 * @param wheres plain filters, each of one row
 * @param more what they must meet besides
 * @returns the keys of each; null where there is none
 */
export async function findRows(
  writing: Writing,
  model: PolicyModel,
  wheres: readonly Tree[],
  more: Condition = true,
): Promise<readonly (Tree | null)[]> {
  const found = await findTogether(writing, model, wheres, more)
  const rows: (Tree | null)[] = []
  // A text may be found by another spelling of it. Then it is not known which filter it was found by.
  for (const where of wheres) rows.push(found(where) ?? (await findRow(writing, model, where, more)))
  return rows
}

/**
 * As {@link findRows}, for rows that must be there.
 * @throws MissingRowError as Prisma does where one is not
 */
export async function requireRows(writing: Writing, model: PolicyModel, wheres: readonly Tree[]): Promise<Tree[]> {
  const found = await findTogether(writing, model, wheres, true)
  const rows: Tree[] = []
  for (const where of wheres) rows.push(found(where) ?? (await requireRow(writing, model, where)))
  return rows
}

async function findTogether(
  writing: Writing,
  model: PolicyModel,
  wheres: readonly Tree[],
  more: Condition,
): Promise<(where: Tree) => Tree | undefined> {
  const [first] = wheres
  const names = first && wheres.length > 1 ? Object.keys(first) : []
  const isSame = (where: Tree) =>
    Object.keys(where).length === names.length &&
    names.every((name) => model.fields.has(name) && ['string', 'number', 'bigint'].includes(typeof where[name]))
  if (names.length === 0 || !wheres.every(isSame)) return () => undefined
  const select = { ...rowSelect(writing, model), ...Object.fromEntries(names.map((name) => [name, true])) }
  const foundBy = allOf([...readable(writing, model, names), more])
  const rows = new Map<string, Tree>()
  for (const some of chunksOf(names, wheres)) {
    const where = restrict(model, readableWhere(readingOf(writing), model, whereKeys(names, some)), [more])
    for (const row of await callClient(writing.client, model, 'findMany', { where, select })) {
      rows.set(keyText(names, row), row)
      if (typeof foundBy !== 'boolean') writing.foundBy.set(row, foundBy)
    }
  }
  return (where) => rows.get(keyText(names, where))
}

/**
 * Gives rows that may be read the same values of a foreign key.
 * @throws PolicyError where one may not be changed
 */
export async function changeTogether(
  writing: Writing,
  model: PolicyModel,
  rows: readonly Tree[],
  values: Tree,
  written: string,
): Promise<void> {
  const oneByOne = async (by: Writing, some: readonly Tree[], data: Tree) => {
    for (const row of some) await by.rows.change(by, model, row, {}, { values: data, written })
  }
  const { hooks } = writing
  const isSet = rows.length > 1 && (hooks.hearsSet(model, 'update') || !hooks.hearsRow(model, 'update'))
  if (!isSet) return oneByOne(writing, rows, values)
  permit(writing.rules, 'update', model, [written])
  const ids = whereKeys(model.idFields, idsOf(model, rows))
  const data = hooks.hearsSet(model, 'update') ? await hooks.changingSet(writing, model, ids, values) : values
  const names = [written, ...addedNames(values, data)]
  const condition = permit(writing.rules, 'update', model, names)
  // Told already.
  const silent = { ...writing, hooks: NO_HOOKS }
  for (const [some, guard] of guarded(writing, model, rows)) {
    const where = restrict(model, whereKeys(model.idFields, idsOf(model, some)), [guard, condition])
    const count = await countOf(() =>
      callClient(writing.client, model, 'updateMany', { where, data: counted(model, data) }),
    )
    if (count === undefined) await oneByOne(silent, some, data)
    else {
      if (count < some.length) await requireAllMet(writing, model, some, condition)
      for (const row of some) expectUpdated(writing, model, { ...row, ...data }, names, condition)
    }
  }
  if (hooks.hearsSet(model, 'update')) await hooks.changedSet(writing, model, ids, data, rows.length)
}

/**
 * Holds rows as they are until the transaction ends, if they still are what they were found by and what a condition asks for: no
 * other transaction can change them before what this one ties to them is there.
 * @throws PolicyError where one does not meet the condition
 */
export async function holdRows(
  writing: Writing,
  model: PolicyModel,
  rows: readonly Tree[],
  condition: Condition,
): Promise<void> {
  const column = heldBy(model)
  for (const [some, guard] of guarded(writing, model, rows)) {
    const both = allOf([guard, condition])
    if (both === true) continue
    const where = restrict(model, whereKeys(model.idFields, idsOf(model, some)), [both])
    const data = column === undefined ? undefined : { [column]: { increment: 0 } }
    const count = data && (await countOf(() => callClient(writing.client, model, 'updateMany', { where, data })))
    if (count === undefined) await requireMembersMet(writing, model, some, condition)
    else if (count < some.length) await requireAllMet(writing, model, some, condition)
  }
}

/** A column that a statement can write without changing it, in rows of which it knows nothing. */
function heldBy({ fields }: PolicyModel): string | undefined {
  const numbers = [...fields].filter(([, { type, list }]) => !list && /^(Int|BigInt|Float|Decimal)$/.test(type))
  return (numbers.find(([, { generated }]) => !generated) ?? numbers[0])?.[0]
}

/** How many rows a statement wrote; undefined where the client or the database cannot make it. */
async function countOf(write: () => PromiseLike<{ readonly count: number }>): Promise<number | undefined> {
  try {
    return (await write()).count
  } catch (error) {
    if (databaseFaultOf(error) === 'bad-arguments') return undefined
    throw error
  }
}

/** Says why not all rows were written. */
async function requireAllMet(
  writing: Writing,
  model: PolicyModel,
  rows: readonly Tree[],
  condition: Condition,
): Promise<never> {
  await requireMembersMet(writing, model, rows, condition)
  throw new ChangedRowError(model.name)
}

async function requireMembersMet(
  writing: Writing,
  model: PolicyModel,
  rows: readonly Tree[],
  condition: Condition,
): Promise<void> {
  if (condition === true) return
  const met = await meeting(() => writing.client)(model, idsOf(model, rows), filterOf(model, condition))
  if (!rows.every((row) => met.has(keyOf(model, row)))) deny(`A row of ${model.name} may not be ${VERBS['update']}.`)
}

/** Rows in chunks that were found by the same condition, none of them twice. */
function guarded(
  { foundBy }: Writing,
  model: PolicyModel,
  rows: readonly Tree[],
): readonly (readonly [rows: readonly Tree[], guard: Condition])[] {
  const groups = new Map<Tree | undefined, Map<string, Tree>>()
  for (const row of rows) {
    const group = groups.get(foundBy.get(row)) ?? new Map<string, Tree>()
    groups.set(foundBy.get(row), group.set(keyOf(model, row), row))
  }
  return [...groups].flatMap(([guard, group]) =>
    chunksOf(model.idFields, [...group.values()]).map((some) => [some, guard ?? true] as const),
  )
}

function idsOf(model: PolicyModel, rows: readonly Tree[]): Tree[] {
  return rows.map((row) => idOf(model, row))
}
