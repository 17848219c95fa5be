import { type AppHooks, defineHooks } from '../../../fixtures/workspace/expected/hooks.js'
import type { abilityBuilder } from '../../../fixtures/workspace/expected/policy.js'
import { MODELS } from '../../hooks/support/dump.js'
import type { Workspace } from '../../hooks/support/workspace.js'

type Builder = ReturnType<typeof abilityBuilder>
type Where = NonNullable<NonNullable<Parameters<Workspace['orm']['document']['count']>[0]>['where']>
/** A client inside the transaction that holds the lock. */
export type Inside = Pick<Workspace['orm'], 'document' | 'comment' | 'person'>

/** A condition on writable documents, and a change after which a document no longer meets it. */
export interface Form {
  readonly name: string
  readonly rules?: (builder: Builder) => void
  readonly hooks?: AppHooks
  /** A condition that every `where` of a caller contains. */
  readonly where?: Where
  /** Changes the document, so that its row is locked. */
  leave(inside: Inside, id: number): Promise<unknown>
}

const move: Form['leave'] = (inside, id) => inside.document.update({ where: { id }, data: { teamId: 2 } })
const touch: Form['leave'] = (inside, id) => inside.document.update({ where: { id }, data: { title: 'held' } })

/** Rules that allow reads of documents, and writes under a condition. */
const under =
  (where: Where) =>
  ({ can }: Builder): void => {
    can('read', 'Document')
    can('create', 'Document')
    can(['update', 'delete'], 'Document', where)
    // The written values must not decide the outcome. They have a separate condition.
    can('post-update', 'Document')
  }

const rowHooks: AppHooks = {
  Document: {
    update: { before: ({ data }) => data, after: () => undefined },
    delete: { before: () => undefined, after: () => undefined },
  },
}

const setHooks: AppHooks = {
  Document: {
    update: { ...rowHooks.Document?.update, many: { before: ({ data }) => data, after: () => undefined } },
    delete: { ...rowHooks.Document?.delete, many: { before: () => undefined, after: () => undefined } },
  },
}

const archive = () => ({ deletedAt: new Date(0) })

export const FORMS: readonly Form[] = [
  { name: 'a column', rules: under({ teamId: 1 }), leave: move },
  {
    name: 'a column that is written',
    rules: ({ can }) => {
      can(['read', 'create'], 'Document')
      can(['update', 'delete'], 'Document', { state: { in: ['open', 'busy'] } })
    },
    leave: (inside, id) => inside.document.update({ where: { id }, data: { state: 'locked' } }),
  },
  { name: 'a to-one relation', rules: under({ team: { name: 'red' } }), leave: move },
  { name: 'a negated to-one relation', rules: under({ NOT: { team: { name: 'blue' } } }), leave: move },
  {
    name: 'a to-one relation or a column',
    rules: under({ OR: [{ teamId: 9 }, { team: { name: 'red' } }] }),
    leave: move,
  },
  {
    name: 'a column of a to-one relation',
    rules: under({ owner: { teamId: 1 } }),
    async leave(inside, id) {
      const { ownerId } = await inside.document.update({ where: { id }, data: { title: 'held' } })
      await inside.person.update({ where: { id: ownerId ?? 0 }, data: { teamId: 2 } })
    },
  },
  {
    name: 'some of a to-many relation',
    rules: under({ comments: { some: { text: 'keep' } } }),
    async leave(inside, id) {
      await touch(inside, id)
      await inside.comment.deleteMany({ where: { documentId: id } })
    },
  },
  {
    name: 'none of a to-many relation',
    rules: under({ comments: { none: { text: 'stop' } } }),
    async leave(inside, id) {
      await touch(inside, id)
      await inside.comment.create({ data: { text: 'stop', documentId: id } })
    },
  },
  {
    name: 'a join table',
    rules: under({ labels: { some: { name: 'urgent' } } }),
    leave: (inside, id) =>
      inside.document.update({ where: { id }, data: { title: 'held', labels: { disconnect: { id: 1 } } } }),
  },
  {
    name: 'field rules',
    rules: ({ can }) => {
      can('read', 'Document')
      can('create', 'Document')
      can('update', 'Document', ['title', 'state', 'folder', 'labels', 'comments'], { teamId: 1 })
      can('update', 'Document', ['deletedAt'])
      can('delete', 'Document', { teamId: 1 })
    },
    leave: move,
  },
  {
    name: 'a post-update rule',
    rules: ({ can }) => {
      can(['read', 'create'], 'Document')
      can(['update', 'delete'], 'Document', { teamId: 1 })
      can('post-update', 'Document', { title: { not: 'never' } })
    },
    leave: move,
  },
  {
    name: 'a read rule',
    rules({ can }) {
      can('read', 'Document', { team: { name: 'red' } })
      can(['create', 'update', 'delete'], 'Document')
    },
    leave: move,
  },
  {
    name: 'a condition of the caller',
    rules: under({ id: { gt: 0 } }),
    where: { team: { is: { name: 'red' } } },
    leave: move,
  },
  { name: 'a where hook', hooks: { Document: { where: () => ({ teamId: 1 }) } }, leave: move },
  { name: 'row hooks', rules: under({ teamId: 1 }), hooks: rowHooks, leave: move },
  {
    name: 'row hooks and a relation',
    rules: under({ comments: { some: { text: 'keep' } } }),
    hooks: rowHooks,
    async leave(inside, id) {
      await touch(inside, id)
      await inside.comment.deleteMany({ where: { documentId: id } })
    },
  },
  { name: 'bulk hooks', rules: under({ teamId: 1 }), hooks: setHooks, leave: move },
  {
    name: 'replaceWith hooks',
    rules: under({ state: 'open' }),
    hooks: {
      Document: {
        where: () => ({ state: { not: 'live' } }),
        update: { many: { before: ({ data }) => data }, before: ({ data }) => data },
        delete: { replaceWith: archive, many: { replaceWith: archive } },
      },
    },
    leave: (inside, id) => inside.document.update({ where: { id }, data: { state: 'live' } }),
  },
]

/** Returns the rules of a form. All other models are allowed. */
export function rulesOf(form: Form): ((builder: Builder) => void) | undefined {
  const { rules } = form
  if (!rules) return undefined
  return (builder) => {
    for (const model of MODELS) if (model !== 'Document') builder.can('manage', model)
    rules(builder)
  }
}

export function hooksOf({ hooks }: Form): { readonly hooks?: ReturnType<typeof defineHooks> } {
  return hooks ? { hooks: defineHooks(hooks) } : {}
}
