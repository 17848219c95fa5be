import type { Way } from './write-paths.js'

const one = (type: string, id: number | string) => ({ type, id: String(id) })
const many = (type: string, ...ids: readonly number[]) => ({ data: ids.map((id) => one(type, id)) })
const resource = (type: string, id: number | string | undefined, attributes: object, relationships: object = {}) => ({
  data: { type, ...(id !== undefined && { id: String(id) }), attributes, relationships },
})

export const REST_WAYS: readonly Way[] = [
  [
    'POST',
    ['Comment.create 4'],
    ({ rest }) =>
      rest.post('/comment', resource('comment', undefined, { text: 'x' }, { document: { data: one('document', 1) } })),
  ],
  [
    'POST with members',
    ['Comment.update 3', 'Document.create 4'],
    ({ rest }) =>
      rest.post(
        '/document',
        resource(
          'document',
          undefined,
          { title: 'x' },
          { team: { data: one('team', 1) }, comments: many('comment', 3), labels: many('label', 1) },
        ),
      ),
  ],
  ['PATCH', ['Document.update 1'], ({ rest }) => rest.patch('/document/1', resource('document', 1, { title: 'x' }))],
  ['PUT', ['Document.update 1'], ({ rest }) => rest.put('/document/1', resource('document', 1, { title: 'x' }))],
  [
    'PATCH of relationships',
    ['Document.update 1', 'Document.update 2', 'Folder.update 1'],
    ({ rest }) => rest.patch('/folder/1', resource('folder', 1, { name: 'x' }, { documents: many('document', 2) })),
  ],
  [
    'PATCH of a to-one relationship',
    ['Document.update 1'],
    ({ rest }) => rest.patch('/document/1', resource('document', 1, {}, { folder: { data: null } })),
  ],
  [
    'upsert that creates',
    ['Person.create 4'],
    ({ rest }) =>
      rest.post('/person', {
        ...resource('person', undefined, { email: 'x', teamId: 1 }),
        meta: { operation: 'upsert', matchFields: ['email'] },
      }),
  ],
  [
    'upsert that updates',
    ['Person.update 1'],
    ({ rest }) =>
      rest.post('/person', {
        ...resource('person', undefined, { email: 'ann@red', teamId: 2 }),
        meta: { operation: 'upsert', matchFields: ['email'] },
      }),
  ],
  ['DELETE', ['Attachment.delete 2', 'Document.delete 2'], ({ rest }) => rest.delete('/document/2')],
  [
    'POST with a compound id',
    ['Review.create 2_1'],
    ({ rest }) => rest.post('/review', resource('review', undefined, { documentId: 2, reviewerId: 1 })),
  ],
  [
    'PATCH of a compound id',
    ['Review.update 1_2'],
    ({ rest }) => rest.patch('/review/1_2', resource('review', '1_2', { verdict: 'x' })),
  ],
  ['DELETE of a compound id', ['Review.delete 1_2'], ({ rest }) => rest.delete('/review/1_2')],
  [
    'members added',
    ['Comment.update 3'],
    ({ rest }) => rest.post('/document/1/relationships/comments', many('comment', 1, 3)),
  ],
  [
    'members with an optional owner added',
    ['Document.update 2', 'Document.update 3'],
    ({ rest }) => rest.post('/folder/1/relationships/documents', many('document', 2, 3)),
  ],
  [
    'members replaced',
    ['Document.update 1', 'Document.update 2'],
    ({ rest }) => rest.patch('/folder/1/relationships/documents', many('document', 2)),
  ],
  [
    'members with a required owner replaced',
    ['Comment.update 3'],
    ({ rest }) => rest.patch('/document/1/relationships/comments', many('comment', 1, 2, 3)),
  ],
  [
    'members removed',
    ['Comment.update 1'],
    ({ rest }) => rest.delete('/person/2/relationships/comments', many('comment', 1)),
  ],
  ['members of a join table added', [], ({ rest }) => rest.post('/document/1/relationships/labels', many('label', 2))],
  [
    'members of a join table replaced',
    [],
    ({ rest }) => rest.patch('/document/1/relationships/labels', many('label', 2)),
  ],
  [
    'members of a join table removed',
    [],
    ({ rest }) => rest.delete('/document/1/relationships/labels', many('label', 1)),
  ],
  [
    'members of a join table replaced, from the inverse',
    [],
    ({ rest }) => rest.patch('/label/1/relationships/documents', many('document', 2)),
  ],
  [
    'a to-one relationship',
    ['Comment.update 1'],
    ({ rest }) => rest.patch('/comment/1/relationships/document', { data: one('document', 2) }),
  ],
  [
    'a to-one relationship cleared',
    ['Comment.update 1'],
    ({ rest }) => rest.patch('/comment/1/relationships/author', { data: null }),
  ],
]
