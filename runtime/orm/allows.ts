/** What can be asked of access policies. */
export type CheckedAction = 'read' | 'create' | 'update' | 'delete'

/** Answers whether an action is allowed: on any row of a model, or on one that meets a filter. */
export type Allows = (
  model: string,
  action: CheckedAction,
  where?: Readonly<Record<string, unknown>>,
) => Promise<boolean>

/** The method of a client with access policies that answers it. */
export const ALLOWS = '$allows'

/**
 * Asks a client whether an action is allowed.
 * @returns undefined where the client has no policies
 */
export function allowsOf(client: unknown): Allows | undefined {
  if (typeof client !== 'object' || client === null) return undefined
  const method: unknown = Reflect.get(client, ALLOWS)
  return typeof method === 'function' ? (method as Allows) : undefined
}
