import { afterEach, beforeEach, expect, type MockInstance, vi } from 'vitest'

import { defineRestRoutes } from '../../fixtures/blog/expected/custom-routes.js'
import type { TestResponse as RestResponse } from '../rest/support/client.js'
import type { TestResponse as RpcResponse } from '../rpc/client.js'
import type { Database } from '../support/databases.js'
import { describeContract } from './describe-contract.js'

let logged: MockInstance<typeof console.error>
beforeEach(() => void (logged = vi.spyOn(console, 'error').mockReturnValue()))
afterEach(() => logged.mockRestore())

interface User {
  readonly name: string | null
  readonly password: string
}
const calls: string[] = []

/** Returns a client with computed fields of users and posts. */
function computing({ orm }: Database) {
  const hint = { needs: { password: true }, compute: ({ password }: User) => password.slice(0, 2) }
  const kind = { needs: {}, compute: () => 'a user' }
  const quiet = { needs: {}, compute: (): string => expect.unreachable('No test requests this field.') }
  const excerpt = { needs: { title: true }, compute: ({ title }: { title: string }) => title.slice(0, 2) }
  const twice = { needs: { hint: true }, compute: ({ hint: text }: { hint: string }) => text + text }
  const loud = { needs: { name: true }, compute: ({ name }: User) => (calls.push('loud'), name?.toUpperCase() ?? null) }
  return orm
    .$extends({ result: { user: { hint, kind, quiet }, post: { excerpt, quiet } } })
    .$extends({ result: { user: { twice, loud } } })
}

/** Returns a client whose computed fields replace fields of the schema. */
function replacing({ orm }: Database) {
  const name = { needs: { name: true }, compute: ({ name: text }: User) => `${text}!` }
  const role = { needs: { password: true }, compute: ({ password }: User) => password }
  return orm.$extends({ result: { user: { name, role } } })
}
const masking = ({ orm }: Database) =>
  orm.$extends({ result: { user: { password: { needs: {}, compute: () => 'masked' } } } })

const exposing = (names: object, more: object = {}) => ({ options: { computed: names, ...more }, orm: computing })
const EXPOSED = exposing({ User: ['loud', 'kind'], Post: ['excerpt'] })
const querying = (queries: RegExp | readonly RegExp[]) => ({ ...EXPOSED, queries })
const notMySql = { on: ({ provider }: Pick<Database, 'provider'>) => provider !== 'mysql' }

const textOf = (response: RestResponse | RpcResponse) => JSON.stringify(response.body)
const exposes = (response: RestResponse | RpcResponse) => {
  for (const field of ['"loud":"ANN"', '"kind":"a user"']) expect(textOf(response)).toContain(field)
  expect(textOf(response)).not.toMatch(/hint|twice|"password|quiet/)
}
const hides = (response: RestResponse | RpcResponse) => {
  expect(textOf(response)).toContain('"name":"Ann"')
  expect(textOf(response)).not.toMatch(/loud|kind|excerpt|hint|twice|"password|quiet/)
}
const replaces = (response: RestResponse | RpcResponse) => {
  expect(textOf(response)).toContain('"name":"Ann!"')
  expect(textOf(response)).not.toMatch(/"role":|secret-|"password/)
}
const lacks = (pattern: RegExp) => (response: RpcResponse) => expect(textOf(response)).not.toMatch(pattern)
const isExactly = (data: unknown) => (response: RpcResponse) => expect(response.body.data).toEqual(data)
const has = (attributes: object) => (response: RestResponse) => expect(response.one.attributes).toEqual(attributes)
const hasExcerpts = (...texts: readonly string[]) => ({ data: texts.map((excerpt) => ({ attributes: { excerpt } })) })
const endsWithComputed = ({ one }: RestResponse) =>
  expect(Object.keys(one.attributes ?? {}).slice(-2)).toEqual(['loud', 'kind'])
const includes =
  (type: string, ...attributes: readonly object[]) =>
  ({ body: { included = [] } }: RestResponse) => {
    const found = included.filter((resource) => resource.type === type).toSorted((a, b) => Number(a.id) - Number(b.id))
    expect(found.map((resource) => resource.attributes)).toMatchObject(attributes)
  }
const isRejected = ({ body }: RpcResponse) =>
  expect([body.code, body.message]).toEqual([undefined, expect.stringContaining('loud')])
const failsWith = (line: string) => (response: RestResponse | RpcResponse) => {
  expect(textOf(response)).not.toMatch(/hint|twice|nope|password/)
  expect(logged.mock.calls.flat().map(String).join()).toContain(line)
  logged.mockClear()
}
const wasNotComputed = () => expect(calls).toEqual([])

const routes = defineRestRoutes((app, api) => {
  app.get('/post/:id/again', async (c) => {
    const orm = await api.orm(c)
    return api.reply(c, 'Post', await orm.post.findUniqueOrThrow({ where: api.id(c, 'Post') }))
  })
})

const one = { id: 1 }
const user = { email: 'new@example.com', password: 'long enough', name: 'Ann' }
const row = { slug: 'six', title: 'Six' }
const post = (attributes: object, more: object = {}) => ({ data: { type: 'post', attributes }, ...more })
const fields = (...names: readonly string[]) => ({ select: Object.fromEntries(names.map((name) => [name, true])) })
const LOUD = fields('loud')
const upsert = { meta: { operation: 'upsert', matchFields: ['slug'] } }

describeContract('computed fields', ({ rule, rest, rpc, finally: after }) => {
  for (const options of [EXPOSED.options, {}, { computed: {} }, { computed: { User: [] } }]) {
    const check = options === EXPOSED.options ? exposes : hides
    const what = `${JSON.stringify(options)}: returns only the exposed computed fields`
    rule('2.2, 4.3', what, { orm: computing, options, prepare: () => calls.splice(0) })
    for (const path of ['/user/1', '/post/1/author', '/post?include=author,comments.author']) rest(path, 200, check)
    rest('/post/1/relationships/author?include=author', 200, check)
    const nested = { include: { posts: { include: { author: true } } } }
    rpc('user.findMany', {}, 200, check)
    rpc('user.findMany', { include: { _count: true } }, 200, check)
    rpc('user.findUnique', { where: one, ...nested }, 200, check)
    rpc('post.findFirst', { where: one, select: { author: true } }, 200, check)
    rpc('user.create', { data: user }, 201, check)
    rpc('user.update', { where: one, data: { name: 'Ann' } }, 200, check)
    rpc('user.upsert', { where: one, create: user, update: { name: 'Ann' } }, 200, check)
    rpc('post.update', { where: one, data: { title: 'x' }, include: { author: true } }, 200, check)
    rpc('user.delete', { where: { email: user.email } }, 200, check)
    if (check === hides) after(wasNotComputed)
    rule('4.3', `${what} of several written rows`, { orm: computing, options, ...notMySql })
    rpc('user.createManyAndReturn', { data: [user] }, 201, check)
    const many = { where: one, data: { title: 'x' }, include: { author: true } }
    rpc('post.updateManyAndReturn', many, 200, check)
  }
  rule('2.2', 'returns computed attributes of resources, lists, related and included resources', EXPOSED)
  rest('/user/1', 200, { data: { attributes: { name: 'Ann', loud: 'ANN', kind: 'a user' } } })
  rest('/user/1', 200, endsWithComputed)
  rest('/post?page[limit]=2', 200, hasExcerpts('On', 'Tw'))
  rest('/user/1/posts', 200, hasExcerpts('On', 'Tw', 'Th'))
  rest('/tag/news/posts', 200, hasExcerpts('On', 'Tw'))
  const three = [{ loud: 'ANN' }, { loud: 'BEN' }, { loud: null }]
  rest('/post/1?include=author,comments.author', 200, includes('user', ...three))
  rest('/post/1?include=author,comments.author', 200, { data: { attributes: { excerpt: 'On' } } })
  rule('2.2', 'returns computed attributes after writes', EXPOSED)
  rest('POST /post', post(row), 201, { data: { attributes: { excerpt: 'Si' } } })
  rest('PATCH /post/1?fields[post]=excerpt', post({ title: 'New' }), 200, has({ excerpt: 'Ne' }))
  rest('POST /post', post({ ...row, title: 'VI' }, upsert), 200, { data: { attributes: { excerpt: 'VI' } } })
  rule('2.2', 'returns computed attributes from custom routes', exposing(EXPOSED.options.computed, { routes }))
  rest('/post/1/again?fields[post]=title,excerpt', 200, has({ title: 'One', excerpt: 'On' }))
  rest('/post/1/again?include=author', 200, exposes)

  rule('4.2, 4.3', 'returns only the requested fields', EXPOSED)
  rest('/post/1?fields[post]=title,excerpt', 200, has({ title: 'One', excerpt: 'On' }))
  rest('/post/1?fields[post]=title', 200, has({ title: 'One' }))
  rest('/user/1?fields[user]=kind', 200, has({ kind: 'a user' }))
  rest('/user/3?fields[user]=loud', 200, has({ loud: null }))
  rest('/post/1/author?fields[user]=loud', 200, has({ loud: 'ANN' }))
  const sparse = '/post/1?include=author,tags.posts&fields[user]=loud&fields[post]=excerpt,author'
  rest(sparse, 200, includes('user', { loud: 'ANN' }))
  rest(sparse, 200, includes('post', { excerpt: 'Tw' }))
  const kind = { kind: 'a user' }
  const posts = fields('excerpt')
  rpc('user.findMany', LOUD, 200, [{ loud: 'ANN' }, { loud: 'BEN' }, { loud: null }])
  for (const [operation, args, result] of [
    ['user.findFirst', fields('loud', 'email'), { loud: 'ANN', email: 'ann@example.org' }],
    ['user.findFirst', { select: { loud: false, email: true } }, { email: 'ann@example.org' }],
    ['user.findUnique', { where: one, ...fields('kind') }, kind],
    ['user.findFirst', fields('kind', 'loud'), { ...kind, loud: 'ANN' }],
    ['user.findUnique', { where: { id: 2 }, select: { kind: true, posts } }, { ...kind, posts: [{ excerpt: 'Fo' }] }],
    ['user.findFirst', { select: { _count: fields('posts'), kind: true } }, { _count: { posts: 3 }, ...kind }],
    ['post.findFirst', { where: one, select: { author: fields('kind') } }, { author: kind }],
    ['post.findFirst', { where: one, select: { author: LOUD } }, { author: { loud: 'ANN' } }],
    ['user.update', { where: one, data: { name: 'Bo' }, ...LOUD }, { loud: 'BO' }],
    ['user.upsert', { where: one, create: user, update: { name: 'Cy' }, ...fields('kind') }, kind],
    ['post.delete', { where: one, select: { excerpt: true, author: LOUD } }, { excerpt: 'On', author: { loud: 'CY' } }],
  ] as const)
    rpc(operation, args, 200, isExactly(result))
  rpc('user.create', { data: user, ...LOUD }, 201, isExactly({ loud: 'ANN' }))
  rule('4.3', 'returns the selected fields of several written rows', { ...EXPOSED, ...notMySql })
  rpc('user.createManyAndReturn', { data: [user], ...LOUD }, 201, [{ loud: 'ANN' }])
  rpc('post.updateManyAndReturn', { where: one, data: { title: 'new' }, ...posts }, 200, [{ excerpt: 'ne' }])
  rule('4.3', 'omits computed fields by name, also in included rows', EXPOSED)
  const omitted = { where: one, include: { author: { omit: fields('kind').select } }, omit: { excerpt: true } }
  rpc('post.findFirst', omitted, 200, { title: 'One', author: { loud: 'ANN' } })
  rpc('post.findFirst', omitted, 200, lacks(/"(excerpt|kind)":/))
  rpc('user.findFirst', { omit: { name: true } }, 200, { loud: 'ANN' })
  rpc('user.findFirst', { omit: { name: true } }, 200, lacks(/"name":/))
  rule('4.2, 4.3', 'queries only the columns that a selected field needs', querying([/^(?!.*(content|slug)).*title/s]))
  rest('/post/1?fields[post]=excerpt', 200, has({ excerpt: 'On' }))
  rpc('post.findMany', fields('excerpt'), 200)
  rule('4.2, 4.3', 'does not query columns that only hidden computed fields need', querying(/^(?!.*password)/s))
  rest('/user', 200)
  for (const path of ['1', '1?include=posts.author']) rest(`/user/${path}`, 200)
  for (const path of ['/1/author', '?include=author,comments.author']) rest(`/post${path}`, 200)
  rpc('user.findMany', {}, 200)
  rpc('user.findMany', { include: { posts: { include: { author: true } } } }, 200)
  rule('4.2', 'does not query columns that only other fields need', querying([/^(?!.*title)/s]))
  rest('/post/1?fields[post]=slug', 200)

  for (const options of [EXPOSED.options, {}]) {
    rule('4.3', `${JSON.stringify(options)}: adds no computed field to results without rows`, {
      options,
      orm: computing,
    })
    rpc('user.aggregate', { _count: true }, 200, isExactly({ _count: 3 }))
    rpc('user.groupBy', { by: ['name'], where: one, _count: true }, 200, isExactly([{ name: 'Ann', _count: 1 }]))
    rpc('user.groupBy', { by: ['name', 'email'], where: one }, 200, lacks(/loud|kind|quiet/))
    rpc('user.count', {}, 200, isExactly(3))
    rpc('user.createMany', { data: [user] }, 201, isExactly({ count: 1 }))
    rpc('user.updateMany', { where: { email: user.email }, data: { name: 'x' } }, 200, isExactly({ count: 1 }))
    rpc('user.deleteMany', { where: { email: user.email } }, 200, isExactly({ count: 1 }))
  }

  rule('4.2, 7.1', 'rejects filters and sorting by a computed field with 400', EXPOSED)
  const filter = /^"loud" is computed and cannot be used in filters\.$/
  for (const query of ['/user?filter[loud]=ANN', '/user?filter[loud$contains]=A', '/post?filter[author][loud]=ANN'])
    rest(query, 400, filter)
  const sort = /^Resources cannot be sorted by "loud", because it is computed\.$/
  for (const query of ['/user?sort=loud', '/post?sort=-author.loud']) rest(query, 400, sort)
  rest('/user?sort=loud', 400, { errors: [{ code: 'unknown-field' }] })
  rest('/user?filter[loud]=ANN', 400, { errors: [{ code: 'unknown-field' }] })
  const where = { loud: 'ANN' }
  for (const [operation, ...list] of [
    ['user.findMany', { where }, { where: { OR: [{ loud: { contains: 'A' } }] } }, { distinct: ['loud'] }],
    ['user.findMany', { orderBy: { loud: 'asc' } }, { cursor: { ...one, ...where } }, { include: { loud: true } }],
    ['post.findMany', { where: { author: where } }, { orderBy: [{ author: { loud: 'asc' } }] }],
    ['user.findUnique', { where: { ...one, ...where } }],
    ['user.groupBy', { by: ['loud'] }, { by: ['name'], having: where }, { by: ['name'], orderBy: { loud: 'asc' } }],
    ['user.groupBy', { by: ['name'], _max: { loud: true } }],
    ['user.aggregate', { _count: { loud: true } }],
    ['user.count', LOUD],
  ] as const)
    for (const args of list) rpc(operation, args, 400, isRejected)
  const issue = { message: 'where.loud is computed and can only be selected.', issues: [{ path: ['where', 'loud'] }] }
  rpc('user.findMany', { where }, 400, issue)
  rule('4.1, 7.1, 7.3', 'rejects writes of computed fields with 403', EXPOSED)
  for (const send of ['POST /post', 'PATCH /post/1']) {
    rest(send, post({ ...row, excerpt: 'x' }), 403, 'read-only /data/attributes/excerpt')
    rest(send, post({ ...row, excerpt: 'x' }), 403, /^"excerpt" is computed and cannot be written\.$/)
  }
  const loud = { ...user, loud: 'X' }
  rpc('user.create', { data: loud }, 403, /data\.loud is computed and cannot be written\./)
  rpc('user.update', { where: one, data: where }, 403, /data\.loud is computed and cannot be written\./)
  rpc('user.updateMany', { where: one, data: where }, 403, /data\.loud is computed and cannot be written\./)
  rpc('user.createMany', { data: [loud] }, 403, /data\.0\.loud is computed and cannot be written\./)
  rule('7.1', 'rejects writes of computed fields as unknown if they are not exposed', exposing({}))
  rest('PATCH /post/1', post({ excerpt: 'x' }), 422, 'unknown-attribute /data/attributes/excerpt')
  rule('7.1, 7.3', 'rejects computed fields that are not exposed like unknown names', EXPOSED)
  for (const name of ['hint', 'twice', 'quiet', 'nope']) {
    const source = { parameter: 'fields[user]' }
    rest(`/user?fields[user]=${name}`, 400, 'unknown-field fields[user]')
    rest(`/user?fields[user]=${name}`, 400, { errors: [{ detail: `"user" has no field "${name}".`, source }] })
    for (const clause of ['select', 'omit', 'include']) {
      const message = `Unknown name "${name}" in ${clause}.`
      const issues = [{ path: [clause, name], message }]
      rpc('user.findMany', { [clause]: { [name]: true } }, 400, { message, issues })
    }
  }

  rule('2.2, 4.3', 'replaces a field of the same name, but omits one that needs a write-only field', { orm: replacing })
  for (const path of ['/user/1', '/user/1?fields[user]=name,role', '/post/1/author', '/user?include=posts.author'])
    rest(path, 200, replaces)
  rpc('user.findFirst', {}, 200, replaces)
  rpc('user.findFirst', fields('name', 'role'), 200, replaces)
  rpc('user.findFirst', fields('role'), 200, lacks(/"role":|secret-|"password/))
  rule('4.3', 'omits a computed field with the name of a write-only field', { orm: masking })
  rpc('user.findFirst', {}, 200, lacks(/secret-|"password|masked/))
  rpc('user.findFirst', fields('password'), 400)
  const mapped = { modelNameMapping: { Post: 'posts' }, externalIdMapping: { Post: 'slug' } }
  rule('2.1', 'returns computed fields under mapped names and ids', exposing(EXPOSED.options.computed, mapped))
  rest('/posts/one?fields[posts]=excerpt', 200, has({ excerpt: 'On' }))
  rule('4.3', 'accepts a model without names and duplicate names', exposing({ Post: [], User: ['loud', 'loud'] }))
  rpc('user.findFirst', LOUD, 200, isExactly({ loud: 'ANN' }))

  const writeOnly = 'cannot be exposed, because it needs "password", which is write-only.'
  for (const [name, reason] of [
    ['hint', writeOnly],
    ['twice', writeOnly],
    ['nope', 'is not a computed field of the client. Computed fields of User: hint, kind, quiet, twice, loud.'],
  ] as const) {
    const check = failsWith(`computed.User: "${name}" ${reason}`)
    rule('7.1, 7.3', `${name}: responds with 500 and logs that it ${reason}`, exposing({ User: [name] }))
    rest('/post', 500, check)
    for (const model of ['user', 'post', 'user']) rpc(`${model}.findMany`, 500, check)
  }
  rule('7.3', 'responds with 500 if the client has no extensions', { options: EXPOSED.options })
  const none = 'computed.Post: "excerpt" is not a computed field of the client. Computed fields of Post: none.'
  for (const check of [failsWith(none), failsWith(none)]) rpc('post.findMany', 500, check)
})
