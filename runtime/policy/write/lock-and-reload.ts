import { MissingRowError } from '../../errors/policy-error.js'
import { supportsRowLocks } from '../../orm/row-lock.js'
import { callClient, PROVIDER } from '../../orm/client-port.js'
import { restrict } from '../rules/condition.js'
import { idFilter } from '../read/redaction.js'
import type { PolicyModel } from '../schema.js'
import type { Args } from '../args.js'
import { writeSelect, type WriteContext } from './write-context.js'

/** Number of attempts to lock a row together with its `@updatedAt` values. The next attempt locks the row by its id only. */
const MAX_ATTEMPTS = 2

/**
 * Locks a row until the transaction ends and reads it again before hooks receive it, so decisions based on the row are still valid when it is
 * written. Prisma has no `SELECT … FOR UPDATE`, so the id is set to its own value. On MySQL the transaction must be READ COMMITTED, or the row
 * is as old as the transaction's first query.
 * @param row the row as it was found
 * @returns the row as it is now
 * @throws MissingRowError if it no longer exists for the caller
 */
export async function lockAndReload(writing: WriteContext, model: PolicyModel, row: Args): Promise<Args> {
  const { client, foundBy } = writing
  const provider: unknown = Reflect.get(client, PROVIDER)
  if (typeof provider !== 'string' || !supportsRowLocks({ provider })) return row
  const { id, stamps } = model.locking
  const byId = idFilter(model, row)
  const guard = foundBy.get(row)
  const query = { where: guard ? restrict(model, byId, [guard]) : byId, select: writeSelect(writing, model) }
  let current = row
  for (let attempt = 1; ; attempt++) {
    // Prisma sets `@updatedAt` fields that an update leaves out.
    const kept = Object.fromEntries(stamps.map((name) => [name, current[name]]))
    const isLast = stamps.length === 0 || attempt > MAX_ATTEMPTS
    const where = isLast ? byId : { ...kept, ...byId }
    const data = { ...kept, ...Object.fromEntries(id.map((name) => [name, row[name]])) }
    const { count } = await callClient(client, model, 'updateMany', { where, data })
    const found = await callClient(client, model, 'findFirst', query)
    if (!found) throw new MissingRowError('P2025', `A row of ${model.name} that the write needs was not found.`)
    current = found
    if (count > 0 || isLast) break
  }
  if (guard) foundBy.set(current, guard)
  return current
}
