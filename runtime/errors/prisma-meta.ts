import { isObjectLike } from './is-object-like.js'

/** Returns the `meta` of a Prisma error, or an empty object. */
export function prismaMeta(error: unknown): Readonly<Record<string, unknown>> {
  return isObjectLike(error) && isObjectLike(error['meta']) ? error['meta'] : {}
}
