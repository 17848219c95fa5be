import type { LifecycleStyle } from '../../http/lifecycle.js'
import { callClient } from '../../prisma/call-client.js'
import { getPrimary } from '../../prisma/replicas.js'

/**
 * Sends a minimal query to the database.
 * @param models the first one is queried if the client does not support raw SQL
 * @throws errors of the client
 */
export async function ping(client: unknown, models: LifecycleStyle['models']): Promise<void> {
  const primary = getPrimary(client)
  const raw: unknown =
    typeof primary === 'object' && primary !== null ? Reflect.get(primary, '$queryRawUnsafe') : undefined
  if (typeof raw === 'function') {
    await raw.call(primary, 'SELECT 1')
    return
  }
  const [model] = models.values()
  const [field = ''] = model?.uniques.get(model.id) ?? []
  if (model) await callClient(primary, model, 'findFirst', { select: { [field]: true } })
}
