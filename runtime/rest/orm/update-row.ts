import type { Dialect } from '../../prisma/dialect.js'
import type { RestModel } from '../rest-model.js'
import type { ConditionalUpdate } from '../conditional-requests.js'
import { bumpVersion } from './bump-version.js'
import { replacesMembers, type ReplaceMembers, updateReplacingMembers } from './replace-members.js'

/** Runs the update with the given client. */
type UpdateCall = (orm: unknown, args: { readonly where: object; readonly data: object }) => PromiseLike<unknown>

/**
 * Updates a row: checks the precondition, replaces members and bumps the version.
 * @param call runs the update
 * @throws RequestError as {@link updateReplacingMembers}; the client's error if the row does not exist
 */
export function updateRow(
  found: ConditionalUpdate,
  write: ReplaceMembers,
  dialect: Dialect,
  call: UpdateCall,
): Promise<unknown> {
  const { model, condition } = found
  // Without a precondition, the update requires no separate check.
  if (!condition) {
    const data = bumpVersion(model, write.data)
    return updateReplacingMembers(found, data === write.data ? write : { ...write, data }, dialect, call)
  }
  const isSimple = !replacesMembers(write) && !hasRelations(model, write.data)
  return condition.run(found, dialect, isSimple, async (orm, where, isBumped) => {
    const data = isBumped ? write.data : bumpVersion(model, write.data, condition)
    // Finds the owner by its id only. If the precondition were part of this `where`, a row with a different revision would be reported as
    // missing.
    return updateReplacingMembers({ orm, model, where: found.where }, { ...write, data }, dialect, (client, args) => {
      return call(client, { where: { ...args.where, ...where }, data: args.data })
    })
  })
}

function hasRelations({ model }: RestModel, data: object): boolean {
  return Object.keys(data).some((name) => model.relations.has(name))
}
