import { chunkKeys, whereAnyKey } from '../../prisma/keys.js'
import { callClient } from '../../prisma/call-client.js'
import { selectFields } from '../../prisma/select-fields.js'
import { type Condition, restrict } from '../rules/condition.js'
import { idFilter } from '../row-id.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'

/** Maximum number of attempts to lock a row with unchanged `@updatedAt` values. After that, the row is locked without comparing them. */
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
 * locks a row as well. Prisma would change `@updatedAt` fields that the update leaves out, so they are explicitly set to their current
 * values.
 * @param rows the rows as they were found
 * @param condition a condition that the statement can check
 */
export async function lockByUpdate(
  client: object,
  model: PolicyModel,
  rows: readonly Args[],
  condition: Condition,
): Promise<Lock> {
  const { idFields } = model
  const { updatedAtFields } = model.locking
  const column = lockColumn(model)
  const update = async (chunk: readonly Args[], data: Args, timestamps: Args = {}) => {
    const where = restrict(model, { ...timestamps, ...whereAnyKey(idFields, chunk) }, [condition])
    return (await callClient(client, model, 'updateMany', { where, data })).count
  }
  let count = 0
  let isForced = false
  if (updatedAtFields.length === 0) {
    const chunks = column === undefined ? rows.map((row) => [row]) : chunkKeys(idFields, rows)
    for (const chunk of chunks) {
      count += await update(chunk, column === undefined ? whereAnyKey(idFields, chunk) : { [column]: { increment: 0 } })
    }
    return { count, isForced }
  }
  const pickTimestamps = (row: Args) => Object.fromEntries(updatedAtFields.map((name) => [name, row[name]]))
  for (const row of rows) {
    let timestamps: Args | undefined = pickTimestamps(row)
    for (let attempt = 1; timestamps; attempt++) {
      const isLast = attempt > MAX_ATTEMPTS
      const changed = await update([row], timestamps, isLast ? {} : timestamps)
      count += changed
      isForced ||= isLast && changed > 0
      if (changed > 0 || isLast) break
      const query = { where: idFilter(model, row), select: selectFields(updatedAtFields) }
      timestamps = (await callClient(client, model, 'findFirst', query)) ?? undefined
    }
  }
  return { count, isForced }
}

/**
 * Returns a column that a statement can write without changing it and without knowing its value. PostgreSQL does not allow a statement to
 * write generated columns.
 */
function lockColumn({ fields, idFields }: PolicyModel): string | undefined {
  const numbers = [...fields].filter(([, { type, list }]) => !list && /^(Int|BigInt|Float|Decimal)$/.test(type))
  return (numbers.find(([, { generated }]) => !generated) ?? numbers.find(([name]) => idFields.includes(name)))?.[0]
}
