import { abilityBuilder, type AppAbility } from '../../fixtures/workspace/expected/policy.js'
import type { Caller } from './caller.js'

/** What a caller may do within the own team, to which hooks narrow all that they read. */
export function abilityFor({ id, isAdmin }: Caller): AppAbility {
  const { can, cannot, build } = abilityBuilder()
  can(['read', 'create', 'update', 'delete'], 'all')
  // Documents are their owners', who may archive them. Only an admin brings one back.
  cannot('update', 'Document')
  can('update', 'Document', isAdmin ? {} : { ownerId: id, deletedAt: null })
  can('post-update', 'Document', isAdmin ? {} : { ownerId: id })
  cannot('delete', 'Document')
  cannot(['update', 'delete'], 'AuditEntry')
  cannot(['update', 'delete'], 'Comment')
  can('update', 'Comment', { authorId: id })
  return build()
}
