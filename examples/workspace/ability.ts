import { abilityBuilder, type AppAbility } from '../../fixtures/workspace/expected/policy.js'
import type { Caller } from './caller.js'

/** The rules of a caller within their own team. Hooks limit all reads to that team. */
export function abilityFor({ id, isAdmin }: Caller): AppAbility {
  const { can, cannot, build } = abilityBuilder()
  can(['read', 'create', 'update', 'delete'], 'all')
  // The owner of a document may archive it. Only an admin may restore it.
  cannot('update', 'Document')
  can('update', 'Document', isAdmin ? {} : { ownerId: id, deletedAt: null })
  can('post-update', 'Document', isAdmin ? {} : { ownerId: id })
  cannot('delete', 'Document')
  cannot(['update', 'delete'], 'AuditEntry')
  cannot(['update', 'delete'], 'Comment')
  can('update', 'Comment', { authorId: id })
  return build()
}
