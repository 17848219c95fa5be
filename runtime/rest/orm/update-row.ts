import type { Dialect } from '../../orm/dialect.js'
import type { RestModel } from '../model.js'
import { type ConditionalUpdate, bumpVersion, runIfPreconditionMet } from './precondition.js'
import { replacesMembers, type ReplaceMembers, updateReplacingMembers } from './replace-members.js'

/** Makes the update itself, with the client that it is given. */
type UpdateCall = (orm: unknown, args: { readonly where: object; readonly data: object }) => PromiseLike<unknown>

/**
 * Changes a row, with all that it takes beside the update itself: what is asked of its revision, and members that leave.
 * @param call makes the update
 * @throws RequestError as {@link replacing}, and what the client throws where there is no such row
 */
export function updateRow(
  found: ConditionalUpdate,
  write: ReplaceMembers,
  dialect: Dialect,
  call: UpdateCall,
): Promise<unknown> {
  const { model, condition } = found
  // Nothing stands between the request and its update then.
  if (!condition) {
    const data = bumpVersion(model, write.data)
    return updateReplacingMembers(found, data === write.data ? write : { ...write, data }, dialect, call)
  }
  const isSimple = !replacesMembers(write) && !hasRelations(model, write.data)
  return runIfPreconditionMet(found, dialect, isSimple, async (orm, where, isCounted) => {
    const data = isCounted ? write.data : bumpVersion(model, write.data, condition)
    // Its members are found by its id: that it is of another revision is not that it is not there.
    return updateReplacingMembers({ orm, model, where: found.where }, { ...write, data }, dialect, (client, args) => {
      return call(client, { where: { ...args.where, ...where }, data: args.data })
    })
  })
}

function hasRelations({ model }: RestModel, data: object): boolean {
  return Object.keys(data).some((name) => model.relations.has(name))
}
