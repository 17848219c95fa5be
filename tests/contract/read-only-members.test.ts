import { expect } from 'vitest'

import { postResource } from '../../fixtures/blog/expected/post/resource.js'
import type { TestResponse } from '../rest/support/client.js'
import type { Database } from '../support/databases.js'
import { type Changes, changedRoutes } from './changed-routes.js'
import { describeContract } from './describe-contract.js'

const changed = (changes: Changes) => ({ routes: changedRoutes(changes) })
const readOnly = { readOnly: true } as const
const hidden = { hidden: true } as const
// The foreign key contains the one of `author`.
const category = { ...postResource.relations.category, foreignKey: { categoryId: 'id', authorId: 'id' } }
const shared: Changes = { 'Post.category': { ...category, ...readOnly } }
const post = (members: object) => ({ data: { type: 'post', ...members } })
const postOne = { data: [{ type: 'post', id: '1' }] }
const postFour = { data: [{ type: 'post', id: '4' }] }
const ben = { data: { type: 'user', id: '2' } }
const row = { slug: 'new', title: 'New' }
const one = { id: 1 }
const allows = (methods: string) => (response: TestResponse) => expect(response.headers.get('Allow')).toBe(methods)

describeContract('read-only members', ({ rule, rest, rpc, finally: after }) => {
  rule('7.1', 'rejects writes of a read-only attribute with 403')
  const createdAt = '2020-01-01T00:00:00Z'
  const user = { type: 'user', attributes: { createdAt } }
  rest('PATCH /user/1', { data: user }, 403, 'read-only /data/attributes/createdAt')
  const attributes = { email: 'd@e.org', password: 'long enough', createdAt }
  rest('POST /user', { data: { type: 'user', attributes } }, 403, ['read-only /data/attributes/createdAt'])

  rule('7.1, 7.3', 'rejects writes of an id that the database generates with 403')
  const taken = { ...row, id: 77 }
  rest('POST /post', { data: { type: 'post', id: '77', attributes: row } }, 403, ['client-id-forbidden /data/id'])
  rpc('post.create', { data: taken }, 403)
  rpc('post.createMany', { data: [taken] }, 403)
  rpc('post.update', { where: one, data: { id: 77 } }, 403)
  rpc('post.upsert', { where: { id: 77 }, create: taken, update: {} }, 403)
  rpc('user.update', { where: one, data: { posts: { create: taken } } }, 403)

  for (const [what, options] of Object.entries({
    'read-only foreign key of the other side': changed({ 'Post.authorId': readOnly }),
    'read-only relation of the other side': changed({ 'Post.author': readOnly }),
    'other side without update': changed({ Post: { operations: ['list', 'get'] } }),
  })) {
    rule('7.1', `${what}: rejects writes of the relation with 403`, options)
    const path = '/user/1/relationships/posts'
    for (const method of ['POST', 'PATCH', 'DELETE']) rest(`${method} ${path}`, postFour, 403, 'read-only')
    const update = { data: { type: 'user', relationships: { posts: postFour } } }
    rest('PATCH /user/1', update, 403, { errors: [{ code: 'read-only' }] })
    rule('7.1', `${what}: allows only reads of the relation`, options)
    rest(`OPTIONS ${path}`, 204, allows('GET, HEAD'))
  }

  rule('7.1', 'rejects writes of a relation with a read-only foreign key', changed({ 'Post.authorId': readOnly }))
  rest('PATCH /post/1/relationships/author', { data: null }, 403)
  rest('PATCH /post/1', post({ attributes: { authorId: 2 } }), 403)

  rule('7.1', 'rejects writes of the foreign key of a read-only relation', changed({ 'Post.author': readOnly }))
  const foreignKey = 'read-only /data/attributes/authorId'
  rest('PATCH /post/1', post({ attributes: { authorId: 2 } }), 403, foreignKey)
  rest('POST /post', post({ attributes: { ...row, authorId: 2 } }), 403, foreignKey)

  for (const [what, flags] of Object.entries({ visible: readOnly, hidden: { ...readOnly, ...hidden } })) {
    rule('7.3', `${what} read-only inverse: rejects many-to-many writes with 403`, changed({ 'Post.tags': flags }))
    for (const posts of [{ connect: one }, { set: [one] }, { create: row }]) {
      rpc('tag.update', { where: { name: 'tips' }, data: { posts } }, 403)
      rpc('tag.create', { data: { name: 'other', posts } }, 403)
    }
  }

  const hiddenRelation = changed({ 'Post.authorId': readOnly, 'Post.author': hidden })
  rule('7.3', 'rejects writes of a read-only foreign key through its hidden relation with 403', hiddenRelation)
  for (const posts of [{ connect: [1, 2, 3, 4, 5].map((id) => ({ id })) }, { set: [] }, { disconnect: one }])
    rpc('user.update', { where: one, data: { posts } }, 403)

  rule('7.1', 'rejects writes of a foreign key that a read-only relation to an unserved model shares with 403', {
    routes: changedRoutes(shared),
    options: { modelNameMapping: { User: 'user', Post: 'post', Comment: 'comment', Tag: 'tag' } },
  })
  const rejectsInRest = () => {
    rest('PATCH /post/1', post({ attributes: { authorId: 2 } }), 403, 'read-only /data/attributes/authorId')
    rest('PATCH /post/1/relationships/author', ben, 403, 'read-only')
    rest('PATCH /post/1', post({ relationships: { author: ben } }), 403, { errors: [{ code: 'read-only' }] })
    rest('POST /user/2/relationships/posts', postOne, 403, 'read-only')
  }
  rejectsInRest()
  for (const [what, changes] of [
    ['a read-only relation', shared],
    ['a read-only relation to an unserved model', { ...shared, Category: null, Profile: null, Comment: null }],
  ] satisfies [string, Changes][]) {
    rule('7.1, 7.3', `rejects writes of a foreign key that ${what} shares from either end`, changed(changes))
    if (changes === shared) rejectsInRest()
    const author = { connect: { id: 2 } }
    const created = { create: { email: 'n@example.com', password: 'secret-n' } }
    const rejects = (operation: string, args: object) => rpc(operation, args, 403, /is read-only/)
    for (const data of [
      { ...row, author },
      { ...row, authorId: 2 },
    ])
      rejects('post.create', { data })
    rejects('post.createMany', { data: [{ ...row, authorId: 2 }] })
    for (const data of [{ author }, { author: { disconnect: true } }, { author: created }, { authorId: 2 }])
      rejects('post.update', { where: one, data })
    rejects('post.updateMany', { where: {}, data: { authorId: 2 } })
    rejects('post.upsert', { where: one, create: row, update: { author } })
    rejects('post.upsert', { where: { slug: 'new' }, create: { ...row, author }, update: {} })
    rejects('tag.update', { where: { name: 'tips' }, data: { posts: { create: { ...row, author } } } })
    const many = [{ connect: one }, { set: [] }, { disconnect: one }, { create: row }, { createMany: { data: [row] } }]
    for (const posts of many) rejects('user.update', { where: { id: 2 }, data: { posts } })
  }

  const hiddenInverse = changed({ 'Post.author': hidden, 'Post.tags': hidden })
  rule('4.3', 'accepts writes of a relation whose inverse is only hidden', hiddenInverse)
  rpc('user.update', { where: { id: 2 }, data: { posts: { connect: one } } }, 200)
  rpc('tag.update', { where: { name: 'tips' }, data: { posts: { connect: one } } }, 200)
  const isWritten = async ({ orm }: Database) =>
    expect(await orm.post.count({ where: { id: 1, authorId: 2, tags: { some: { name: 'tips' } } } })).toBe(1)
  after(isWritten)
})
