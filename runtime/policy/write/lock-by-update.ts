import { chunkKeys, whereAnyKey } from '../../orm/keys.js'
import { callClient } from '../../orm/client-port.js'
import { selectFields } from '../../orm/select-fields.js'
import { type Condition, restrict } from '../rules/condition.js'
import { idFilter } from '../read/redaction.js'
import type { PolicyModel } from '../schema.js'
import type { Args } from '../args.js'

/** Attempts to lock a row together with its `@updatedAt` values. The next attempt locks the row without comparing them. */
const MAX_ATTEMPTS = 2

/** The result of locking rows. */
interface Lock {
  /** The number of locked rows. */
  readonly count: number
  /** Whether `@updatedAt` values of rows may have been overwritten. */
  readonly isForced: boolean
}

/**
 * Locks rows until the transaction ends, if they meet a condition. Prisma has no `SELECT … FOR UPDATE`, but an update that changes nothing
 * locks a row as well. Prisma sets `@updatedAt` fields that an update leaves out, so they are set to the values that the row has.
 * @param rows the rows as they were found
 * @param condition one that the statement can check
 */
export async function lockByUpdate(
  client: object,
  model: PolicyModel,
  rows: readonly Args[],
  condition: Condition,
): Promise<Lock> {
  const { idFields } = model
  const { stamps } = model.locking
  const column = lockColumn(model)
  const update = async (some: readonly Args[], data: Args, kept: Args = {}) => {
    const where = restrict(model, { ...kept, ...whereAnyKey(idFields, some) }, [condition])
    return (await callClient(client, model, 'updateMany', { where, data })).count
  }
  let count = 0
  let isForced = false
  if (stamps.length === 0) {
    const each = column === undefined ? rows.map((row) => [row]) : chunkKeys(idFields, rows)
    for (const some of each) {
      count += await update(some, column === undefined ? whereAnyKey(idFields, some) : { [column]: { increment: 0 } })
    }
    return { count, isForced }
  }
  const stampsOf = (row: Args) => Object.fromEntries(stamps.map((name) => [name, row[name]]))
  for (const row of rows) {
    let kept: Args | undefined = stampsOf(row)
    for (let attempt = 1; kept; attempt++) {
      const isLast = attempt > MAX_ATTEMPTS
      const changed = await update([row], kept, isLast ? {} : kept)
      count += changed
      isForced ||= isLast && changed > 0
      if (changed > 0 || isLast) break
      const query = { where: idFilter(model, row), select: selectFields(stamps) }
      kept = (await callClient(client, model, 'findFirst', query)) ?? undefined
    }
  }
  return { count, isForced }
}

/**
 * A column that a statement can write without changing it and without knowing its value. PostgreSQL lets no statement write a column that it
 * computes.
 */
function lockColumn({ fields, idFields }: PolicyModel): string | undefined {
  const numbers = [...fields].filter(([, { type, list }]) => !list && /^(Int|BigInt|Float|Decimal)$/.test(type))
  return (numbers.find(([, { generated }]) => !generated) ?? numbers.find(([name]) => idFields.includes(name)))?.[0]
}
