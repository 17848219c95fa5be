import { httpError } from '@routewright/runtime'

import { type AppHooks, defineHooks } from '#routes/hooks.js'
import type { TransactionClient } from '#routes/orm.js'
import type { Caller } from './caller.js'
import { hashPassword } from './passwords.js'

/** Maximum size of an attachment, in bytes. */
export const ATTACHMENT_BYTES = 64 * 1024

interface Event {
  readonly context: Caller
  readonly client: TransactionClient
}

// Archived issues and their comments and attachments are visible only to requests for the archive. Deleting an issue archives it.
const archive: AppHooks<Caller> = {
  Issue: {
    where: ({ context }) => (context.seesArchive ? {} : { deletedAt: null }),
    delete: { replaceWith: () => ({ deletedAt: new Date() }) },
  },
  Comment: { where: ({ context }) => (context.seesArchive ? {} : { issue: { deletedAt: null } }) },
  Attachment: { where: ({ context }) => (context.seesArchive ? {} : { issue: { deletedAt: null } }) },
}

// The caller becomes the author. An author in the request is ignored.
const owners: AppHooks<Caller> = {
  Issue: { create: { before: ({ data, context }) => ({ ...data, authorId: context.id }) } },
  Comment: { create: { before: ({ data, context }) => ({ ...data, authorId: context.id }) } },
  Attachment: { create: { before: ({ data, context }) => ({ ...data, uploaderId: context.id }) } },
}

/** Checks that the assignee is a member of the project's team. */
async function checkAssignee(client: TransactionClient, projectId: number, assigneeId: number): Promise<void> {
  const member = await client.membership.findFirst({
    where: { userId: assigneeId, team: { projects: { some: { id: projectId } } } },
  })
  if (!member) throw httpError(422, 'Only a member of the team can do it.', { field: 'assignee' })
}

const issues: AppHooks<Caller> = {
  Issue: {
    create: {
      async before({ data, client }) {
        if (data.assigneeId && data.projectId) await checkAssignee(client, data.projectId, data.assigneeId)
        return data
      },
    },
    update: {
      async before({ data, row, client }) {
        const assigneeId = data.assigneeId === undefined ? row.assigneeId : data.assigneeId
        if (data.status && data.status !== 'OPEN' && assigneeId === null) {
          throw httpError(409, 'Assign it to a member first.', { code: 'unassigned', field: 'status' })
        }
        const projectId = typeof data.projectId === 'number' ? data.projectId : row.projectId
        if (typeof assigneeId === 'number' && (data.assigneeId || data.projectId)) {
          await checkAssignee(client, projectId, assigneeId)
        }
        return data
      },
    },
  },
}

const attachments: AppHooks<Caller> = {
  Attachment: {
    create: {
      before({ data }) {
        const size = data.content?.byteLength ?? 0
        if (size > ATTACHMENT_BYTES) throw httpError(422, 'A file has 64 kB at most.', { field: 'content' })
        return { ...data, size }
      },
    },
  },
}

// Passwords are hashed.
const users: AppHooks<Caller> = {
  User: {
    update: {
      before: async ({ data }) =>
        typeof data.password === 'string' ? { ...data, password: await hashPassword(data.password) } : data,
    },
  },
}

type Row = Readonly<Record<string, unknown>>

/** Fields that are not logged. */
const UNLOGGED_FIELDS: readonly string[] = ['password', 'content', 'updatedAt']

/** Returns the changed columns as JSON. */
function toChanges(row: Row, before: Row = {}) {
  const text = (value: unknown) => JSON.stringify(value) ?? 'null'
  const names = Object.keys(row).filter(
    (name) => !UNLOGGED_FIELDS.includes(name) && text(row[name]) !== text(before[name]),
  )
  return JSON.parse(text(Object.fromEntries(names.map((name) => [name, row[name]]))))
}

/** Returns a condition for the project that a row belongs to. */
function toProjectCondition(model: string, row: Row) {
  const { projectId, issueId } = row
  if (model === 'Issue' && typeof projectId === 'number') return { id: projectId }
  return typeof issueId === 'number' ? { issues: { some: { id: issueId } } } : undefined
}

/** Adds an entry to the audit log. */
async function addLogEntry(
  { client, context }: Event,
  action: string,
  model: string,
  row: Row,
  before?: Row,
): Promise<void> {
  if (model === 'AuditLog') return
  const where = toProjectCondition(model, row)
  const { teamId } = (where ? await client.project.findFirst({ where }) : row) ?? {}
  const issueId = model === 'Issue' ? row['id'] : row['issueId']
  await client.auditLog.create({
    data: {
      actorId: context.id,
      action,
      model,
      changes: toChanges(row, before),
      teamId: typeof teamId === 'number' ? teamId : null,
      issueId: typeof issueId === 'number' ? issueId : null,
    },
  })
}

// Logs each write in the same transaction.
const audit: AppHooks<Caller> = {
  $all: {
    create: { after: (event) => addLogEntry(event, 'create', event.model, event.row) },
    update: { after: (event) => addLogEntry(event, 'update', event.model, event.row, event.before) },
    delete: { after: (event) => addLogEntry(event, 'delete', event.model, event.row) },
  },
}

/** The app's hooks around reads and writes. */
export const hooks = defineHooks<Caller>(archive, owners, issues, attachments, users, audit)
