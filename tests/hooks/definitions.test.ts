import { beforeEach, describe, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { describeDatabases } from '../support/databases.js'
import { differences, dumpOf } from './support/dump.js'
import { fillWorkspace } from './support/workspace.js'

const give = ({ data }: { readonly data: object }) => data
const nothing = () => undefined

/** What compiles in no app that has its types. */
const WRONG: readonly (readonly [what: string, hooks: object, says: string])[] = [
  [
    'a model',
    { Documents: {} },
    'hooks: there is no model "Documents". The models are Attachment, AuditEntry, Comment, Document, Folder, Label, Person, Review, Team.',
  ],
  [
    'an operation',
    { Document: { upsert: {} } },
    'hooks.Document: there is no "upsert" here, only where, create, update, delete, mask.',
  ],
  [
    'a step',
    { Document: { create: { around: give } } },
    'hooks.Document.create: there is no "around" here, only before, after, afterCommit.',
  ],
  [
    'a replacement of what is no delete',
    { Document: { create: { update: give } } },
    'hooks.Document.create: there is no "update" here, only before, after, afterCommit.',
  ],
  [
    'a set of new rows',
    { Document: { create: { many: {} } } },
    'hooks.Document.create: there is no "many" here, only before, after, afterCommit.',
  ],
  [
    'a step of a set',
    { Document: { update: { before: give, many: { befores: give } } } },
    'hooks.Document.update.many: there is no "befores" here, only before, after, afterCommit.',
  ],
  ['a field', { Person: { mask: { mail: give } } }, 'hooks.Person.mask: there is no "mail" here, only email.'],
  ['a mask on an id', { Person: { mask: { id: give } } }, 'hooks.Person.mask: there is no "id" here, only email.'],
  [
    'a mask on a key',
    { Comment: { mask: { documentId: give } } },
    'hooks.Comment.mask: there is no "documentId" here, only text, deletedAt.',
  ],
  [
    'a mask on what is never read',
    { Person: { mask: { password: give } } },
    'hooks.Person.mask: there is no "password" here, only email.',
  ],
  [
    'sets alone',
    { Document: { update: { many: { after: nothing } } } },
    'hooks.Document.update: beside "many", it needs hooks for a row that is written alone.',
  ],
  [
    'deleted sets alone',
    { Document: { delete: { many: { after: nothing } } } },
    'hooks.Document.delete: beside "many", it needs hooks for a row that is written alone.',
  ],
  [
    'rows that are kept alone only',
    { Document: { delete: { replaceWith: () => ({}), many: { after: nothing } } } },
    'hooks.Document.delete: "replaceWith" must be set both for single rows and for "many", or for neither.',
  ],
  ['what is no function', { Document: { where: { deletedAt: null } } }, 'hooks.Document.where must be a function.'],
  [
    'what is no function, deeper',
    { Document: { update: { before: 'x' } } },
    'hooks.Document.update.before must be a function.',
  ],
  ['what is no object', { Document: { create: give } }, 'hooks.Document.create must be an object.'],
]

describe('hooks: what is not there', () => {
  it.each(WRONG)('%s', (_what, hooks, says) => {
    expect(() => defineHooks(hooks as AppHooks)).toThrow(says)
  })

  it('does not compile', () => {
    // @ts-expect-error there is no such model
    expect(() => defineHooks({ Documents: {} })).toThrow()
    // @ts-expect-error there is no such operation
    expect(() => defineHooks({ Document: { upsert: {} } })).toThrow()
    // @ts-expect-error there is no such step
    expect(() => defineHooks({ Document: { create: { around: () => undefined } } })).toThrow()
    // @ts-expect-error there is no such field
    expect(() => defineHooks({ Person: { mask: { mail: () => 'x' } } })).toThrow()
    // @ts-expect-error the field is of another type
    defineHooks({ Person: { mask: { email: () => 5 } } })
    // @ts-expect-error a hook must give the data
    defineHooks({ Document: { create: { before: () => undefined } } })
    // @ts-expect-error a hook must give data of the right types
    defineHooks({ Document: { delete: { replaceWith: () => ({ deletedAt: 5 }) } } })
    // @ts-expect-error there is no such filter
    defineHooks({ Document: { where: () => ({ archivedAt: null }) } })
    // @ts-expect-error the context is known
    defineHooks<{ user: number }>({ Document: { create: { after: ({ context }) => void context.userId } } })
    // @ts-expect-error what is created is no row yet
    defineHooks({ Document: { create: { before: ({ row, data }) => ({ ...data, title: row.title }) } } })
    // @ts-expect-error what waits for the commit has no client
    defineHooks({ Document: { create: { afterCommit: ({ client }) => void client } } })
  })

  it('nothing given is nothing', () => {
    expect(() => defineHooks({})).not.toThrow()
    const undefineds = { Document: undefined, Comment: { create: undefined, mask: undefined } } as unknown as AppHooks
    expect(() => defineHooks(undefineds)).not.toThrow()
  })
})

/** What a hook gives that is no data. */
const GIVEN: readonly (readonly [what: string, given: unknown, says: string])[] = [
  ['undefined', undefined, 'gave no data: it must return what is to be written'],
  ['null', null, 'gave no data: it must return what is to be written'],
  ['an array', [{ title: 'x' }], 'gave no data: it must return what is to be written'],
  ['a number', 5, 'gave no data: it must return what is to be written'],
  ['an unknown field', { title: 'x', archived: true }, 'gave "archived", which is no column of Document'],
  ['a relation', { folder: { disconnect: true } }, 'gave "folder", which is no column of Document'],
]

describeDatabases(
  'hooks: what is no data',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })
    const HOOKS: readonly (readonly [name: string, hooks: (given: unknown) => object, path: string, args: object])[] = [
      [
        'Document.create.before',
        (given) => ({ create: { before: () => given } }),
        'create',
        { data: { title: 'x', teamId: 1 } },
      ],
      [
        'Document.update.before',
        (given) => ({ update: { before: () => given } }),
        'update',
        { where: { id: 1 }, data: { title: 'x' } },
      ],
      [
        'Document.update.many.before',
        (given) => ({ update: { after: nothing, many: { before: () => given } } }),
        'updateMany',
        { where: { id: 1 }, data: { title: 'x' } },
      ],
      [
        'Document.delete.replaceWith',
        (given) => ({ delete: { replaceWith: () => given } }),
        'delete',
        { where: { id: 1 } },
      ],
      [
        'Document.delete.many.replaceWith',
        (given) => ({ delete: { replaceWith: () => given, many: { replaceWith: () => given } } }),
        'deleteMany',
        { where: { id: 1 } },
      ],
    ]
    for (const [name, make, operation, args] of HOOKS) {
      it.each(GIVEN)(`${name} gives %s`, async (_what, given, says) => {
        const first = await dumpOf(db.orm)
        const hooks = defineHooks({ Document: make(given) } as AppHooks)
        const lines: unknown[] = []
        const isDelete = operation.startsWith('delete')
        const query = isDelete ? `?q=${encodeURIComponent(JSON.stringify(args))}` : ''
        const request = new Request(`http://localhost/document/${operation}${query}`, {
          method: isDelete ? 'DELETE' : operation.startsWith('create') ? 'POST' : 'PATCH',
          ...(!isDelete && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(args) }),
        })
        const log = (...line: unknown[]) => void lines.push(...line)
        const answer = await db.routes.RPCApiHandler({ hooks }).fetch(request, { getOrm: () => db.orm, log })
        expect(answer.status).toBe(500)
        expect(await answer.text()).not.toContain(name)
        expect(lines.map(String).join('\n')).toContain(`The hook ${name} ${says}`)
        expect(differences(first, await dumpOf(db.orm))).toEqual([])
      })
    }

    it('a hook that writes the model it is on for ever', async () => {
      const first = await dumpOf(db.orm)
      let calls = 0
      const hooks: AppHooks = {
        Comment: {
          create: {
            async after({ client, row }) {
              calls += 1
              await client.comment.create({ data: { text: 'again', documentId: row.documentId } })
            },
            afterCommit: () => void (calls += 1000),
          },
        },
      }
      const lines: unknown[] = []
      const request = new Request('http://localhost/comment/create', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ data: { text: 'x', documentId: 1 } }),
      })
      const handler = db.routes.RPCApiHandler({ hooks: defineHooks(hooks) })
      const log = (...line: unknown[]) => void lines.push(...line)
      const answer = await handler.fetch(request, { getOrm: () => db.orm, log })
      expect(answer.status).toBe(500)
      expect(lines.map(String).join('\n')).toContain('Hooks write rows of which hooks are told, more than 8 deep.')
      expect(calls).toBe(9)
      expect(differences(first, await dumpOf(db.orm))).toEqual([])
    })
  },
  { fixture: 'workspace' },
)
