import { callClient, hasOperation } from '../../orm/client-port.js'
import type { PolicyModel } from '../schema.js'
import { deny, toArray, type Args } from '../args.js'
import { scalarData } from './split-data.js'
import {
  assertTargetsReadable,
  changedKeys,
  deferRowCheck,
  nestedContext,
  type ParentLink,
  relationsUsingFields,
  writeCondition,
  writeSelect,
  type WriteContext,
} from './write-context.js'

/**
 * Creates rows without relations.
 * @returns the keys of the created rows
 */
export async function bulkCreate(
  writing: WriteContext,
  model: PolicyModel,
  { data, skipDuplicates }: { readonly data: unknown; readonly skipDuplicates?: unknown },
  link?: ParentLink,
): Promise<Args[]> {
  const rows = toArray(data).map((row) => scalarData(model, row, link))
  const { client } = writing
  if (!hasOperation(client, model, 'createManyAndReturn')) {
    if (skipDuplicates === true) {
      deny(`Rows of ${model.name} cannot be created with "skipDuplicates" here: create them one by one.`)
    }
    return eachInTurn(rows, ({ scalars }, at) => writing.rows.create(nestedContext(writing, at), model, scalars, link))
  }
  if (rows.length === 0) return []
  const inputs = rows.map(({ scalars }) => ({ ...scalars, ...link?.values }))
  const isHooked = writing.hooks.hasRowHooks(model, 'create')
  const flats = isHooked ? await eachInTurn(inputs, (row, at) => beforeCreate(writing, model, row, at)) : inputs
  // All rows must be allowed to have a field that any of them sets, because the returned rows cannot be matched to the given ones.
  const added = flats.flatMap((flat, at) => changedKeys(inputs[at] ?? {}, flat))
  const written = new Set([...rows.flatMap((row) => row.written), ...added])
  const condition = writeCondition(writing.rules, 'create', model, [...written])
  const created = await callClient(client, model, 'createManyAndReturn', {
    data: flats,
    ...(skipDuplicates === undefined ? {} : { skipDuplicates }),
    select: writeSelect(writing, model),
  })
  const names = [...rows.flatMap(({ scalars }) => Object.keys(scalars)), ...added]
  await assertTargetsReadable(writing, model, created, relationsUsingFields(model, new Set(names)))
  for (const row of created) deferRowCheck(writing, 'create', model, row, condition)
  if (isHooked) for (const row of created) await writing.hooks.afterCreate(writing, model, row)
  return created
}

function beforeCreate(writing: WriteContext, model: PolicyModel, row: Args, at: number): Promise<Args> {
  return writing.hooks.beforeCreate(nestedContext(writing, at), model, row)
}

async function eachInTurn<T, R>(list: readonly T[], make: (one: T, at: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (const [at, item] of list.entries()) results.push(await make(item, at))
  return results
}
