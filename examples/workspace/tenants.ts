import type { AppHooks } from '../../fixtures/workspace/expected/hooks.js'
import { notArchived } from './archive.js'
import type { Caller } from './caller.js'

/** Hooks of a model with the tenant column. They set the column when a row is created, and limit reads to the caller's team. */
const ofTeam = {
  where: ({ context }: { context: Caller }) => ({ teamId: context.teamId }),
  create: { before: <D>({ data, context }: { data: D; context: Caller }) => ({ ...data, teamId: context.teamId }) },
}

/** Hooks of a model whose rows belong to a document. */
const ofDocument = {
  where: ({ context }: { context: Caller }) => ({ document: { teamId: context.teamId, ...notArchived(context) } }),
}

export const tenants: AppHooks<Caller> = {
  Team: { where: ({ context }) => ({ id: context.teamId }) },
  Person: ofTeam,
  Folder: ofTeam,
  Document: ofTeam,
  Label: ofTeam,
  Attachment: ofDocument,
  Comment: ofDocument,
  Review: ofDocument,
}
