import { expect } from 'vitest'

import { ENDPOINT, type TestResponse } from '../rest/support/client.js'
import type { Database } from '../support/databases.js'
import { describeContract } from './describe-contract.js'

const NULL = { data: null }
const one = (type: string, id: string | number) => ({ data: { type, id } })
const list = (type: string, ...ids: readonly (string | number)[]) => ({ data: ids.map((id) => ({ type, id })) })
const tags = (...ids: readonly string[]) => list('tag', ...ids)
const comments = (...ids: readonly string[]) => list('comment', ...ids)
const self = (path: string) => ({ links: { self: ENDPOINT + path } })
const REQUIRED = { errors: [{ code: 'relationship-required' }] }

const TAGS = '/post/1/relationships/tags'
const COMMENTS = '/post/1/relationships/comments'
const AUTHOR = '/post/1/relationships/author'
const MEMBERS = '/user/1/relationships/comments'

/** Replaces the comments: each id of the first post shares a part with each id of the others. */
const fillComments = async ({ orm }: Database) => {
  await orm.comment.deleteMany()
  const ids = [
    { postId: 1, seq: 1, authorId: 1 },
    { postId: 2, seq: 2, authorId: 1 },
    { postId: 1, seq: 2, authorId: 2 },
    { postId: 2, seq: 1, authorId: 2 },
  ]
  await orm.comment.createMany({ data: ids.map((id) => ({ ...id, body: 'b' })) })
}
const keepsOthers = async ({ orm }: Database) => expect(await orm.comment.count({ where: { authorId: 2 } })).toBe(2)
const keepsTags = async ({ orm }: Database) => expect(await orm.tag.count()).toBe(3)

const allows = (methods: string) => (response: TestResponse) => expect(response.headers.get('Allow')).toBe(methods)

describeContract('relationships', ({ rule, rest, finally: after }) => {
  rule('4.1', 'returns a related resource')
  rest('/post/1/author', 200, { data: { type: 'user', id: '1', ...self('/user/1') } })
  const links = (response: TestResponse) => expect(response.body.links).toEqual(self('/post/1/author').links)
  rest('/post/1/author', 200, links)

  rule('4.1, 4.2', 'returns a page of related resources')
  const page = '/user/1/posts?page[limit]=2&sort=-viewCount&filter[viewCount$gt]=5'
  const next = expect.stringContaining('page%5Boffset%5D=2&page%5Blimit%5D=2')
  rest(page, 200, ['2', '3'])
  rest(page, 200, { meta: { total: 3 }, links: { next } })
  rest(`${page}&page[offset]=2`, 200, ['1'])

  rule('4.1', 'returns null for an empty to-one relation, also as linkage')
  for (const path of ['/post/5/author', '/post/5/relationships/author']) rest(path, 200, NULL)
  for (const path of ['/user/2/profile', '/user/2/relationships/profile']) rest(path, 200, NULL)
  rule('4.1, 7.1', 'responds with 404 if the parent does not exist')
  for (const path of ['author', 'tags', 'relationships/author', 'relationships/tags']) rest(`/post/99/${path}`, 404)

  rule('4.1', 'returns linkage')
  rest(AUTHOR, 200, { ...one('user', '1'), ...self(AUTHOR) })
  rest(COMMENTS, 200, { ...comments('1_1', '1_2', '1_3'), meta: { total: 3 } })
  rest('/user/1/relationships/profile', 200, one('profile', '1'))

  rule('4.1', 'adds members without duplicates')
  const added = { ...tags('a/b %_ü', 'news', 'tips'), meta: { total: 3 } }
  rest(`POST ${TAGS}`, tags('tips', 'tips', 'news'), 200, added)
  rule('4.1', 'removes members and ignores other identifiers')
  rest(`DELETE ${TAGS}`, tags('news', 'tips'), 200, ['a/b %_ü'])
  rule('4.1', 'replaces and clears a to-many relationship')
  for (const method of ['PATCH', 'PUT'])
    for (const ids of [['tips'], []]) rest(`${method} ${TAGS}`, tags(...ids), 200, tags(...ids))
  after(keepsTags)
  rule('4.1, 7.1', 'rejects unknown members with 404')
  for (const method of ['PATCH', 'POST']) rest(`${method} ${TAGS}`, tags('tips', 'nope'), 404)
  rest('PATCH /user/1/relationships/posts', list('post', 5, 99), 404)
  rest(`PATCH ${AUTHOR}`, one('user', 99), 404)
  rest(`PATCH ${AUTHOR}`, one('user', '1abc'), 404)
  rest('PATCH /user/99/relationships/comments', comments(), 404)
  rest(`PATCH ${MEMBERS}`, comments('9_9'), 404)
  rule('4.1', 'sets and clears a to-one relationship')
  rest(`PATCH ${AUTHOR}`, one('user', 2), 200, one('user', '2'))
  rest(`PUT ${AUTHOR}`, NULL, 200, NULL)

  rule('4.1', 'replaces members with compound ids and keeps those of other owners', { prepare: fillComments })
  rest(`PATCH ${MEMBERS}`, comments('2_2'), 200, ['2_2'])
  after(keepsOthers)
  rule('4.1', 'clears members with compound ids and keeps those of other owners', { prepare: fillComments })
  rest(`PATCH ${MEMBERS}`, comments(), 200, [])
  after(keepsOthers)
  rule('4.1', 'clears members in a resource and keeps those of other owners', { prepare: fillComments })
  const cleared = { data: { type: 'user', id: '1', relationships: { comments: comments() } } }
  rest('PATCH /user/1', cleared, 200)
  rest(MEMBERS, 200, [])
  after(keepsOthers)

  rule('4.1, 7.1', 'rejects unlinking a row from its required owner with 403')
  for (const ids of [['1_1'], []]) rest(`PATCH ${COMMENTS}`, comments(...ids), 403, REQUIRED)
  rest('PATCH /comment/1_1/relationships/post', NULL, 403, REQUIRED)
  rest('PATCH /user/1/relationships/profile', NULL, 403, REQUIRED)
  const unlinking = { type: 'post', attributes: { title: 'x' }, relationships: { comments: comments('1_1') } }
  rest('PATCH /post/1', { data: unlinking }, 403, REQUIRED)
  rule('4.1', 'accepts the required members that a row has')
  rest(`PATCH ${COMMENTS}`, comments('1_1', '1_2', '1_3'), 200, ['1_1', '1_2', '1_3'])

  rule('4.1, 7.1', 'rejects unsupported changes of a relationship with 403')
  const unsupported = { errors: [{ code: 'unsupported-change' }] }
  for (const method of ['POST', 'DELETE']) rest(`${method} ${AUTHOR}`, one('user', '2'), 403, unsupported)
  rest(`DELETE ${COMMENTS}`, comments('1_1'), 403, unsupported)

  for (const [path, methods] of [
    [AUTHOR, 'GET, HEAD, PATCH, PUT'],
    [COMMENTS, 'GET, HEAD, PATCH, POST, PUT'],
    [TAGS, 'DELETE, GET, HEAD, PATCH, POST, PUT'],
    ['/post/1/author', 'GET, HEAD'],
  ] as const) {
    rule('4.1', `lists the allowed methods of ${path}`)
    rest(`OPTIONS ${path}`, 204, allows(methods))
    rest(`PROPFIND ${path}`, 405, allows(methods))
    rest(`HEAD ${path}`, 200)
  }
  rest('POST /post/1/author', NULL, 405, allows('GET, HEAD'))

  rule('4.1, 7.1', 'rejects invalid resource identifiers')
  rest(`POST ${TAGS}`, list('post', '1'), 409, ['type-conflict /data/0/type'])
  for (const invalid of [
    { data: [{ type: 'tag' }] },
    { data: [{ type: 'tag', lid: 'x' }] },
    one('tag', 'news'),
    NULL,
    {},
  ])
    rest(`POST ${TAGS}`, invalid, 400)
  rest(`PATCH ${AUTHOR}`, { data: [] }, 400)

  const PROFILE = { profile: one('profile', '1') }
  const user = (id: string, email?: string) => {
    const attributes = { ...(email !== undefined && { email, password: 'secret-new' }) }
    return { type: 'user', ...(id !== '' && { id }), attributes, relationships: PROFILE }
  }
  const upsert = (email: string) => ({ data: user('', email), meta: { operation: 'upsert', matchFields: ['email'] } })
  const taken = (pointer: string) => ['unique-violation ' + pointer]
  rule('4.1, 7.1', 'rejects taking a resource from its required owner with 409')
  const AT = '/data/relationships/profile/data'
  rest('POST /user', { data: user('', 'new@example.org') }, 409, taken(AT))
  rest('PATCH /user/2', { data: user('2') }, 409, taken(AT))
  rest('PATCH /user/2/relationships/profile', one('profile', '1'), 409, taken('/data'))
  for (const name of ['new', 'ben']) rest('POST /user', upsert(`${name}@example.org`), 409, taken(AT))
  const owned = { data: { type: 'profile', relationships: { user: one('user', '1') } } }
  rest('POST /profile', owned, 409, taken('/data/relationships/user/data'))
  rule('4.1', 'keeps the resource that is already connected')
  rest('PATCH /user/1', { data: user('1') }, 200)
  rest('POST /user', upsert('ann@example.org'), 200)
  rest('PATCH /profile/1/relationships/user', one('user', '1'), 200)
})
