import type { Context } from 'hono'

import type { PreparedRoute } from '../../http/routing/execute-prepared-route.js'
import type { ApiEnv } from '../../http/handler-types.js'
import type { ConditionalUpdate } from '../conditional-requests.js'
import { explainResourceError, isMissing } from '../document/resource-errors.js'
import { ownerFilter, takenTargetError } from '../orm/exclusive-links.js'
import {
  assertMembersReplaceable,
  replacesMembers,
  type ReplaceMembers,
  type UpdateCall,
  updateReplacingMembers,
} from '../orm/replace-members.js'
import type { WriteInput } from '../orm/write-data.js'
import { missingTargetError } from '../orm/write-foreign-keys.js'
import type { RestContext } from '../rest-context.js'

/** The parts of an update that differ by endpoint. */
interface UpdateParts {
  readonly context: UpdateContext
  /** Prisma's `select`, `include` or `omit`. */
  readonly selection: object
  /** Adds the pointer to the part of the body that caused an error. */
  locate(error: unknown): unknown
  readonly reply: PreparedRoute['reply']
}

type UpdateContext = Pick<RestContext, 'dialect' | 'conditional'>

/** Prepares the update of a row and explains its errors. */
export function prepareRowUpdate(
  c: Context<ApiEnv>,
  found: ConditionalUpdate,
  write: WriteInput,
  { context, selection, locate, reply }: UpdateParts,
): PreparedRoute {
  const { orm, model, where, condition } = found
  c.env.explain = async (error) => {
    const failed = await condition?.findError(error, found)
    if (failed) return failed
    if (isMissing(error)) await assertMembersReplaceable(orm, model, where, write.requiredOwners)
    return (
      missingTargetError(error, write.pointers) ??
      explainResourceError(error, model) ??
      (await takenTargetError(error, orm, write.exclusive, ownerFilter(model, where))) ??
      locate(error)
    )
  }
  const data = context.conditional?.bumpVersion(model, write.data) ?? write.data
  const prepared = { orm, args: { where, data, ...selection }, reply }
  if (!replacesMembers(write) && !condition) return prepared
  return {
    ...prepared,
    run: (call, client) =>
      updateRow({ ...found, orm: client }, write, context, (inside, args) => call(inside, { ...args, ...selection })),
  }
}

/**
 * Updates a row: checks the precondition, replaces members and bumps the version.
 * @param call runs the update
 * @throws RequestError as {@link updateReplacingMembers}; the client's error if the row does not exist
 */
export function updateRow(
  found: ConditionalUpdate,
  write: ReplaceMembers,
  { dialect, conditional }: UpdateContext,
  call: UpdateCall,
): Promise<unknown> {
  const { model, condition } = found
  if (condition) return condition.update(found, write, dialect, call)
  const data = conditional?.bumpVersion(model, write.data) ?? write.data
  return updateReplacingMembers(found, { ...write, data }, dialect, call)
}
