import { MissingRowError } from '../../errors/row-errors.js'
import { callClient } from '../../prisma/call-client.js'
import { type Condition, restrict } from '../rules/condition.js'
import { createReadContext } from '../read/read-context.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'
import { readableWhere } from '../read/readable-where.js'
import type { WriteContext } from './write-context.js'

/** Returns the `select` that a write needs: the row's keys, or all fields if the model has row hooks. */
export function writeSelect({ hooks }: WriteContext, model: PolicyModel): Args {
  const isHooked = KINDS.some((kind) => hooks.hasRowHooks(model, kind))
  return Object.fromEntries([...(isHooked ? model.fields.keys() : model.keys)].map((name) => [name, true]))
}

const KINDS = ['create', 'update', 'delete'] as const

/**
 * Finds a row that the caller may read.
 * @returns the fields of {@link writeSelect}, or null
 */
export async function findReadableRow(
  writeContext: WriteContext,
  model: PolicyModel,
  where: Args,
  guard: Condition = true,
): Promise<Args | null> {
  const readable = readableWhere(createReadContext(writeContext), model, where)
  const found = restrict(model, readable, [guard])
  const row = await callClient(writeContext.client, model, 'findFirst', {
    where: found,
    select: writeSelect(writeContext, model),
  })
  if (row && !Object.keys(found).every((name) => model.idFields.includes(name))) writeContext.foundBy.set(row, found)
  return row
}

/**
 * Like {@link findReadableRow}, but throws if there is no such row.
 * @throws MissingRowError with the same code that Prisma uses
 */
export async function findReadableRowOrThrow(
  writeContext: WriteContext,
  model: PolicyModel,
  where: Args,
  guard: Condition = true,
): Promise<Args> {
  const row = await findReadableRow(writeContext, model, where, guard)
  if (!row) throw new MissingRowError('P2025', `A row of ${model.name} that the write needs was not found.`)
  return row
}
