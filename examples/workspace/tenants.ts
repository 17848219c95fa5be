import type { AppHooks } from '../../fixtures/workspace/expected/hooks.js'
import { notArchived } from './archive.js'
import type { Caller } from './caller.js'

/** Hooks of a model that has the tenant's column: it is set when a row is created, and reads are limited to the caller's team. */
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
