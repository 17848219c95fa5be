import type { RestClient } from '../../rest/support/client.js'
import type { RpcClient } from '../../rpc/client.js'

/** The clients of both styles. */
export interface Callers {
  readonly rest: RestClient
  readonly rpc: RpcClient
}

/** A write and the rows that it writes, for example `Document.update 1`, in alphabetical order. */
export type Way = readonly [
  what: string,
  written: readonly string[],
  call: (by: Callers) => Promise<{ readonly status: number; readonly body: unknown }>,
]

type Call = Way[2]

/** Calls an operation of the RPC style. */
export const call =
  (model: string, operation: string, args: object): Call =>
  ({ rpc }) =>
    rpc.call(model, operation, args)

/** The key of the review. */
export const KEY = { documentId_reviewerId: { documentId: 1, reviewerId: 2 } }
const comment = (text: string) => ({ text, documentId: 1 })
const NEW = { title: 'New', teamId: 1 }

export const RPC_WAYS: readonly Way[] = [
  ['create', ['Document.create 4'], call('document', 'create', { data: { ...NEW, slug: undefined } })],
  [
    'createMany',
    ['Comment.create 4', 'Comment.create 5'],
    call('comment', 'createMany', { data: [comment('a'), { ...comment('b'), authorId: 1 }] }),
  ],
  [
    'createManyAndReturn',
    ['Comment.create 4', 'Comment.create 5'],
    call('comment', 'createManyAndReturn', { data: [comment('a'), comment('b')] }),
  ],
  ['update', ['Document.update 1'], call('document', 'update', { where: { id: 1 }, data: { title: 'x' } })],
  [
    'update by a unique field',
    ['Document.update 2'],
    call('document', 'update', { where: { slug: 'two' }, data: { title: 'x', state: 'done' } }),
  ],
  [
    'updateMany',
    ['Comment.update 1', 'Comment.update 2'],
    call('comment', 'updateMany', { where: { documentId: 1 }, data: { text: 'x' } }),
  ],
  ['updateMany without matches', [], call('comment', 'updateMany', { where: { documentId: 99 }, data: { text: 'x' } })],
  [
    'updateMany with a limit',
    ['Comment.update 1'],
    call('comment', 'updateMany', { where: { documentId: 1, id: 1 }, data: { text: 'x' }, limit: 1 }),
  ],
  [
    'updateManyAndReturn',
    ['Comment.update 1', 'Comment.update 2'],
    call('comment', 'updateManyAndReturn', { where: { documentId: 1 }, data: { text: 'x' } }),
  ],
  [
    'upsert that creates',
    ['Person.create 4'],
    call('person', 'upsert', { where: { email: 'x' }, create: { email: 'x', teamId: 1 }, update: { email: 'y' } }),
  ],
  [
    'upsert that updates',
    ['Person.update 1'],
    call('person', 'upsert', {
      where: { email: 'ann@red' },
      create: { email: 'x', teamId: 1 },
      update: { email: 'y' },
    }),
  ],
  ['delete', ['Attachment.delete 1'], call('attachment', 'delete', { where: { id: 1 } })],
  [
    'delete with cascades',
    ['Attachment.delete 1', 'Comment.delete 1', 'Comment.delete 2', 'Document.delete 1', 'Review.delete 1_2'],
    call('document', 'delete', { where: { id: 1 } }),
  ],
  [
    'delete with set-null references',
    ['Document.update 1', 'Folder.delete 1'],
    call('folder', 'delete', { where: { id: 1 } }),
  ],
  [
    'delete with cascades and set-null references',
    ['Comment.update 1', 'Document.update 2', 'Person.delete 2', 'Review.delete 1_2'],
    call('person', 'delete', { where: { id: 2 } }),
  ],
  ['deleteMany', ['Comment.delete 1', 'Comment.delete 2'], call('comment', 'deleteMany', { where: { documentId: 1 } })],
  [
    'deleteMany with cascades',
    ['Attachment.delete 2', 'Comment.delete 3', 'Document.delete 2', 'Document.delete 3'],
    call('document', 'deleteMany', { where: { id: { gt: 1 } } }),
  ],
  [
    'create with a compound id',
    ['Review.create 2_1'],
    call('review', 'create', { data: { documentId: 2, reviewerId: 1 } }),
  ],
  [
    'update by a compound id',
    ['Review.update 1_2'],
    call('review', 'update', { where: KEY, data: { verdict: 'good' } }),
  ],
  [
    'upsert by a compound id',
    ['Review.create 3_1'],
    call('review', 'upsert', {
      where: { documentId_reviewerId: { documentId: 3, reviewerId: 1 } },
      create: { documentId: 3, reviewerId: 1, verdict: 'good' },
      update: { verdict: 'bad' },
    }),
  ],
  ['delete by a compound id', ['Review.delete 1_2'], call('review', 'delete', { where: KEY })],
  [
    'updateMany with a compound id',
    ['Review.update 1_2'],
    call('review', 'updateMany', { where: { reviewerId: 2 }, data: { verdict: 'x' } }),
  ],
]
