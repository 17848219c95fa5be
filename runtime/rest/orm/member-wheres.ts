import { type IdValues, uniqueWhere } from '../request/resource-id.js'
import type { RestModel } from '../rest-model.js'

/** Returns Prisma's unique `where` for each member. */
export function memberWheres(target: RestModel, members: readonly IdValues[]): Record<string, unknown>[] {
  return members.map((values) => uniqueWhere(target.id, values))
}
