/** The method of a client with `mask` hooks that applies them to rows loaded with other clients: `(rows, model) => rows`. */
export const MASK = '$mask'

/** Applies the `mask` hooks of a request's client to rows that the app may have loaded with another client. */
export function maskRows<R>(client: unknown, model: string, rows: R): R {
  const mask: unknown = typeof client === 'object' && client !== null ? Reflect.get(client, MASK) : undefined
  return typeof mask === 'function' ? mask(rows, model) : rows
}
