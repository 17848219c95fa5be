import { type AppHooks, defineHooks } from '../../../fixtures/workspace/expected/hooks.js'
import { RestApiHandler, RPCApiHandler } from '../../../fixtures/workspace/expected/index.js'
import type { Hooks } from '../../../runtime/hooks/index.js'
import type { Database } from '../../support/databases.js'

export type Workspace = Database<'workspace'>

/** Two teams; the first has two people, a folder, and two documents with comments, attachments, labels and a review. */
export async function fillWorkspace({ orm }: Pick<Workspace, 'orm'>): Promise<void> {
  await orm.team.createMany({ data: [{ name: 'red' }, { name: 'blue' }] })
  await orm.person.createMany({
    data: [
      { email: 'ann@red', teamId: 1 },
      { email: 'ben@red', teamId: 1 },
      { email: 'cat@blue', teamId: 2 },
    ],
  })
  await orm.folder.create({ data: { name: 'plans', teamId: 1 } })
  await orm.label.createMany({
    data: [
      { name: 'urgent', teamId: 1 },
      { name: 'later', teamId: 1 },
    ],
  })
  const documents = [
    { title: 'One', slug: 'one', teamId: 1, ownerId: 1, folderId: 1 },
    { title: 'Two', slug: 'two', teamId: 1, ownerId: 2 },
    { title: 'Three', slug: 'three', teamId: 2, ownerId: 3 },
  ]
  for (const data of documents) await orm.document.create({ data })
  await orm.document.update({ where: { id: 1 }, data: { labels: { connect: [{ id: 1 }] } } })
  await orm.comment.createMany({
    data: [
      { text: 'first', documentId: 1, authorId: 2 },
      { text: 'second', documentId: 1, authorId: 1 },
      { text: 'other', documentId: 3, authorId: 3 },
    ],
  })
  await orm.attachment.createMany({
    data: [
      { name: 'a.pdf', documentId: 1 },
      { name: 'b.pdf', documentId: 2 },
    ],
  })
  await orm.review.create({ data: { documentId: 1, reviewerId: 2 } })
}

/** One call of a hook, as tests compare it. */
export interface Told {
  /** `Document.create.before`. */
  readonly hook: string
  readonly event: Readonly<Record<string, unknown>>
}

const ROW = {
  create: ['before', 'after', 'afterCommit'],
  update: ['before', 'after', 'afterCommit'],
  delete: ['before', 'after', 'afterCommit'],
}
const MODELS = ['Team', 'Person', 'Folder', 'Document', 'Comment', 'Attachment', 'Label', 'Review', 'AuditEntry']

/** Hooks on all models that change nothing, and note what they are told. */
export function recorder(): { readonly told: Told[]; readonly hooks: Hooks; names(): string[]; clear(): void } {
  const told: Told[] = []
  const ofModel = (model: string) =>
    Object.fromEntries(
      Object.entries(ROW).map(([kind, names]) => [
        kind,
        Object.fromEntries(
          names.map((name) => [
            name,
            (event: Readonly<Record<string, unknown>>) => {
              told.push({ hook: `${model}.${kind}.${name}`, event })
              return event['data']
            },
          ]),
        ),
      ]),
    )
  const all: AppHooks = Object.fromEntries(MODELS.map((model) => [model, ofModel(model)]))
  return {
    told,
    hooks: defineHooks(all),
    names: () => told.map(({ hook }) => hook),
    clear: () => void told.splice(0),
  }
}

export { RestApiHandler, RPCApiHandler }
