import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'

import { type AppHooks, defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import type { TransactionClient } from '../../fixtures/workspace/expected/orm.js'
import type { Caller } from './caller.js'

// What is archived, and what belongs to it, is there only for those who ask for it.
const live = ({ seesArchive }: Caller) => (seesArchive ? {} : { deletedAt: null })

// A tenant's column is filled when a row is created, and every read is of the caller's own team.
const owned = {
  where: ({ context }: { context: Caller }) => ({ teamId: context.teamId }),
  create: { before: <D>({ data, context }: { data: D; context: Caller }) => ({ ...data, teamId: context.teamId }) },
}
const below = {
  where: ({ context }: { context: Caller }) => ({ document: { teamId: context.teamId, ...live(context) } }),
}
const tenants: AppHooks<Caller> = {
  Team: { where: ({ context }) => ({ id: context.teamId }) },
  Person: owned,
  Folder: owned,
  Document: owned,
  Label: owned,
  Attachment: below,
  Comment: below,
  Review: below,
}

// A delete archives.
const archived = {
  where: ({ context }: { context: Caller }) => live(context),
  delete: { update: () => ({ deletedAt: new Date() }) },
}
const archive: AppHooks<Caller> = { Document: archived, Comment: archived }

// Whoever creates a document owns it. Its slug comes from its title.
const slugOf = (by: number, title = '') => `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${by.toString(36)}`
const documents: AppHooks<Caller> = {
  Document: {
    create: { before: ({ data, context }) => ({ ...data, ownerId: context.id, slug: slugOf(Date.now(), data.title) }) },
    update: { before: ({ data, row }) => (data.title ? { ...data, slug: slugOf(row.id, data.title) } : data) },
  },
}

// A mail is sent when the comment is committed, and not where it was rolled back.
const mails: AppHooks<Caller> = {
  Comment: { create: { afterCommit: ({ row, context }) => context.mail(`New comment: ${row.text}`) } },
}

// Passwords are hashed.
const derive = promisify<string, string, number, Buffer>(scrypt)
const hash = async (password: string) => (await derive(password, 'pepper', 32)).toString('base64')
const hashed = async <D extends { password?: string | undefined }>({ data }: { data: D }) =>
  data.password === undefined ? data : { ...data, password: await hash(data.password) }
const passwords: AppHooks<Caller> = { Person: { create: { before: hashed }, update: { before: hashed } } }

// Who did what to which row, but for what nobody may read.
const json = (row: object) =>
  JSON.parse(JSON.stringify(row, (name, value) => (name === 'password' ? undefined : value)))
const note = async (
  { client, context, model }: { client: TransactionClient; context: Caller; model: string },
  action: string,
  before?: object,
  after?: object,
) => {
  if (model === 'AuditEntry') return
  const rows = { ...(before && { before: json(before) }), ...(after && { after: json(after) }) }
  await client.auditEntry.create({ data: { actor: context.id, action, model, ...rows } })
}
const audit: AppHooks<Caller> = {
  $all: {
    create: { after: (event) => note(event, 'create', undefined, event.row) },
    update: { after: (event) => note(event, 'update', event.before, event.row) },
    delete: { after: (event) => note(event, 'delete', event.row) },
  },
}

export const hooks = defineHooks<Caller>(tenants, archive, documents, mails, passwords, audit)
