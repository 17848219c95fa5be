import { abilityBuilder, type AppAbility } from '#routes/policy.js'
import type { Caller } from './caller.js'

/** The fields of an issue that all members of its team may update. Only authors and admins may archive or restore an issue. */
const ISSUE_FIELDS = ['title', 'description', 'status', 'priority', 'dueOn', 'project', 'assignee', 'labels'] as const

/** Returns the ability of a caller. Members see only their teams and the data of these teams. */
export function abilityFor({ id, teamIds, adminTeamIds }: Caller): AppAbility {
  const { can, build } = abilityBuilder()
  const inTeam = { teamId: { in: teamIds } }
  const managed = { teamId: { in: adminTeamIds } }
  const issueInTeam = { issue: { project: inTeam } }

  can('read', 'Team', { id: { in: teamIds } })
  can('read', ['Membership', 'Project', 'Label', 'AuditLog'], inTeam)
  can('read', 'User', { memberships: { some: inTeam } })
  can(['read', 'create'], 'Issue', { project: inTeam })
  can(['read', 'create'], ['Comment', 'Attachment'], issueInTeam)
  can('read', 'AuditLog', { actorId: id })

  can('update', 'Issue', [...ISSUE_FIELDS], { project: inTeam })
  can('update', 'Issue', { project: inTeam, authorId: id })
  can('update', 'Issue', { project: managed })
  can(['update', 'delete'], 'Comment', { authorId: id, ...issueInTeam })
  can('delete', 'Attachment', { uploaderId: id, ...issueInTeam })
  can('update', 'User', { id })
  can(['create', 'update', 'delete'], ['Membership', 'Project', 'Label'], managed)

  // For hooks only. The log has no write routes.
  can('create', 'AuditLog', { actorId: id })
  return build()
}
