import { call, KEY, type Way } from './write-paths.js'

/** A nested write of document 1. */
const nested = (data: object): Way[2] => call('document', 'update', { where: { id: 1 }, data })
const folder = (data: object): Way[2] => call('folder', 'update', { where: { id: 1 }, data })

const CONNECTED = { title: 'New', team: { connect: { id: 1 } } }

export const NESTED_WAYS: readonly Way[] = [
  [
    'create, two levels deep',
    ['Comment.create 4', 'Document.create 4', 'Folder.create 2'],
    call('folder', 'create', {
      data: {
        name: 'f',
        team: { connect: { id: 1 } },
        documents: { create: { ...CONNECTED, comments: { create: { text: 'x' } } } },
      },
    }),
  ],
  [
    'create',
    ['Comment.create 4', 'Comment.create 5'],
    nested({ comments: { create: [{ text: 'a' }, { text: 'b' }] } }),
  ],
  [
    'createMany',
    ['Attachment.create 3', 'Attachment.create 4'],
    nested({ attachments: { createMany: { data: [{ name: 'a' }, { name: 'b', size: 3 }] } } }),
  ],
  [
    'connectOrCreate that creates',
    ['Attachment.create 3'],
    nested({ attachments: { connectOrCreate: { where: { id: 99 }, create: { name: 'c' } } } }),
  ],
  [
    'connectOrCreate that connects',
    ['Attachment.update 2'],
    nested({ attachments: { connectOrCreate: { where: { id: 2 }, create: { name: 'c' } } } }),
  ],
  ['connect', ['Comment.update 3'], nested({ comments: { connect: { id: 3 } } })],
  ['connect of a connected row', [], nested({ comments: { connect: { id: 1 } } })],
  [
    'connect of many',
    ['Document.update 2', 'Document.update 3'],
    folder({ documents: { connect: [{ id: 2 }, { id: 3 }] } }),
  ],
  ['disconnect', ['Document.update 1'], folder({ documents: { disconnect: { id: 1 } } })],
  ['disconnect of a row that is not connected', [], folder({ documents: { disconnect: { id: 2 } } })],
  ['set', ['Document.update 1', 'Document.update 2'], folder({ documents: { set: [{ id: 2 }] } })],
  ['set to an empty list', ['Document.update 1'], folder({ documents: { set: [] } })],
  ['update', ['Comment.update 1'], nested({ comments: { update: { where: { id: 1 }, data: { text: 'x' } } } })],
  [
    'updateMany',
    ['Comment.update 1', 'Comment.update 2', 'Document.update 1'],
    nested({ title: 'x', comments: { updateMany: { where: {}, data: { text: 'x' } } } }),
  ],
  [
    'upsert that creates',
    ['Comment.create 4'],
    nested({ comments: { upsert: { where: { id: 3 }, create: { text: 'a' }, update: { text: 'b' } } } }),
  ],
  [
    'upsert that updates',
    ['Comment.update 2'],
    nested({ comments: { upsert: { where: { id: 2 }, create: { text: 'a' }, update: { text: 'b' } } } }),
  ],
  ['delete', ['Comment.delete 1'], nested({ comments: { delete: { id: 1 } } })],
  [
    'deleteMany',
    ['Attachment.delete 1', 'Comment.delete 2'],
    nested({ comments: { deleteMany: [{ id: 2 }, { id: 3 }] }, attachments: { deleteMany: {} } }),
  ],
  [
    'delete of a member with cascades',
    ['Attachment.delete 1', 'Comment.delete 1', 'Comment.delete 2', 'Document.delete 1', 'Review.delete 1_2'],
    folder({ documents: { delete: { id: 1 } } }),
  ],
  [
    'create of a row with a compound id',
    ['Review.create 1_3'],
    nested({ reviews: { create: { reviewer: { connect: { id: 3 } } } } }),
  ],
  [
    'createMany with compound ids',
    ['Review.create 1_1', 'Review.create 1_3'],
    nested({ reviews: { createMany: { data: [{ reviewerId: 1 }, { reviewerId: 3 }] } } }),
  ],
  [
    'update of a member by a compound id',
    ['Review.update 1_2'],
    nested({ reviews: { update: { where: KEY, data: { verdict: 'x' } } } }),
  ],
  ['delete of a member by a compound id', ['Review.delete 1_2'], nested({ reviews: { delete: KEY } })],
  ['connect and disconnect in a join table', [], nested({ labels: { connect: { id: 2 }, disconnect: { id: 1 } } })],
  [
    'create in a join table',
    ['Label.create 3'],
    nested({ labels: { create: { name: 'x', team: { connect: { id: 1 } } } } }),
  ],
  [
    'set in a join table',
    [],
    call('label', 'update', { where: { id: 1 }, data: { documents: { set: [{ id: 2 }, { id: 3 }] } } }),
  ],
  ['delete in a join table', ['Label.delete 1'], nested({ labels: { delete: { id: 1 } } })],
  [
    'updateMany in a join table',
    ['Label.update 1'],
    nested({ labels: { updateMany: { where: {}, data: { name: 'x' } } } }),
  ],
  [
    'to-one: create',
    ['Document.update 1', 'Folder.create 2'],
    nested({ folder: { create: { name: 'x', team: { connect: { id: 1 } } } } }),
  ],
  [
    'to-one: create of a new row',
    ['Document.create 4', 'Folder.create 2'],
    call('document', 'create', {
      data: { ...CONNECTED, folder: { create: { name: 'x', team: { connect: { id: 1 } } } } },
    }),
  ],
  [
    'to-one: connectOrCreate that creates',
    ['Document.update 1', 'Folder.create 2'],
    nested({ folder: { connectOrCreate: { where: { id: 99 }, create: { name: 'x', team: { connect: { id: 1 } } } } } }),
  ],
  [
    'to-one: connectOrCreate that connects',
    ['Document.update 2'],
    call('document', 'update', {
      where: { id: 2 },
      data: { folder: { connectOrCreate: { where: { id: 1 }, create: { name: 'x', team: { connect: { id: 1 } } } } } },
    }),
  ],
  [
    'to-one: upsert that creates',
    ['Document.update 2', 'Folder.create 2'],
    call('document', 'update', {
      where: { id: 2 },
      data: { folder: { upsert: { create: { name: 'x', team: { connect: { id: 1 } } }, update: { name: 'y' } } } },
    }),
  ],
  [
    'to-one: upsert that updates',
    ['Folder.update 1'],
    nested({ folder: { upsert: { create: { name: 'x', team: { connect: { id: 1 } } }, update: { name: 'y' } } } }),
  ],
  ['to-one: update', ['Folder.update 1'], nested({ folder: { update: { name: 'y' } } })],
  [
    'to-one: update with data',
    ['Document.update 1', 'Folder.update 1'],
    nested({ title: 'x', folder: { update: { data: { name: 'y' } } } }),
  ],
  ['to-one: delete', ['Document.update 1', 'Folder.delete 1'], nested({ folder: { delete: true } })],
  ['to-one: disconnect', ['Document.update 1'], nested({ folder: { disconnect: true } })],
  ['to-one: connect', ['Document.update 1'], nested({ team: { connect: { id: 2 } } })],
  [
    'all nested writes in one request',
    [
      'Attachment.delete 1',
      'Comment.create 4',
      'Comment.delete 1',
      'Comment.update 2',
      'Comment.update 3',
      'Document.update 1',
      'Folder.create 2',
      'Review.update 1_2',
    ],
    nested({
      title: 'x',
      folder: { create: { name: 'x', team: { connect: { id: 1 } } } },
      comments: {
        create: { text: 'a' },
        delete: { id: 1 },
        connect: { id: 3 },
        update: { where: { id: 2 }, data: { text: 'b' } },
      },
      attachments: { deleteMany: {} },
      reviews: { updateMany: { where: {}, data: { verdict: 'x' } } },
    }),
  ],
]
