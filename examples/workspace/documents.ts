import type { AppHooks } from '../../fixtures/workspace/expected/hooks.js'
import type { Caller } from './caller.js'

const createSlug = (suffix: number, title = '') =>
  `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}-${suffix.toString(36)}`

export const documents: AppHooks<Caller> = {
  Document: {
    create: {
      before: ({ data, context }) => ({ ...data, ownerId: context.id, slug: createSlug(Date.now(), data.title) }),
    },
    update: { before: ({ data, row }) => (data.title ? { ...data, slug: createSlug(row.id, data.title) } : data) },
  },
}
