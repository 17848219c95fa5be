import { type AppHooks, defineHooks } from '../../../fixtures/workspace/expected/hooks.js'
import { RestApiHandler, RPCApiHandler } from '../../../fixtures/workspace/expected/index.js'
import type { Hooks } from '../../../runtime/hooks/index.js'
import type { Database } from '../../support/databases.js'
import { MODELS } from './dump.js'

export type Workspace = Database<'workspace'>

/** Creates two teams. The first has two people, a folder, and two documents with comments, attachments, labels and a review. */
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

/** One call of a hook, in the form that tests compare. */
export interface HookCall {
  /** For example, `Document.create.before`. */
  readonly hook: string
  readonly event: Readonly<Record<string, unknown>>
}

/** Hooks that record their calls, and the recorded calls. */
export interface Recorder {
  readonly calls: HookCall[]
  readonly hooks: Hooks
  names(): string[]
  clear(): void
}

type Event = Readonly<Record<string, unknown>>

/**
 * Creates hooks on all models that record their calls and do not change writes.
 * @param sets whether rows that are written together are reported as a set
 * @param instead data that updates rows of a model instead of deleting them
 * @param failAt number of the hook call that throws, counted before the commit
 */
export function recorder({
  sets = false,
  instead,
  failAt,
}: {
  readonly sets?: boolean
  readonly instead?: Readonly<Record<string, object>>
  readonly failAt?: number
} = {}): Recorder {
  const calls: HookCall[] = []
  const three = (at: string) =>
    Object.fromEntries(
      ['before', 'after', 'afterCommit'].map((step) => [
        step,
        (event: Event) => {
          if (calls.length === failAt && step !== 'afterCommit') throw new Error('A hook fails.')
          calls.push({ hook: `${at}.${step}`, event })
          return event['data']
        },
      ]),
    )
  const replacement = (model: string) => instead?.[model] && { replaceWith: () => instead[model] }
  const ofModel = (model: string) => ({
    create: three(`${model}.create`),
    update: { ...three(`${model}.update`), ...(sets && { many: three(`${model}.update.many`) }) },
    delete: {
      ...three(`${model}.delete`),
      ...replacement(model),
      ...(sets && { many: { ...three(`${model}.delete.many`), ...replacement(model) } }),
    },
  })
  const all = Object.fromEntries(MODELS.map((model) => [model, ofModel(model)])) as AppHooks
  return {
    calls,
    hooks: defineHooks(all),
    names: () => calls.map(({ hook }) => hook),
    clear: () => void calls.splice(0),
  }
}

export { RestApiHandler, RPCApiHandler }
