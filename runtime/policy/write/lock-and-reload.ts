import { MissingRowError } from '../../errors/row-errors.js'
import { callClient } from '../../prisma/call-client.js'
import { restrict } from '../rules/condition.js'
import { idFilter } from '../row-id.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'
import { lockByUpdate } from './lock-by-update.js'
import { usesLocks } from './lock-and-check.js'
import type { WriteContext } from './write-context.js'
import { writeSelect } from './find-readable-row.js'

/**
 * Locks a row until the transaction ends and reads it again before hooks receive it, so that decisions based on the row are still valid
 * when it is written. On MySQL, the transaction must be READ COMMITTED. Otherwise, the result would be the row as of the transaction's
 * first query.
 * @param row the row as it was found
 * @returns the current row
 * @throws MissingRowError if it no longer exists or is no longer readable
 */
export async function lockAndReload(writeContext: WriteContext, model: PolicyModel, row: Args): Promise<Args> {
  const { client, foundBy } = writeContext
  if (!usesLocks(client)) return row
  const byId = idFilter(model, row)
  const guard = foundBy.get(row)
  const query = { where: guard ? restrict(model, byId, [guard]) : byId, select: writeSelect(writeContext, model) }
  await lockByUpdate(client, model, [row], true)
  const current = await callClient(client, model, 'findFirst', query)
  if (!current) throw new MissingRowError('P2025', `A row of ${model.name} that the write needs was not found.`)
  if (guard) foundBy.set(current, guard)
  return current
}
