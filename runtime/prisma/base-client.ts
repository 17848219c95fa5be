import { extensionsOf, parentOf } from './internals.js'

/**
 * Returns the client without any extensions, in the same transaction. Policies, hooks and extensions of the app do not apply to it.
 * @throws Error if the version of Prisma does not support it
 */
export function baseClient(client: object): object {
  return extensionsOf(client).reduce<object>((current) => {
    const parent = parentOf(current)
    if (!parent) throw new Error('This version of Prisma does not expose the client without its extensions.')
    return parent
  }, client)
}
