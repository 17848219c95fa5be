import { type CallTarget, callClient } from './call-client.js'

/**
 * Sends a minimal query to the database.
 * @param model the model to query if the client does not support raw SQL
 * @param key a field of that model
 * @throws errors of the client
 */
export async function ping(client: unknown, model: CallTarget, key: string): Promise<void> {
  const raw: unknown =
    typeof client === 'object' && client !== null ? Reflect.get(client, '$queryRawUnsafe') : undefined
  if (typeof raw === 'function') await raw.call(client, 'SELECT 1')
  else await callClient(client, model, 'findFirst', { select: { [key]: true } })
}
