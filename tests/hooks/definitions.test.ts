import { beforeEach, describe, expect, it } from 'vitest'

import { type AppHooks, defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { RestApiHandler } from '../../fixtures/workspace/expected/index.js'
import { describeDatabases } from '../support/databases.js'
import { differences, dumpOf } from './support/dump.js'
import { fillWorkspace } from './support/workspace.js'

const give = ({ data }: { readonly data: object }) => data
const nothing = () => undefined

/** Definitions that do not compile in a typed app. */
const WRONG: readonly (readonly [what: string, hooks: object, says: string])[] = [
  [
    'unknown model',
    { Documents: {} },
    'hooks: unknown model "Documents". Models: Attachment, AuditEntry, Comment, Document, Folder, Label, Person, Review, Team.',
  ],
  [
    'unknown operation',
    { Document: { upsert: {} } },
    'hooks.Document: unknown key "upsert". Available: where, create, update, delete, mask.',
  ],
  [
    'unknown step',
    { Document: { create: { around: give } } },
    'hooks.Document.create: unknown key "around". Available: before, after, afterCommit.',
  ],
  [
    'replacement of a create',
    { Document: { create: { update: give } } },
    'hooks.Document.create: unknown key "update". Available: before, after, afterCommit.',
  ],
  [
    'many of a create',
    { Document: { create: { many: {} } } },
    'hooks.Document.create: unknown key "many". Available: before, after, afterCommit.',
  ],
  [
    'unknown step of many',
    { Document: { update: { before: give, many: { befores: give } } } },
    'hooks.Document.update.many: unknown key "befores". Available: before, after, afterCommit.',
  ],
  [
    'mask on an unknown field',
    { Person: { mask: { mail: give } } },
    'hooks.Person.mask: unknown key "mail". Ids and foreign keys cannot be masked. Available: email.',
  ],
  [
    'mask on an id',
    { Person: { mask: { id: give } } },
    'hooks.Person.mask: unknown key "id". Ids and foreign keys cannot be masked. Available: email.',
  ],
  [
    'mask on a foreign key',
    { Comment: { mask: { documentId: give } } },
    'hooks.Comment.mask: unknown key "documentId". Ids and foreign keys cannot be masked. Available: text, deletedAt.',
  ],
  [
    'mask on a write-only field',
    { Person: { mask: { password: give } } },
    'hooks.Person.mask: unknown key "password". Ids and foreign keys cannot be masked. Available: email.',
  ],
  [
    'update with only many',
    { Document: { update: { many: { after: nothing } } } },
    'hooks.Document.update: "many" also requires hooks for single rows.',
  ],
  [
    'delete with only many',
    { Document: { delete: { many: { after: nothing } } } },
    'hooks.Document.delete: "many" also requires hooks for single rows.',
  ],
  [
    'replaceWith without many.replaceWith',
    { Document: { delete: { replaceWith: () => ({}), many: { after: nothing } } } },
    'hooks.Document.delete: "replaceWith" must be set both for single rows and for "many", or for neither.',
  ],
  [
    'where that is not a function',
    { Document: { where: { deletedAt: null } } },
    'hooks.Document.where must be a function.',
  ],
  [
    'step that is not a function',
    { Document: { update: { before: 'x' } } },
    'hooks.Document.update.before must be a function.',
  ],
  ['operation that is not an object', { Document: { create: give } }, 'hooks.Document.create must be an object.'],
]

describe('defineHooks', () => {
  it.each(WRONG)('%s: throws', (_what, hooks, message) => {
    expect(() => defineHooks(hooks as AppHooks)).toThrow(message)
  })

  it('rejects invalid definitions at compile time', () => {
    // @ts-expect-error unknown model
    expect(() => defineHooks({ Documents: {} })).toThrow()
    // @ts-expect-error unknown operation
    expect(() => defineHooks({ Document: { upsert: {} } })).toThrow()
    // @ts-expect-error unknown step
    expect(() => defineHooks({ Document: { create: { around: () => undefined } } })).toThrow()
    // @ts-expect-error unknown field
    expect(() => defineHooks({ Person: { mask: { mail: () => 'x' } } })).toThrow()
    // @ts-expect-error wrong type
    defineHooks({ Person: { mask: { email: () => 5 } } })
    // @ts-expect-error a hook must return the data
    defineHooks({ Document: { create: { before: () => undefined } } })
    // @ts-expect-error a hook must return data of the right type
    defineHooks({ Document: { delete: { replaceWith: () => ({ deletedAt: 5 }) } } })
    // @ts-expect-error unknown field in the filter
    defineHooks({ Document: { where: () => ({ archivedAt: null }) } })
    // @ts-expect-error unknown member of the context
    defineHooks<{ user: number }>({ Document: { create: { after: ({ context }) => void context.userId } } })
    // @ts-expect-error `create.before` does not receive a row
    defineHooks({ Document: { create: { before: ({ row, data }) => ({ ...data, title: row.title }) } } })
    // @ts-expect-error `afterCommit` does not receive a client
    defineHooks({ Document: { create: { afterCommit: ({ client }) => void client } } })
  })

  it('creates the only hooks that handlers accept', () => {
    const create = () => RestApiHandler({ endpoint: 'http://localhost', hooks: { Person: {} } as never })
    expect(create).toThrow('hooks must be created with defineHooks of hooks.ts.')
  })

  it('accepts empty and undefined definitions', () => {
    expect(() => defineHooks({})).not.toThrow()
    const undefineds = { Document: undefined, Comment: { create: undefined, mask: undefined } } as unknown as AppHooks
    expect(() => defineHooks(undefineds)).not.toThrow()
  })
})

/** Hook results that are not data. */
const INVALID_RESULTS: readonly (readonly [what: string, result: unknown, message: string])[] = [
  ['undefined', undefined, 'must return the data to write'],
  ['null', null, 'must return the data to write'],
  ['an array', [{ title: 'x' }], 'must return the data to write'],
  ['a number', 5, 'must return the data to write'],
  ['an unknown field', { title: 'x', archived: true }, 'returned "archived", which is not a column of Document'],
  ['a relation', { folder: { disconnect: true } }, 'returned "folder", which is not a column of Document'],
]

describeDatabases(
  'hooks: invalid return values',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillWorkspace)
    })
    const HOOKS: readonly (readonly [name: string, hooks: (result: unknown) => object, path: string, args: object])[] =
      [
        [
          'Document.create.before',
          (result) => ({ create: { before: () => result } }),
          'create',
          { data: { title: 'x', teamId: 1 } },
        ],
        [
          'Document.update.before',
          (result) => ({ update: { before: () => result } }),
          'update',
          { where: { id: 1 }, data: { title: 'x' } },
        ],
        [
          'Document.update.many.before',
          (result) => ({ update: { after: nothing, many: { before: () => result } } }),
          'updateMany',
          { where: { id: 1 }, data: { title: 'x' } },
        ],
        [
          'Document.delete.replaceWith',
          (result) => ({ delete: { replaceWith: () => result } }),
          'delete',
          { where: { id: 1 } },
        ],
        [
          'Document.delete.many.replaceWith',
          (result) => ({ delete: { replaceWith: () => result, many: { replaceWith: () => result } } }),
          'deleteMany',
          { where: { id: 1 } },
        ],
      ]
    for (const [name, make, operation, args] of HOOKS) {
      it.each(INVALID_RESULTS)(
        `${name} returns %s: responds with 500 and logs the hook`,
        async (_what, result, message) => {
          const first = await dumpOf(db.orm)
          const hooks = defineHooks({ Document: make(result) } as AppHooks)
          const lines: unknown[] = []
          const isDelete = operation.startsWith('delete')
          const query = isDelete ? `?q=${encodeURIComponent(JSON.stringify(args))}` : ''
          const request = new Request(`http://localhost/document/${operation}${query}`, {
            method: isDelete ? 'DELETE' : operation.startsWith('create') ? 'POST' : 'PATCH',
            ...(!isDelete && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(args) }),
          })
          const log = (...line: unknown[]) => void lines.push(...line)
          const response = await db.routes.RPCApiHandler({ hooks }).fetch(request, { getOrm: () => db.orm, log })
          expect(response.status).toBe(500)
          expect(await response.text()).not.toContain(name)
          expect(lines.map(String).join('\n')).toContain(`The hook ${name} ${message}`)
          expect(differences(first, await dumpOf(db.orm))).toEqual([])
        },
      )
    }

    it('responds with 500 if hooks recurse more than 8 deep', async () => {
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
      const response = await handler.fetch(request, { getOrm: () => db.orm, log })
      expect(response.status).toBe(500)
      expect(lines.map(String).join('\n')).toContain('Hooks trigger each other more than 8 levels deep.')
      expect(calls).toBe(9)
      expect(differences(first, await dumpOf(db.orm))).toEqual([])
    })
  },
  { fixture: 'workspace' },
)
