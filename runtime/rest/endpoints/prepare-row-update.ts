import type { Context } from 'hono'

import type { ApiEnv } from '../../http/handler-types.js'
import type { PreparedRoute } from '../../http/execute-prepared-route.js'
import type { Dialect } from '../../prisma/dialect.js'
import { isMissing } from '../document/locate-constraint-error.js'
import { explainResourceError } from '../document/explain-resource-error.js'
import { ownerFilter, takenTargetError } from '../orm/exclusive-links.js'
import { missingTargetError } from '../orm/write-foreign-keys.js'
import type { ConditionalUpdate } from '../conditional-requests.js'
import { bumpVersion } from '../orm/bump-version.js'
import { assertMembersReplaceable, replacesMembers } from '../orm/replace-members.js'
import { updateRow } from '../orm/update-row.js'
import type { WriteInput } from '../orm/write-data.js'

/** The parts of an update that differ by endpoint. */
interface UpdateParts {
  readonly dialect: Dialect
  /** Prisma's `select`, `include` or `omit`. */
  readonly selection: object
  /** Adds the pointer to the part of the body that caused an error. */
  locate(error: unknown): unknown
  readonly reply: PreparedRoute['reply']
}

/** Prepares the update of a row and explains its errors. */
export function prepareRowUpdate(
  c: Context<ApiEnv>,
  found: ConditionalUpdate,
  write: WriteInput,
  { dialect, selection, locate, reply }: UpdateParts,
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
  const prepared = { orm, args: { where, data: bumpVersion(model, write.data), ...selection }, reply }
  if (!replacesMembers(write) && !condition) return prepared
  return {
    ...prepared,
    run: (call) => updateRow(found, write, dialect, (client, args) => call(client, { ...args, ...selection })),
  }
}
