import type { AppHooks } from '../../fixtures/workspace/expected/hooks.js'
import type { Caller } from './caller.js'

/** Excludes archived rows, unless the request is for the archive. */
export const notArchived = ({ seesArchive }: Caller) => (seesArchive ? {} : { deletedAt: null })

const softDelete = {
  where: ({ context }: { context: Caller }) => notArchived(context),
  delete: { replaceWith: () => ({ deletedAt: new Date() }) },
}

export const archive: AppHooks<Caller> = { Document: softDelete, Comment: softDelete }
