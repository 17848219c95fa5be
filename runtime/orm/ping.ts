import { type CallTarget, callClient } from './client-port.js'

/**
 * Asks a database for the least there is.
 * @param model whose rows are asked for where the client has no SQL
 * @param key a field of it
 * @throws whatever the client throws
 */
export async function ping(client: unknown, model: CallTarget, key: string): Promise<void> {
  const raw: unknown =
    typeof client === 'object' && client !== null ? Reflect.get(client, '$queryRawUnsafe') : undefined
  if (typeof raw === 'function') await raw.call(client, 'SELECT 1')
  else await callClient(client, model, 'findFirst', { select: { [key]: true } })
}
