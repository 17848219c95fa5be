/** What can be asked of access policies. */
export type CheckedAction = 'read' | 'create' | 'update' | 'delete'

/** Answers whether an action is allowed. */
export interface Allows {
  /** On any row of a model, or on one that meets a filter. */
  (model: string, action: CheckedAction, where?: Readonly<Record<string, unknown>>): Promise<boolean>
  /** Whether a field or a relation, of rows that may be read, may not always be read. Nothing is asked of the database. */
  readonly restricts?: (model: string, field: string) => boolean
  /** Whether every row of a model may be read, with every field. Nothing is asked of the database. */
  readonly showsAll?: (model: string) => boolean
}

/** The method of a client with access policies that answers it. */
export const ALLOWS = '$check'

/**
 * Asks a client whether an action is allowed.
 * @returns undefined where the client has no policies
 */
export function policyCheckOf(client: unknown): Allows | undefined {
  if (typeof client !== 'object' || client === null) return undefined
  const method: unknown = Reflect.get(client, ALLOWS)
  return typeof method === 'function' ? (method as Allows) : undefined
}
