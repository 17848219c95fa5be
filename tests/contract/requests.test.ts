import SuperJSON from 'superjson'
import { expect } from 'vitest'

import { MEDIA_TYPE, type TestResponse as RestResponse } from '../rest/support/client.js'
import type { TestResponse as RpcResponse } from '../rpc/client.js'
import { describeContract, type RawRequest } from './describe-contract.js'

const ATOMIC = 'ext="https://jsonapi.org/ext/atomic"'
const NOT_UTF8 = new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])

const encode = (value: unknown) => encodeURIComponent(JSON.stringify(value))
const q = (args: unknown) => `q=${encode(args)}`
const meta = (serialization: object) => `meta=${encode({ serialization })}`
/** A request with a media type, or with none. */
const typed = (send: string, type: string | undefined, body: string): RawRequest => ({
  send,
  raw: new TextEncoder().encode(body),
  headers: { 'Content-Type': type ?? '' },
})
const hasHeader =
  (name: string, value: string) =>
  ({ headers }: { readonly headers: Headers }) =>
    expect(headers.get(name)).toBe(value)
const isUnpolluted = () => expect(Reflect.get({}, 'x')).toBeUndefined()

describeContract('requests', ({ rule, rest, rpc }) => {
  const tag = (id: string) => JSON.stringify({ data: { type: 'tag', id } })
  rule('2.5, 4.3', 'accepts the media types of JSON')
  const accepted = [MEDIA_TYPE, 'application/json', 'application/json; charset=utf-8', 'APPLICATION/VND.API+JSON']
  const quoted = ['application/json;charset="UTF-8"', `${MEDIA_TYPE};profile="http://example.org/x"`]
  for (const [index, type] of [...accepted, ...quoted].entries())
    rest(typed('POST /tag', type, tag(`tag ${index}`)), null, 201)
  rest({ send: '/post', headers: { 'Content-Type': 'text/plain' } }, 200)
  rest('DELETE /comment/4_1', 204)
  for (const type of ['application/json', 'application/json; charset=UTF-8'])
    rpc(typed('POST /tag/count', type, '{}'), null, 200, 3)

  rule('7.1, 7.3', 'rejects a body of another media type with 415')
  const ofJsonApi = (...parameters: readonly string[]) => parameters.map((parameter) => `${MEDIA_TYPE};${parameter}`)
  const forms = ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']
  const charsets = ['latin1', 'utf-16', 'utf-8; profile=x'].map((charset) => `application/json; charset=${charset}`)
  const extensions = ofJsonApi('charset=utf-8', ATOMIC, 'ext="http://example.org/none"')
  const profiles = ofJsonApi('profile="http://example.org/a;b";foo=bar')
  for (const type of [undefined, 'text/plain', 'application/xml', ...forms, ...charsets, ...extensions, ...profiles])
    rest(typed('POST /tag', type, tag('never')), null, 415, 'unsupported-media-type Content-Type')
  for (const type of [undefined, 'text/plain', 'text/plain, application/json', MEDIA_TYPE, ...forms, ...charsets])
    rpc(typed('POST /post/create', type, '{"data":{"slug":"csrf","title":"x"}}'), null, 415)

  const accepting = (type: string, ...paths: readonly string[]) =>
    paths.map((send) => ({ send, headers: { Accept: type } }))
  rule('1', 'accepts requests for JSON')
  const any = ['*/*', 'application/*', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8']
  const lists = extensions.map((extension) => `${extension}, ${MEDIA_TYPE}`)
  const weighted = ofJsonApi('q=0.5, text/html', 'profile="http://example.org/x, y"')
  for (const type of [MEDIA_TYPE, 'application/json', ...any, ...lists, ...weighted])
    rest(accepting(type, '/post'), 200, hasHeader('Vary', 'Accept'))
  rule('1', 'rejects requests for other media types with 406')
  const invalid = ofJsonApi(`charset=utf-8, ${MEDIA_TYPE};foo=bar`, 'charset=utf-8, */*')
  for (const type of ['text/html', 'application/xml', ...extensions, ...invalid, ...ofJsonApi('q=0', 'q=0, */*')]) {
    rest(accepting(type, '/post', '/post/1', '/post/1/author', '/post/1/relationships/tags'), 406)
    rest(accepting(type, 'DELETE /post/1'), 406)
  }

  rule('1', 'sets Cache-Control and Vary on each response')
  const noStore = hasHeader('Cache-Control', 'private, no-store')
  const isPrivate = (response: RestResponse) => {
    noStore(response)
    hasHeader('Vary', 'Accept')(response)
  }
  rest(['/post', '/post/1', 'HEAD /post/1'], 200, isPrivate)
  rest('/nope', 404, isPrivate)
  rest('/post?foo=1', 400, isPrivate)
  rest('POST /post/1/relationships/tags', { data: [{ type: 'tag', id: 'news' }] }, 200, isPrivate)
  rest('DELETE /tag/tips', 204, isPrivate)
  rpc('/post/count', 200, noStore)
  rpc('/post/nope', 404, noStore)

  rule('7.1, 7.3', 'rejects bodies that are not JSON objects with 400')
  for (const raw of ['{', '', '\ufeff\u0000', '{"data":', '"\\ud800', NOT_UTF8])
    rest({ send: 'POST /post', raw }, null, 400, 'malformed-body')
  for (const body of [[], 'x']) rest('POST /post', body, 400, 'malformed-document')
  rest({ send: 'POST /post', raw: 'null' }, null, 400, 'malformed-document')
  for (const raw of ['{"where"', '[]', 'null', '']) rpc({ send: 'PATCH /post/update', raw }, null, 400)
  rpc({ send: 'POST /post/findMany', raw: NOT_UTF8 }, null, 400)

  rule('7.1, 7.3', 'rejects bodies that would change the prototype of objects with 400')
  const polluting = '{"data":{"type":"post","attributes":{"slug":"new","title":"New","__proto__":{"x":1}}}}'
  rest({ send: 'POST /post', raw: polluting }, null, 400, isUnpolluted)
  const inData = '{"where":{"id":1},"data":{"constructor":{"prototype":{"x":1}}}}'
  for (const raw of [inData, '{"where":{"id":1,"__proto__":{"id":2}},"data":{}}', '{"prototype":{},"where":{"id":1}}'])
    rpc({ send: 'PATCH /post/update', raw }, null, 400, isUnpolluted)

  rule('2.3, 7.1', 'rejects malformed documents with 400 and points to the cause')
  const malformed = (body: object, pointer: string) => rest('POST /post', body, 400, `malformed-document ${pointer}`)
  const data = { type: 'post', attributes: { slug: 'new', title: 'New' } }
  malformed({}, '')
  for (const invalid of [null, [], { attributes: {} }, { type: 1 }]) malformed({ data: invalid }, '/data')
  for (const member of ['attributes', 'relationships'])
    malformed({ data: { ...data, [member]: [] } }, `/data/${member}`)
  for (const author of [{}, null])
    malformed({ data: { ...data, relationships: { author } } }, '/data/relationships/author')
  const upsert = { operation: 'upsert', matchFields: ['slug'] }
  malformed({ data: { ...data, operation: 'upsert' } }, '/data/operation')
  malformed({ data: { ...data, meta: upsert } }, '/data/meta/operation')
  malformed({ data, matchFields: ['slug'] }, '/matchFields')
  malformed({ data, included: [{ type: 'tag', id: 'x' }] }, '/included')
  malformed({ data, meta: { Operation: 'upsert' } }, '/meta/Operation')
  malformed({ data, errors: [] }, '/errors')
  malformed({ data, meta: 5 }, '/meta')
  rule('4.1', 'rejects an upsert in updates with 400')
  const misplaced = 'malformed-document /meta/operation'
  rest('PATCH /post/1', { data: { type: 'post', attributes: { title: 'x' } }, meta: upsert }, 400, misplaced)
  rest('POST /post/1/relationships/tags', { data: [], meta: upsert }, 400, misplaced)
  rest('PATCH /post/1/relationships/author', { data: null, meta: upsert }, 400, misplaced)
  rule('2.3', 'ignores unknown members and @-members')
  const more = { foo: 1, attributes: { ...data.attributes, '@id': 'x' } }
  rest('POST /post', { data: { ...data, ...more }, bar: 2, jsonapi: { ext: ['http://x'] }, meta: {} }, 201)
  rule('4.1', 'ignores other members of resource identifiers')
  const news = { data: [{ type: 'tag', id: 'news', attributes: { name: 'x' }, relationships: {}, href: 'x' }], more: 1 }
  rest('PATCH /post/5/relationships/tags', news, 200, ['news'])
  rest('PATCH /post/5', { data: { type: 'post', relationships: { tags: news } } }, 200)
  rest('/tag', 200, ['a/b %_ü', 'news', 'tips'])

  rule('4.3', 'reads arguments from the query or the body, with any method of the operation')
  const args = { where: { id: 1 }, select: { slug: true } }
  rpc(`/post/findUnique?${q(args)}`, 200, { slug: 'one' })
  rpc('POST post.findUnique', args, 200, { slug: 'one' })
  rpc('/tag/count', 200, 3)
  rpc('POST /tag/count', 200, 3)
  for (const method of ['PUT', 'PATCH']) rpc(`${method} post.update`, { ...args, data: {} }, 200, { slug: 'one' })
  const isEmpty = ({ headers, body }: RpcResponse) =>
    expect([headers.get('content-type'), body]).toEqual(['application/json', {}])
  rpc('HEAD /post/findMany', 200, isEmpty)
  rpc({ send: '/post/findMany', headers: { 'Content-Length': '0' } }, 200)
  rule('4.3, 7.3', 'rejects arguments in the wrong place with 400')
  const update = '{"where":{"id":1},"data":{}}'
  rpc({ send: `PATCH /post/update?${q({})}`, raw: update }, null, 400)
  rpc({ send: `DELETE /post/delete?${q({ where: { id: 1 } })}`, raw: update }, null, 400)
  rpc({ send: '/post/findMany', headers: { 'Content-Length': '20' } }, 400)
  rpc({ send: '/post/findMany', headers: { 'Transfer-Encoding': 'chunked' } }, 400)

  rule('4.3, 7.3', 'rejects malformed query strings with 400')
  const queries = ['q=', 'q={where', 'q=[]', 'q=null', 'q=%22x%22', 'q={}&q={}', 'q[]={}', 'fliter={}', 'q=%7B%']
  const metas = ['{}&meta={}', '{', '[]', '{"values":{}}', '{"serialization":"x"}'].map((text) => `q={}&meta=${text}`)
  for (const query of [...queries, ...metas, '__proto__[x]=1', 'q=%7B%22%ff%22:1%7D', meta({ values: {} })])
    rpc(`/post/findMany?${query}`, 400)

  rule('4.1, 7.1', 'responds with 404 to unknown paths and ids and with 405 to unknown methods')
  const relations = /^No route has this path\. Available: author, category, comments, tags\.$/
  const hasOneError = ({ errors }: { readonly errors: readonly unknown[] }) => expect(errors).toHaveLength(1)
  rest(['/post/1/autor', '/post/1/relationships/autor'], 404, relations)
  const ids = ['', '99', '1abc', '1.5', '0x1', '%201', '+1', '-0', '01', '9999999999999', '__proto__', '%E0%A4%A']
  for (const path of [...ids, '1/relationships', '1/relationships/']) rest(`/post/${path}`, 404, hasOneError)
  rest(['/nope', '/__proto__', '/constructor', '/comment/1', '/comment/1_1_1', '/comment/_'], 404, hasOneError)
  rest('/post?foo=1', 400, hasOneError)
  const available = 'include, fields, includeFilter, includeSort, includePage, relatedCount'
  rest('/post/1?foo=1', 400, new RegExp(`^Unknown parameter\\. Available: ${available}\\.$`))
  rest('DELETE /post', 405, hasOneError)
  rest(typed('POST /post', 'text/plain', '{}'), null, 415, hasOneError)
  rule('4.3, 7.3', 'responds with 404 to unknown models and operations')
  const unknown = ['', 'nope', 'findMany/', '/findMany', 'findMany/1', 'constructor', '__proto__', 'then', 'findRaw']
  for (const name of [...unknown, 'findmany', '$queryRaw', 'aggregateRaw']) rpc(`/post/${name}`, 404)
  for (const model of ['$transaction', 'toString', '__proto__', 'nope', 'POST']) rpc(`/${model}/findMany`, 404)
  rpc(['/post', '/$queryRaw/x', '/'], 404)
  rpc('/tag/findmany', 404, /Available: aggregate, check, count, create, .*findMany, .*upsert\.$/)
  rule('4.3, 7.3', 'responds with 405 to other methods and lists the methods of the operation')
  rpc(['/post/create', '/post/createMany', '/post/upsert'], 405, hasHeader('Allow', 'POST'))
  rpc(['/post/update', 'POST /post/updateMany'], 405, hasHeader('Allow', 'PATCH, PUT'))
  rpc(['/post/delete', 'POST /post/deleteMany'], 405, hasHeader('Allow', 'DELETE'))
  rpc(['DELETE /post/findMany', 'PUT /post/check'], 405, hasHeader('Allow', 'GET, HEAD, POST'))
  const override = { 'X-HTTP-Method-Override': 'DELETE' }
  rpc({ send: `/post/deleteMany?${q({ where: {} })}`, headers: override }, 405)
  rule('4.3', 'redirects a model name in upper case with 308')
  rpc('/Post/count', 308)

  const ofUpdate = (args: object, more: unknown) => {
    return { send: 'PATCH /user/update', raw: JSON.stringify({ ...args, meta: more }) }
  }
  const one = { where: { id: 1 } }
  rule('2.5, 7.3', 'rejects malformed type metadata with 400')
  for (const more of ['x', null, { x: 1 }]) rpc(ofUpdate({ ...one, data: {} }, more), null, 400)
  for (const [args, values] of [
    [{ where: { id: null } }, { 'where.id': ['undefined'] }],
    [{ where: {}, take: 'Infinity' }, { take: ['number'] }],
    [{ where: { slug: '/x/' } }, { 'where.slug': ['regexp'] }],
    [{ where: { slug: { in: ['x'] } } }, { 'where.slug.in': ['set'] }],
    [{ where: [['slug', 'x']] }, { where: ['map'] }],
    [{ where: { slug: { name: 'x', message: 'x' } } }, { 'where.slug': ['Error'] }],
    [{ where: { slug: 'http://x/' } }, { 'where.slug': ['URL'] }],
    [{ where: { slug: {} } }, { 'where.slug': [['class', 'X']] }],
    [{ where: { updatedAt: 'nope' } }, { 'where.updatedAt': ['Date'] }],
    ['2024-01-01T00:00:00Z', ['Date']],
    [{ where: {} }, { '__proto__.x': ['bigint'] }],
  ] as const) {
    rpc(`/post/findMany?${q(args)}&${meta({ values })}`, 400)
    rpc(`DELETE /post/deleteMany?${q(args)}&${meta({ values })}`, 400)
    const body = { ...Object(args), data: { title: 'x' }, meta: { serialization: { values } } }
    rpc({ send: 'PATCH /post/updateMany', raw: JSON.stringify(body) }, null, 400)
  }
  const dangling = { values: {}, referentialEqualities: { where: ['where.AND'] }, v: 1 }
  rpc(`/post/findMany?${q({ where: { AND: null } })}&${meta(dangling)}`, 400)

  rule('2.5', 'rejects types in meta.serialization that do not match with 400')
  const typedCategory = (values: object) => ({
    data: { type: 'category', attributes: { name: 'x', adPrice: '1.5', readers: '7' } },
    meta: { serialization: { values } },
  })
  const rejectsType = (path: string, type: string) => rest('POST /category', typedCategory({ [path]: [type] }), 400)
  for (const type of ['undefined', 'regexp']) rejectsType('data.attributes.name', type)
  for (const path of ['attributes.nope', '__proto__.x', 'attributes.readers']) rejectsType(`data.${path}`, 'Date')
  rule('2.5', 'accepts types in meta.serialization that match')
  const types = { 'data.attributes.adPrice': [['custom', 'Decimal']], 'data.attributes.readers': ['bigint'] }
  rest('POST /category', typedCategory(types), 201, { data: { attributes: { adPrice: '1.5', readers: '7' } } })

  rule('2.5, 7.3', 'rejects undefined in conditions with 400')
  for (const [args, path] of [
    [{ where: { id: null } }, 'where.id'],
    [{ where: null }, 'where'],
    [{ ...one, data: { posts: { updateMany: { where: { id: null } } } } }, 'data.posts.updateMany.where.id'],
    [{ ...one, data: { posts: { deleteMany: { id: null } } } }, 'data.posts.deleteMany.id'],
    [{ ...one, data: { posts: { connect: { id: null, slug: 'one' } } } }, 'data.posts.connect.id'],
    [{ ...one, data: { posts: { connect: [null] } } }, 'data.posts.connect.0'],
  ] as const)
    rpc(ofUpdate(args, { serialization: { values: { [path]: ['undefined'] } } }), null, 400, /must not be undefined/)

  rule('2.5', 'treats undefined as absent in data, selections and arguments')
  const select = { email: true, id: undefined, posts: { select: { author: { select: { name: true } } }, take: 1 } }
  const sparse = { ...one, data: { name: 'Ann', email: undefined, posts: undefined }, select, omit: undefined }
  const { json, meta: undefinedTypes } = SuperJSON.serialize(sparse)
  const isSelected = ({ body }: RpcResponse) =>
    expect(body.data).toEqual({ email: 'ann@example.org', posts: [{ author: { name: 'Ann' } }] })
  rpc(ofUpdate(Object(json), { serialization: undefinedTypes }), null, 200, isSelected)

  rule('2.5', 'ignores references to values that the JSON repeats')
  const both = { gt: new Date('2024-01-01T00:00:00Z') }
  const repeated = SuperJSON.serialize({ where: { OR: [{ updatedAt: both }, { publishedAt: both }] } })
  const isRepeated = () => expect(repeated.meta).toHaveProperty('referentialEqualities')
  rpc(`/post/findMany?${q(repeated.json)}&${meta(Object(repeated.meta))}`, 200, isRepeated)
})
