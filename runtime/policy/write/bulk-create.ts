import { callClient, hasOperation } from '../../prisma/call-client.js'
import type { PolicyModel } from '../policy-schema.js'
import { toArray, type Args } from '../args.js'
import { deny } from '../../errors/policy-error.js'
import { scalarData } from './split-data.js'
import { changedKeys, nestedContext, type ParentLink, type WriteContext } from './write-context.js'
import { assertTargetsReadable, relationsUsingFields } from './assert-targets-readable.js'
import { writeSelect } from './find-readable-row.js'
import { deferRowCheck } from './deferred-checks.js'
import { writeCondition } from './write-condition.js'

/**
 * Creates rows without relations.
 * @returns the keys of the created rows
 */
export async function bulkCreate(
  writeContext: WriteContext,
  model: PolicyModel,
  { data, skipDuplicates }: { readonly data: unknown; readonly skipDuplicates?: unknown },
  link?: ParentLink,
): Promise<Args[]> {
  const rows = toArray(data).map((row) => scalarData(model, row, link))
  const { client } = writeContext
  if (!hasOperation(client, model, 'createManyAndReturn')) {
    if (skipDuplicates === true) {
      deny(`Rows of ${model.name} cannot be created with "skipDuplicates" here. Create them one by one.`)
    }
    return mapSequentially(rows, ({ scalars }, index) =>
      writeContext.rows.create(nestedContext(writeContext, index), model, scalars, link),
    )
  }
  if (rows.length === 0) return []
  const inputs = rows.map(({ scalars }) => ({ ...scalars, ...link?.values }))
  const isHooked = writeContext.hooks.hasRowHooks(model, 'create')
  const rowData = isHooked
    ? await mapSequentially(inputs, (row, index) => beforeCreate(writeContext, model, row, index))
    : inputs
  // The returned rows cannot be matched to the input rows. Therefore, a field that any row sets must be allowed in all rows.
  const added = rowData.flatMap((flat, index) => changedKeys(inputs[index] ?? {}, flat))
  const written = new Set([...rows.flatMap((row) => row.names), ...added])
  const condition = writeCondition(writeContext.rules, 'create', model, [...written])
  const created = await callClient(client, model, 'createManyAndReturn', {
    data: rowData,
    ...(skipDuplicates === undefined ? {} : { skipDuplicates }),
    select: writeSelect(writeContext, model),
  })
  const names = [...rows.flatMap(({ scalars }) => Object.keys(scalars)), ...added]
  await assertTargetsReadable(writeContext, model, created, relationsUsingFields(model, new Set(names)))
  for (const row of created) deferRowCheck(writeContext, 'create', model, row, condition)
  if (isHooked) for (const row of created) await writeContext.hooks.afterCreate(writeContext, model, row)
  return created
}

function beforeCreate(writeContext: WriteContext, model: PolicyModel, row: Args, index: number): Promise<Args> {
  return writeContext.hooks.beforeCreate(nestedContext(writeContext, index), model, row)
}

async function mapSequentially<T, R>(
  list: readonly T[],
  convert: (item: T, index: number) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  for (const [index, item] of list.entries()) results.push(await convert(item, index))
  return results
}
