/** The actions that access policies can check. */
export type CheckedAction = 'read' | 'create' | 'update' | 'delete'

/** Checks whether the policies of a client allow an action. */
export interface Allows {
  /** Whether the action is allowed on any row of a model, or on any row that matches a filter. */
  (model: string, action: CheckedAction, where?: Readonly<Record<string, unknown>>): Promise<boolean>
  /** Whether a field or relation is hidden in some of the readable rows. Does not query the database. */
  readonly restricts?: (model: string, field: string) => boolean
  /** Whether all rows of a model are readable, with all fields. Does not query the database. */
  readonly showsAll?: (model: string) => boolean
}

/** The name of the {@link Allows} method of a client with access policies. */
export const ALLOWS = '$check'

/**
 * Returns the policy check of a client.
 * @returns undefined if the client has no policies
 */
export function policyCheckOf(client: unknown): Allows | undefined {
  if (typeof client !== 'object' || client === null) return undefined
  const method: unknown = Reflect.get(client, ALLOWS)
  return typeof method === 'function' ? (method as Allows) : undefined
}

/** The method of a client with `mask` hooks that applies them to rows loaded with other clients: `(rows, model) => rows`. */
export const MASK = '$mask'

/** Applies the `mask` hooks of a request's client to rows that the app may have loaded with another client. */
export function maskRows<R>(client: unknown, model: string, rows: R): R {
  const mask: unknown = typeof client === 'object' && client !== null ? Reflect.get(client, MASK) : undefined
  return typeof mask === 'function' ? mask(rows, model) : rows
}
