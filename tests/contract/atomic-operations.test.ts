import { expect } from 'vitest'

import { MEDIA_TYPE, type TestResponse } from '../rest/support/client.js'
import type { Database } from '../support/databases.js'
import { describeContract, type Expected } from './describe-contract.js'

const EXT = 'https://jsonapi.org/ext/atomic'
const ATOMIC = `${MEDIA_TYPE};ext="${EXT}"`

const REQUEST = { send: 'POST /operations', headers: { 'Content-Type': ATOMIC } }
const withHeaders = (headers: object) => ({ ...REQUEST, headers: { ...REQUEST.headers, ...headers } })
const operate = (...operations: readonly unknown[]) => ({ 'atomic:operations': operations })
const results = (...list: readonly object[]) => ({ 'atomic:results': list })
const at = (pointer: string) => ({ errors: [{ source: { pointer } }] })

const local = (type: string, lid: string) => ({ type, lid })
const to = (type: string, id: string) => ({ data: { type, id } })
const add = (data: unknown, more: object = {}) => ({ op: 'add', data, ...more })
const update = (data: unknown, more: object = {}) => ({ op: 'update', data, ...more })
const remove = (target: object) => ({ op: 'remove', ...target })
const ref = (type: string, id: string, relationship?: string) => ({
  ref: { type, id, ...(relationship !== undefined && { relationship }) },
})
const href = (url: string) => ({ href: url })
const post = (slug: string, more: object = {}) => ({ type: 'post', attributes: { slug, title: slug }, ...more })
const category = (name: string, lid: string, relationships: object = {}) =>
  add({ ...local('category', lid), attributes: { name }, relationships })
const addTag = (name: string) => add({ type: 'tag', id: name })
const addTags = (count: number) => operate(...Array.from({ length: count }, (_, index) => addTag(`tag-${index}`)))

const resultsOf = ({ text }: TestResponse): readonly object[] => JSON.parse(text)['atomic:results']
const hasResults = (response: TestResponse) => {
  expect(response.headers.get('Content-Type')).toBe(ATOMIC)
  expect(response.headers.get('Vary')).toBe('Accept')
  const all = resultsOf(response)
  expect(all.slice(0, 2)).toMatchObject([
    { data: { type: 'post', id: '6', attributes: { slug: 'new', title: 'new' } } },
    { data: { id: '6', attributes: { title: 'Renamed' } } },
  ])
  expect(all.slice(2)).toEqual([{ data: [{ type: 'tag', id: 'news' }], meta: { total: 1 } }, {}, { data: null }])
}
const isMinimal = (response: TestResponse) => {
  expect(response.headers.get('Preference-Applied')).toBe('return=minimal')
  const [result] = resultsOf(response)
  expect(Object.keys(Object(Reflect.get(result ?? {}, 'data'))).sort()).toEqual(['id', 'links', 'type'])
}
const isFinal = (response: TestResponse) =>
  expect(resultsOf(response)[3]).toMatchObject({ data: expect.arrayContaining([{ type: 'tag', id: 'final' }]) })
const allowsPost = ({ headers }: TestResponse) => expect(headers.get('Allow')).toBe('POST')
const hasTags = (slug: string, members: object) => async (db: Database) => {
  const include = { tags: { orderBy: { name: 'asc' } }, category: true } as const
  expect(await db.orm.post.findUnique({ where: { slug }, include })).toMatchObject(members)
}

const ON = { atomicOperations: true }

describeContract(
  'atomic operations',
  ({ rule, rest, finally: after }) => {
    const sends = (operations: readonly unknown[], status: number, expected?: Expected<TestResponse>) =>
      rest(REQUEST, operate(...operations), status, expected)
    const within = (limits: object) => ({ options: { ...ON, limits } })

    rule('4.1', 'runs the operations in order and returns a result for each')
    const created = [
      add(post('new', { lid: 'p', relationships: { author: to('user', '2') } })),
      update({ ...local('post', 'p'), attributes: { title: 'Renamed' } }, { ref: local('post', 'p') }),
      add([to('tag', 'news').data], { ref: { ...local('post', 'p'), relationship: 'tags' } }),
      remove(ref('comment', '1_3')),
      update(null, ref('post', '2', 'author')),
    ]
    sends(created, 200, hasResults)
    rest('/post/6', 200, { data: { attributes: { title: 'Renamed', authorId: 2 } } })
    rest('/post/6/tags', 200, ['news'])
    rest('/comment/1_3', 404)
    rule('4.1', 'responds with 204 if no result has data')
    sends([remove(ref('comment', '1_1'))], 204)
    rule('4.1', 'resolves local ids in all identifiers')
    const linked = [
      category('Top', 'top'),
      category('Sub', 'sub', { parent: { data: local('category', 'top') } }),
      add({ ...local('tag', 't'), id: undefined, attributes: { name: 'fresh' } }),
      add(post('more', { lid: 'top', relationships: { category: { data: local('category', 'sub') } } })),
      update([local('tag', 't'), to('tag', 'news').data], { ref: { ...local('post', 'top'), relationship: 'tags' } }),
      update({ ...local('post', 'top'), attributes: { content: 'by its local id' } }),
      update(local('category', 'top'), { ref: { ...local('post', 'top'), relationship: 'category' } }),
      remove({ ref: local('category', 'sub') }),
    ]
    sends(linked, 200)
    const names = [{ name: 'fresh' }, { name: 'news' }]
    after(hasTags('more', { content: 'by its local id', category: { name: 'Top' }, tags: names }))
    rule('4.1', 'resolves a local id after an operation changed the id')
    const named = (name: string) => ({ ...local('tag', 't'), attributes: { name } })
    const renamed = [
      add(named('draft')),
      update(named('final')),
      addTag('draft'),
      add([local('tag', 't')], ref('post', '1', 'tags')),
      update(named('last'), { ref: local('tag', 't') }),
    ]
    sends(renamed, 200, isFinal)
    // The id does not refer to the row that had it first.
    sends([remove(ref('tag', 'last'))], 204)
    rest('/tag/draft', 200)
    rule('4.1', 'accepts absolute, mounted and relative hrefs')
    const hrefs = [
      add(post('by-href'), href('/post')),
      update({ ...to('post', '1').data, attributes: { title: 'Absolute' } }, href('https://blog.example/api/post/1')),
      add([to('tag', 'tips').data], href('/api/post/1/relationships/tags')),
      remove(href('comment/4_1')),
    ]
    sends(hrefs, 200)
    rest('/comment', 200, { meta: { total: 3 } })
    rest('/post/6', 200, { data: { attributes: { slug: 'by-href' } } })
    after(hasTags('one', { title: 'Absolute', tags: [{ name: 'a/b %_ü' }, { name: 'news' }, { name: 'tips' }] }))
    rule('4.1', 'upserts one row several times')
    const meta = { operation: 'upsert', matchFields: ['slug'] }
    const upsert = (title: string) => add({ type: 'post', attributes: { slug: 'one', title } }, { meta })
    const titled = (title: string) => ({ data: { id: '1', attributes: { title } } })
    sends([upsert('First'), upsert('Second')], 200, results(titled('First'), titled('Second')))
    rule('4.1', 'returns only identifiers and links for return=minimal')
    rest(withHeaders({ Prefer: 'return=minimal' }), operate(add(post('minimal'))), 200, isMinimal)

    rule('7.1', 'rolls back all operations if one is rejected, and points to it')
    const rename = update({ type: 'post', id: '3', attributes: { title: 'X' } }, ref('post', '3'))
    const user = { type: 'user', attributes: { email: 'none', password: 'long enough' } }
    for (const [failing, status, pointer] of [
      [add(user), 422, '/data/attributes/email'],
      [add(post('one')), 409, '/data/attributes/slug'],
      [add(post('x', { relationships: { author: to('user', '99') } })), 404, '/data/relationships/author/data'],
      [remove(ref('post', '99')), 404, ''],
      [remove(ref('post', 'x')), 404, ''],
      [update({ type: 'user', id: '1', attributes: { role: 'ADMIN' } }), 403, '/data/attributes/role'],
      [update(null, ref('comment', '1_1', 'post')), 403, '/data'],
      [add([], ref('post', '1', 'author')), 403, ''],
      [update({ type: 'post', id: '2' }, ref('post', '1')), 409, '/data/id'],
    ] as const) {
      const operations = [addTag('before'), rename, failing, addTag('after')]
      sends(operations, status, at(`/atomic:operations/2${pointer}`))
    }
    const unlocal = update({ ...local('post', 'p'), attributes: {} }, ref('post', '1'))
    sends([add(post('new', { lid: 'p' })), unlocal], 409, at('/atomic:operations/1/data/lid'))
    rule('7.1', 'rejects unknown names with 404 and contradictions with 409')
    sends([add({ type: 'constructor', attributes: {} })], 404, at('/atomic:operations/0/data/type'))
    sends([remove(ref('nothing', '1'))], 404, at('/atomic:operations/0/ref/type'))
    sends([update(null, ref('post', '1', 'title'))], 404, at('/atomic:operations/0/ref/relationship'))
    sends([add(to('tag', 'b').data, ref('tag', 'a'))], 409, at('/atomic:operations/0/ref/id'))
    sends([add(to('tag', 'b').data, { ref: { type: 'post' } })], 409, at('/atomic:operations/0/data/type'))
    sends([remove(ref('tag', '\ud800'))], 404)
    sends([remove(ref('post', ''))], 404)

    rule('7.1', 'rejects documents other than lists of operations with 400', { queries: 0 })
    rest(REQUEST, {}, 400, at(''))
    for (const list of [{}, []]) rest(REQUEST, { 'atomic:operations': list }, 400, at('/atomic:operations'))
    const single = { ...operate(add(post('one'))), meta: { operation: 'upsert' } }
    rest(REQUEST, single, 400, at('/meta/operation'))
    for (const [name, value] of Object.entries({ data: null, included: [{}], errors: [], 'atomic:results': [] }))
      rest(REQUEST, { ...operate(addTag('x')), [name]: value }, 400, at(`/${name}`))
    rule('7.1', 'rejects malformed operations with 400', { queries: 0 })
    const one = ref('post', '1')
    for (const [operation, pointer] of [
      [null, ''],
      [{ op: 'replace', ...one, data: post('a') }, '/op'],
      [{ data: post('a') }, ''],
      [remove({ ...one, ...href('/post/1') }), ''],
      [remove({}), ''],
      [update(post('a')), '/data'],
      [update('post'), '/data'],
      [add([post('a')]), '/data'],
      [remove({ ref: { type: 'post' } }), '/ref'],
      [remove({ ref: { type: 'post', id: '1', lid: 'a' } }), '/ref'],
      [remove({ ref: 'post' }), '/ref'],
      [add(undefined, href('/post')), ''],
      [remove({ ...one, data: null }), '/data'],
      [remove({ ...one, force: true }), '/force'],
      [remove({ ref: { ...one.ref, relation: 'tags' } }), '/ref/relation'],
      [remove({ ...one, meta: 1 }), '/meta'],
      ...['https://evil.example/post/1', '//evil.example/post/1', '/post/1?include=author', '/post/1/comments', '/post']
        // Other origins, a query, related resources, and a collection.
        .map((url) => [remove(href(url)), '/href'] as const),
    ] as const)
      sends([operation], 400, at(`/atomic:operations/0${pointer}`))
    sends([remove(href('/post/'))], 400)
    rule('4.1, 7.1', 'accepts a single identifier to add or remove a member, but not to replace all members')
    for (const [op, status] of Object.entries({ add: 200, remove: 200, update: 400 }))
      sends([{ op, ...to('tag', 'news'), ...ref('post', '1', 'tags') }], status)
    rule('7.1', 'rejects invalid local ids with 400', { queries: 0 })
    const author = { data: local('user', 'x') }
    for (const [operation, pointer] of [
      [add(post('a', { lid: '' })), '/data/lid'],
      [add(post('a', { lid: 1 })), '/data/lid'],
      [add({ type: 'tag', id: 'a', lid: 'a' }), '/data'],
      [remove({ ref: local('post', 'x') }), '/ref/lid'],
      [update(local('post', 'x')), '/data/lid'],
      [add(post('a', { relationships: { author } })), '/data/relationships/author/data/lid'],
      [add([local('tag', 'x')], ref('post', '1', 'tags')), '/data/0/lid'],
      [category('N', 'x', { parent: { data: local('category', 'x') } }), '/data/relationships/parent/data/lid'],
    ] as const)
      sends([operation], 400, at(`/atomic:operations/0${pointer}`))
    const a = add(post('a', { lid: 'x' }))
    sends([a, add(post('b', { lid: 'x' }))], 400, at('/atomic:operations/1/data/lid'))
    sends([remove({ ref: local('post', 'x') }), a], 400, at('/atomic:operations/0/ref/lid'))
    sends([category('N', 'x'), remove({ ref: local('post', 'x') })], 400, at('/atomic:operations/1/ref/lid'))
    rule('7.1', 'rejects identifiers that are not strings with 400')
    sends([add([{ type: { toString: 1, valueOf: 1 }, lid: 'x' }], ref('post', '1', 'tags'))], 400)
    for (const lid of [{ toString: 1 }, 'x']) sends([update({ type: 'post', lid, attributes: {} }, one)], 400)

    rule('4.1', 'negotiates the extension')
    for (const [index, headers] of [
      { 'Content-Type': `${MEDIA_TYPE}; EXT="${EXT} ${EXT}"; profile="https://example.org/p"` },
      { Accept: `${MEDIA_TYPE}, ${ATOMIC};q=0.5` },
      { Accept: 'text/html, */*;q=0.1' },
      { Accept: `${MEDIA_TYPE}, */*;q=0.1` },
      { Accept: 'application/json' },
    ].entries())
      rest(withHeaders(headers), operate(addTag(`x${index}`)), 200)
    rule('7.1', 'rejects other extensions and media types with 415 or 406')
    const VERSION = 'https://jsonapi.org/ext/version'
    for (const type of [
      MEDIA_TYPE,
      'application/json',
      `${MEDIA_TYPE};ext="${EXT} ${VERSION}"`,
      `${ATOMIC};charset=utf-8`,
    ])
      rest(withHeaders({ 'Content-Type': type }), operate(addTag('x')), 415)
    for (const Accept of [MEDIA_TYPE, `${MEDIA_TYPE};ext="${VERSION}"`, 'text/html'])
      rest(withHeaders({ Accept }), operate(addTag('x')), 406)

    rule('8', 'rejects a request beyond limits.operations', within({ operations: 3, nodes: 40, bodyBytes: 600 }))
    rest(REQUEST, addTags(4), 400, /limits\.operations/)
    rest(REQUEST, addTags(4), 400, at('/atomic:operations'))
    rest(REQUEST, addTags(3), 200)
    rule('8', 'rejects a request beyond limits.nodes with 400', within({ nodes: 20 }))
    rest(REQUEST, addTags(6), 400, /limits\.nodes/)
    rule('8', 'rejects a response beyond limits.responseBytes with 400', within({ responseBytes: 600 }))
    rest(REQUEST, addTags(10), 400, /return=minimal/)
    rule('8', 'rejects one result beyond limits.responseBytes with 400', within({ responseBytes: 100 }))
    sends([add(post('too-long'))], 400)
    rule('8', 'accepts 100 operations by default, but not 101')
    rest(REQUEST, addTags(101), 400)
    rest(REQUEST, addTags(100), 200)
    rule('8', 'rejects 100 operations with 409 if one conflicts')
    sends([...Array.from({ length: 99 }, (_, index) => addTag(`tag-${index}`)), addTag('news')], 409)

    rule('7.1', 'serves only POST without a query')
    rest('/operations', 405, allowsPost)
    const withQuery = { ...REQUEST, send: 'POST /operations?include=tags' }
    rest(withQuery, operate(addTag('x')), 400, { errors: [{ source: { parameter: 'include' } }] })
    for (const atomicOperations of [false, '/batch']) {
      rule('7.1', `responds with 404 if atomicOperations is ${atomicOperations}`, { options: { atomicOperations } })
      sends([addTag('x')], 404)
    }
  },
  { handlers: ON },
)

describeContract(
  'atomic operations of a model with disabled operations',
  ({ rule, rest }) => {
    rule('7.1', 'rejects a disabled operation with 403')
    rest(REQUEST, operate(remove(ref('feedback', '1'))), 403, at('/atomic:operations/0'))
  },
  { fixture: 'annotations', handlers: ON, fill: () => Promise.resolve() },
)
