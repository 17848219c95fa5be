import type { AppHooks } from '../../fixtures/workspace/expected/hooks.js'
import type { Caller } from './caller.js'

export const mails: AppHooks<Caller> = {
  Comment: { create: { afterCommit: ({ row, context }) => context.mail(`New comment: ${row.text}`) } },
}
