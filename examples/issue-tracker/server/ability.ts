import { abilityBuilder, type AppAbility } from '#routes/policy.js'
import type { Caller } from './caller.js'

/** What the members of a team may change of its issues. Only authors and admins archive one, or bring it back. */
const ISSUE = ['title', 'description', 'status', 'priority', 'dueOn', 'project', 'assignee', 'labels'] as const

/** What a caller may do. A member sees the teams that they belong to, and what these have; the rest does not exist for them. */
export function abilityFor({ id, teamIds, adminOf }: Caller): AppAbility {
  const { can, build } = abilityBuilder()
  const ours = { teamId: { in: teamIds } }
  const managed = { teamId: { in: adminOf } }
  const ofOurIssues = { issue: { project: ours } }

  can('read', 'Team', { id: { in: teamIds } })
  can('read', ['Membership', 'Project', 'Label', 'AuditLog'], ours)
  can('read', 'User', { memberships: { some: ours } })
  can(['read', 'create'], 'Issue', { project: ours })
  can(['read', 'create'], ['Comment', 'Attachment'], ofOurIssues)
  can('read', 'AuditLog', { actorId: id })

  can('update', 'Issue', [...ISSUE], { project: ours })
  can('update', 'Issue', { project: ours, authorId: id })
  can('update', 'Issue', { project: managed })
  can(['update', 'delete'], 'Comment', { authorId: id, ...ofOurIssues })
  can('delete', 'Attachment', { uploaderId: id, ...ofOurIssues })
  can('update', 'User', { id })
  can(['create', 'update', 'delete'], ['Membership', 'Project', 'Label'], managed)

  // Only hooks do: no route of the log writes.
  can('create', 'AuditLog', { actorId: id })
  return build()
}
