import { beforeEach, expect, it } from 'vitest'
import * as z from 'zod'

import { implementRoutes } from '../../fixtures/blog/expected/custom-routes.js'
import { declareRoutes } from '../../fixtures/blog/expected/declare-routes.js'
import { implementRoutes as implementTenantRoutes } from '../../fixtures/tenants/expected/custom-routes.js'
import { declareRoutes as declareTenantRoutes } from '../../fixtures/tenants/expected/declare-routes.js'
import { withPolicies } from '../../fixtures/tenants/expected/policy.js'
import { implementRoutes as implementWorkspaceRoutes } from '../../fixtures/workspace/expected/custom-routes.js'
import { declareRoutes as declareWorkspaceRoutes } from '../../fixtures/workspace/expected/declare-routes.js'
import { defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import type { StandardSchema } from '../../runtime/index.js'
import { fillWorkspace, recorder } from '../hooks/support/workspace.js'
import { betaAbility, fillTenants } from '../policy/support/two-tenants.js'
import { fillBlog } from '../rest/support/blog.js'
import { ENDPOINT, MEDIA_TYPE, restClient, type TestResponse as RestResponse } from '../rest/support/client.js'
import { rpcClient, type TestResponse as RpcResponse } from '../rpc/client.js'
import { type Database, describeDatabases } from '../support/databases.js'
import { describeContract, type RawRequest } from './describe-contract.js'

const OPERATIONS = {
  send: 'POST /operations',
  headers: { 'Content-Type': `${MEDIA_TYPE};ext="https://jsonapi.org/ext/atomic"` },
}
const operate = (...operations: readonly object[]) => ({ 'atomic:operations': operations })
const call = (op: string, href: string, body?: object) => ({ op, href, ...(body && { meta: { body } }) })
const transaction = (...steps: readonly unknown[]): RawRequest => ({
  send: 'POST /$transaction/sequential',
  raw: JSON.stringify(steps),
})
const step = (operation: string, args?: object) => {
  const [model, op] = operation.split('.')
  return { model, op, args }
}

/** A schema that validates asynchronously. */
const newName: StandardSchema<{ name: string }, { name: string }> = {
  '~standard': {
    version: 1,
    vendor: 'test',
    async validate(value) {
      const name: unknown = Object(value).name
      await Promise.resolve()
      return typeof name === 'string' && name !== 'news'
        ? { value: { name } }
        : { issues: [{ message: 'The name is taken.', path: ['name'] }] }
    },
  },
}

const declarations = declareRoutes({
  post: {
    publish: {
      method: 'POST',
      path: '/:id/publish',
      body: z.object({ note: z.string().max(5) }),
      result: 'Post',
      errors: { 'already-published': 409 },
      transaction: true,
    },
    touch: { method: 'PUT', path: '/:id/touch', transaction: true },
    drop: { method: 'DELETE', path: '/:id/drop', transaction: true },
    archive: {
      method: 'DELETE',
      path: '/:id/archive',
      query: z.object({ reason: z.string().max(8), views: z.coerce.number<string | number>().optional() }),
      result: 'Post',
      transaction: true,
    },
    raise: {
      method: 'PATCH',
      path: '/raise',
      body: z.object({ by: z.int() }),
      result: ['Post'],
      transaction: true,
    },
    stats: {
      method: 'POST',
      path: '/stats',
      result: z.object({ count: z.int(), readers: z.bigint(), at: z.date() }),
      transaction: true,
    },
    writer: { method: 'POST', path: '/:id/writer', result: 'User', nullable: true, transaction: true },
    nested: { method: 'POST', path: '/:id/nested', result: 'Post', transaction: true },
    single: { method: 'POST', path: '/:id/single' },
    read: { method: 'GET', path: '/:id/read', result: 'Post', nullable: true },
  },
  tag: {
    add: { method: 'POST', path: '/add', body: newName, result: 'Tag', transaction: true },
    rename: { method: 'PUT', path: '/:id/rename', body: newName, result: 'Tag', transaction: true },
  },
  'Site-reports': {
    reset: { method: 'POST', path: '/all/reset', body: z.object({ views: z.int() }), transaction: true },
    clean: {
      method: 'DELETE',
      path: '/clean',
      query: z.object({ below: z.coerce.number<string | number>() }),
      result: z.object({ removed: z.int() }),
      transaction: true,
    },
    label: { method: 'PUT', path: '/label', body: newName, result: 'Tag', errors: { full: 409 }, transaction: true },
  },
  mail: { send: { method: 'POST', path: '/send' } },
  comment: {
    shout: {
      method: 'PATCH',
      path: '/:id/shout',
      body: z.object({ mark: z.string() }),
      result: 'Comment',
      transaction: true,
    },
  },
})

const routes = implementRoutes(declarations, {
  post: {
    async publish({ orm, where, body, fail }) {
      const { status } = await orm.post.findUniqueOrThrow({ where })
      if (status === 'PUBLISHED') throw fail('already-published', 'The post is already published.')
      return orm.post.update({ where, data: { status: 'PUBLISHED', content: body.note } })
    },
    // Returns a row, which must not be sent. The compiler rejects this, but apps without TypeScript can do it.
    touch: ({ orm, where }) => orm.post.update({ where, data: { viewCount: 99 } }) as Promise<unknown> as Promise<void>,
    async drop({ orm, where }) {
      await orm.post.delete({ where })
    },
    archive: ({ orm, where, query: { reason, views } }) =>
      orm.post.update({
        where,
        data: { status: 'ARCHIVED', content: reason, ...(views !== undefined && { viewCount: views }) },
      }),
    async raise({ orm, body }) {
      await orm.post.updateMany({ data: { viewCount: { increment: body.by } } })
      return orm.post.findMany({ orderBy: { id: 'asc' } })
    },
    async stats({ orm }) {
      const secret = { password: 'secret-x' }
      return { count: await orm.post.count(), readers: 2n ** 60n, at: new Date(0), ...secret }
    },
    writer: async ({ orm, where }) => (await orm.post.findUniqueOrThrow({ where, include: { author: true } })).author,
    async nested({ orm, where }) {
      const set = (viewCount: number | { increment: number }) => ({ where, data: { viewCount } })
      await orm.$transaction([orm.post.update(set(1)), orm.post.update(set({ increment: 1 }))])
      return orm.$transaction((tx) => tx.post.update(set({ increment: 1 })))
    },
    single: () => undefined,
    read: () => null,
  },
  tag: {
    add: ({ orm, body }) => orm.tag.create({ data: body }),
    rename: ({ orm, where, body }) => orm.tag.update({ where, data: body }),
  },
  mail: { send: () => undefined },
  'Site-reports': {
    async reset({ orm, body }) {
      await orm.post.updateMany({ data: { viewCount: body.views } })
    },
    async clean({ orm, query }) {
      const { count } = await orm.comment.deleteMany({ where: { seq: { lt: query.below } } })
      return { removed: count }
    },
    async label({ orm, body, fail }) {
      if (body.name === 'full') throw fail('full', 'There are too many labels.', 'name')
      return orm.tag.create({ data: body })
    },
  },
  comment: {
    async shout({ orm, where, body }) {
      const comment = await orm.comment.findUniqueOrThrow({ where })
      return orm.comment.update({ where, data: { body: comment.body + body.mark } })
    },
  },
})

const served = { options: { routes } }
const unqueried = { ...served, queries: 0 }
/** The adapter of PGlite has no savepoints, which Prisma needs for a transaction in a transaction. */
const nesting = { ...served, on: ({ name }: { readonly name: string }) => name !== 'PGlite' }
const within = (limits: object) => ({ options: { routes, limits } })
const touched = step('Post.touch', { id: 3 })
const touch = call('update', '/post/3/touch')
const resultsOf = ({ text }: RestResponse): unknown[] => JSON.parse(text)['atomic:results']
const hidesPassword = (response: RestResponse | RpcResponse) =>
  expect(JSON.stringify(response.body)).not.toMatch(/password|secret-/)

const keepsViews = async ({ orm }: Pick<Database, 'orm'>) =>
  expect(await orm.post.count({ where: { viewCount: 7 } })).toBe(0)
const partOf = (row: object): unknown => expect.objectContaining(row)
const hasResults = (expected: readonly unknown[]) => (response: RestResponse) =>
  expect(resultsOf(response)).toMatchObject(expected)
const published = { status: 'PUBLISHED', content: 'hello' }
const readers = String(2n ** 60n)
const at = new Date(0).toJSON()
const isRestBatch = (response: RestResponse) => {
  const [tag, post, none, posts, stats, dropped, added] = resultsOf(response)
  expect([tag, added]).toMatchObject([{ data: { id: 'first' } }, { data: { type: 'tag', id: 'second' } }])
  expect(post).toMatchObject({ data: { type: 'post', id: '3', attributes: published } })
  expect([none, dropped]).toEqual([{}, {}])
  expect(Object(posts).data.map(({ id }: { id: string }) => id)).toEqual(['1', '2', '3', '4', '5'])
  expect(Object(posts).data[2].attributes).toMatchObject({ viewCount: 104 })
  const serialization = { values: { 'meta.result.readers': ['bigint'], 'meta.result.at': ['Date'] }, v: 1 }
  expect(stats).toEqual({ meta: { result: { count: 5, readers, at }, serialization } })
  expect(response.headers.get('Content-Type')).toContain('ext/atomic')
}
const isRpcBatch = ({ body: { data, meta } }: RpcResponse) => {
  const [tag, post, none, posts, stats, dropped, added]: any[] = data as any
  expect([tag, added]).toMatchObject([{ name: 'first' }, { name: 'second' }])
  expect([post, none, dropped]).toMatchObject([{ id: 3, ...published }, null, null])
  expect(posts.map(({ viewCount }: { viewCount: number }) => viewCount)).toEqual([15, 35, 104, 25, 5])
  expect(stats).toEqual({ count: 5, readers, at })
  expect(meta?.serialization).toMatchObject({ values: { '4.readers': ['bigint'], '4.at': ['Date'] } })
}

describeContract('declared routes in transactions', ({ rule, rest, rpc, finally: after }) => {
  rule('4.1, 4.3', 'returns the result of each operation', served)
  const operations = [
    { op: 'add', data: { type: 'tag', attributes: { name: 'first' } } },
    call('add', '/post/3/publish', { note: 'hello' }),
    call('update', `${ENDPOINT}/post/3/touch`),
    call('update', 'post/raise', { by: 5 }),
    call('add', '/post/stats'),
    call('remove', './post/2/drop'),
    call('add', '/tag/add', { name: 'second' }),
  ]
  rest(OPERATIONS, operate(...operations), 200, isRestBatch)
  rest('/post/2', 404)
  const steps = [
    step('Tag.create', { data: { name: 'first' } }),
    step('post.publish', { id: 3, note: 'hello' }),
    touched,
    step('Post.raise', { by: 5 }),
    step('Post.stats'),
    step('Post.drop', { id: 2 }),
    step('Tag.add', { name: 'second' }),
  ]
  rpc(transaction(...steps), 200, isRpcBatch)
  rpc('post.findUnique', { where: { id: 2 } }, 200, null)
  rule('4.1', 'responds with 204 if no route has a result', served)
  rest(OPERATIONS, operate(touch, call('remove', '/post/2/drop')), 204)
  rule('4.1, 4.3', 'accepts compound ids', served)
  rest(
    OPERATIONS,
    operate(call('update', '/comment/1_2/shout', { mark: '!' })),
    200,
    hasResults([{ data: { id: '1_2', attributes: { body: 'Second.!' } } }]),
  )
  rpc(transaction(step('Comment.shout', { postId_seq: { postId: 1, seq: 2 }, mark: '!' })), 200, [
    partOf({ body: 'Second.!' }),
  ])
  rule('2.3, 4.3', 'omits hidden fields from rows, and properties that a schema does not contain', served)
  rest(OPERATIONS, operate(call('add', '/post/3/writer'), call('add', '/post/stats')), 200, hidesPassword)
  rpc(transaction(step('Post.writer', { id: 3 }), step('Post.stats')), 200, hidesPassword)
  rule('2.3, 4.3', 'returns null if a route returns no row', served)
  rest(OPERATIONS, operate(call('add', '/post/5/writer')), 200, { 'atomic:results': [{ data: null }] })
  rpc(transaction(step('Post.writer', { id: 5 })), 200, [null])
  rule('2.5', 'rejects annotations that do not fit the body', unqueried)
  const meta = { body: { note: 'hi' }, serialization: { values: { 'meta.body.note': ['Date'] }, v: 1 } }
  rest(
    OPERATIONS,
    operate({ ...call('add', '/post/3/publish'), meta }),
    400,
    'invalid-serialization /atomic:operations/0/meta/serialization',
  )
  rule('4.1, 4.3', 'runs the transactions of a route in the same transaction', nesting)
  rest(
    OPERATIONS,
    operate(call('add', '/post/3/nested')),
    200,
    hasResults([{ data: { attributes: { viewCount: 3 } } }]),
  )
  rpc(transaction(step('Post.nested', { id: 3 })), 200, [partOf({ viewCount: 3 })])

  rule('4.1, 4.3', 'runs routes without a model', served)
  rest(
    OPERATIONS,
    operate(
      call('update', '/site-reports/label', { name: 'top' }),
      call('add', `${ENDPOINT}/site-reports/all/reset`, { views: 7 }),
      call('remove', 'site-reports/clean?below=2'),
      call('update', '/post/raise', { by: 1 }),
    ),
    200,
    hasResults([
      { data: { type: 'tag', id: 'top' } },
      {},
      { meta: { result: { removed: 2 } } },
      { data: [{ id: '1', attributes: { viewCount: 8 } }, {}, {}, {}, {}] },
    ]),
  )
  rpc(
    transaction(
      step('Site-reports.label', { name: 'top' }),
      step('site-reports.reset', { views: 7 }),
      step('Site-reports.clean', { below: 2 }),
      step('Post.raise', { by: 1 }),
    ),
    200,
    [partOf({ name: 'top' }), null, { removed: 2 }, [1, 2, 3, 4, 5].map((id) => partOf({ id, viewCount: 8 }))],
  )
  rule('7.1, 7.3', 'rolls back a route without a model if a later operation fails', served)
  const full = 'There are too many labels.'
  const reset = call('add', '/site-reports/all/reset', { views: 7 })
  rest(OPERATIONS, operate(reset, call('update', '/site-reports/label', { name: 'full' })), 409, {
    errors: [{ code: 'full', detail: full, source: { pointer: '/atomic:operations/1/meta/body/name' } }],
  })
  rpc(transaction(step('Site-reports.reset', { views: 7 }), step('Site-reports.label', { name: 'full' })), 409, {
    message: `Operation 1: ${full}`,
    issues: [{ path: [1, 'args', 'name'] }],
  })
  after(keepsViews)
  rule('7.1, 7.4', 'validates the input of routes without a model', unqueried)
  rest(
    OPERATIONS,
    operate(call('add', '/site-reports/all/reset', { views: 'x' })),
    422,
    'invalid-value /atomic:operations/0/meta/body/views',
  )
  rpc(transaction(step('Site-reports.reset', { views: 'x' })), 400, { issues: [{ path: [0, 'args', 'views'] }] })
  for (const [op, path, right] of [
    ['remove', '/site-reports/label', 'update'],
    ['update', '/site-reports/clean?below=2', 'remove'],
  ] as const) {
    rest(OPERATIONS, operate(call(op, path)), 400, {
      errors: [
        { source: { pointer: '/atomic:operations/0/op' }, detail: `The "op" of this route must be "${right}".` },
      ],
    })
  }
  rest(OPERATIONS, operate(call('add', '/site-reports/other')), 404, 'unsupported-model /atomic:operations/0/href')
  rpc(transaction(step('Site-reports.other')), 404, /Unknown operation "other". Available: reset, clean, label.$/)
  rpc(
    transaction(step('Site-report.reset')),
    404,
    /^Operation 0: Unknown model "Site-report". Did you mean "site-report/i,
  )

  rule('4.1, 4.3', 'passes the query of a route', served)
  const archived = { status: 'ARCHIVED', content: 'a& b', viewCount: 99 }
  rest(
    OPERATIONS,
    operate(touch, call('remove', '/post/3/archive?reason=a%26+b'), call('remove', '/post/4/archive?reason=x&views=5')),
    200,
    hasResults([{}, { data: { attributes: archived } }, { data: { attributes: { content: 'x', viewCount: 5 } } }]),
  )
  rpc(
    transaction(
      step('Post.archive', { id: 3, reason: 'a& b' }),
      step('Post.archive', { id: 4, reason: 'x', views: 5 }),
    ),
    200,
    [partOf({ ...archived, viewCount: 20 }), partOf({ content: 'x', viewCount: 5 })],
  )
  rule('7.1, 7.4', 'validates the query of a route before the first query', unqueried)
  const href = '/atomic:operations/1/href'
  for (const [query, parameter] of [
    ['', 'reason'],
    ['?reason=much+too+long', 'reason'],
    ['?reason=x&views=many', 'views'],
    ['?reason=x&reason=y', 'reason'],
    ['?reason=x&include=author', 'include'],
    ['?reason=x&fields[post]=title', 'fields[post]'],
  ] as const) {
    rest(OPERATIONS, operate(touch, call('remove', `/post/3/archive${query}`)), 400, {
      errors: [{ source: { pointer: href }, detail: expect.stringContaining(`${parameter}: `) }],
    })
  }
  rest(OPERATIONS, operate(touch, call('remove', '/post/3/archive?reason=%E0')), 400, {
    errors: [{ source: { pointer: href } }],
  })
  rpc(transaction(touched, step('Post.archive', { id: 3 })), 400, { issues: [{ path: [1, 'args', 'reason'] }] })
  rule('7.1', 'rejects a query that the route does not declare', unqueried)
  for (const path of ['/post/3/drop?reason=x', '/post/3/archive?reason=x#y', '/post/3?reason=x'])
    rest(OPERATIONS, operate(call('remove', path)), 400, 'malformed-document /atomic:operations/0/href')
  rule('7.1, 7.3', 'rolls back a route if a later operation fails', nesting)
  const missing = { op: 'remove', ref: { type: 'comment', id: '9_9' } }
  const nested = [call('add', '/post/4/nested'), touch]
  rest(OPERATIONS, operate(...nested, missing), 404, 'not-found /atomic:operations/2')
  const failing = [step('Post.nested', { id: 4 }), touched, step('Post.delete', { where: { id: 99 } })]
  rpc(transaction(...failing), 404, /^Operation 2: /)
  rule('7.1, 7.3', 'rolls back all operations after a declared error', served)
  const detail = 'The post is already published.'
  const source = { pointer: '/atomic:operations/1' }
  rest(OPERATIONS, operate(touch, call('add', '/post/1/publish', { note: 'x' })), 409, {
    errors: [{ code: 'already-published', status: 409, detail, source }],
  })
  rpc(transaction(touched, step('Post.publish', { id: 1, note: 'x' })), 409, {
    code: 'already-published',
    message: `Operation 1: ${detail}`,
    issues: [{ path: [1, 'args'] }],
  })
  rule('7.1, 7.3', 'locates the error of a missing row', served)
  rest(OPERATIONS, operate(touch, call('update', '/post/99/touch')), 404, 'not-found /atomic:operations/1')
  rpc(transaction(touched, step('Post.touch', { id: 99 })), 404, { issues: [{ path: [1, 'args'] }] })
  rule('7.1, 7.3', 'locates a violated constraint', served)
  rest(
    OPERATIONS,
    operate(touch, call('add', '/tag/add', { name: 'tips' })),
    409,
    'unique-violation /atomic:operations/1',
  )
  rpc(transaction(touched, step('Tag.add', { name: 'tips' })), 409, 'P2002')

  rule('7.1, 7.4', 'validates all bodies before the first query', unqueried)
  const tooLong = { note: 'too long' }
  rest(
    OPERATIONS,
    operate(touch, call('add', '/post/3/publish', tooLong)),
    422,
    'invalid-value /atomic:operations/1/meta/body/note',
  )
  rest(
    OPERATIONS,
    operate(touch, call('add', '/tag/add', { name: 'news' })),
    422,
    'invalid-value /atomic:operations/1/meta/body/name',
  )
  rpc(transaction(touched, step('Post.publish', { id: 3, ...tooLong })), 400, {
    issues: [{ path: [1, 'args', 'note'] }],
  })
  rpc(transaction(touched, step('Tag.add', { name: 'news' })), 400, {
    message: 'Operation 1: name: The name is taken.',
    issues: [{ path: [1, 'args', 'name'] }],
  })
  rpc(transaction(touched, step('Post.publish', { note: 'x' })), 400, { issues: [{ path: [1, 'args', 'id'] }] })
  rpc(transaction(touched, step('Post.touch', { id: 3, x: 1 })), 400, { issues: [{ path: [1, 'args', 'x'] }] })
  rpc(transaction(touched, step('Post.touch', { id: 'x' })), 422, { issues: [{ path: [1, 'args', 'id'] }] })
  rule('7.1', 'rejects a body that is missing, not an object or not declared', unqueried)
  rest(OPERATIONS, operate(touch, call('add', '/post/3/publish')), 400, 'malformed-document /atomic:operations/1')
  const empty = { ...call('add', '/post/3/publish'), meta: {} }
  rest(OPERATIONS, operate(empty), 400, 'malformed-document /atomic:operations/0/meta')
  rest(
    OPERATIONS,
    operate(call('add', '/post/3/publish', [])),
    400,
    'malformed-document /atomic:operations/0/meta/body',
  )
  rest(
    OPERATIONS,
    operate(call('update', '/post/3/touch', {})),
    400,
    'malformed-document /atomic:operations/0/meta/body',
  )
  const withData = { ...call('add', '/post/3/publish'), data: { type: 'post', attributes: { note: 'x' } } }
  rest(OPERATIONS, operate(withData), 400, 'malformed-document /atomic:operations/0/data')
  rule('7.1', 'rejects a wrong operation code and names the right one', unqueried)
  for (const [op, path, right] of [
    ['update', '/post/3/publish', 'add'],
    ['remove', '/post/3/touch', 'update'],
    ['add', '/post/3/drop', 'remove'],
    ['add', '/post/raise', 'update'],
  ] as const) {
    rest(OPERATIONS, operate(call(op, path, {})), 400, {
      errors: [
        { source: { pointer: '/atomic:operations/0/op' }, detail: `The "op" of this route must be "${right}".` },
      ],
    })
  }
  rule('7.1, 7.3', 'rejects unknown routes', unqueried)
  rest(
    OPERATIONS,
    operate(call('add', '/post/3/unknown', {})),
    400,
    /does not refer to a collection, resource or relationship/,
  )
  rpc(transaction(step('Post.unknown', { id: 3 })), 404, /Unknown operation/)
  rule('7.1, 7.3', 'rejects routes without `transaction` and states the reason', unqueried)
  for (const [path, status, code, reason] of [
    ['/post/3/single', 400, 'malformed-document', 'declaration lacks "transaction: true"'],
    ['/post/3/single?reason=x', 400, 'malformed-document', 'declaration lacks "transaction: true"'],
    ['/post/3/read', 400, 'malformed-document', 'method is GET'],
    ['/mail/send', 404, 'unknown-path', 'declaration lacks "transaction: true"'],
  ] as const) {
    for (const op of ['add', 'update', 'remove'])
      rest(OPERATIONS, operate(call(op, path, {})), status, {
        errors: [
          {
            code,
            source: { pointer: '/atomic:operations/0/href' },
            detail: `This route cannot be part of a transaction, because its ${reason}.`,
          },
        ],
      })
  }
  for (const [name, reason] of [
    ['Post.single', 'declaration lacks "transaction: true"'],
    ['post.single', 'declaration lacks "transaction: true"'],
    ['Post.read', 'method is GET'],
    ['mail.send', 'declaration lacks "transaction: true"'],
  ] as const) {
    rpc(transaction(step(name, { id: 3 })), 404, {
      message: `Operation 0: This route cannot be part of a transaction, because its ${reason}.`,
      issues: [{ path: [0, 'op'] }],
    })
  }
  rest(
    OPERATIONS,
    operate({ op: 'add', ref: { type: 'post', id: '3', relationship: 'publish' }, data: [] }),
    404,
    'unknown-path /atomic:operations/0/ref/relationship',
  )
  rule('7.1', 'rejects ids that no resource can have, such as local ids', served)
  const added = { op: 'add', data: { type: 'post', lid: 'new', attributes: { slug: 'new', title: 'New' } } }
  rest(OPERATIONS, operate(call('update', '/post/x/touch')), 404, 'not-found /atomic:operations/0')
  rule('4.1', 'accepts the local id of a resource that an earlier operation adds', served)
  const withLid = (op: string, path: string, lid: unknown, body?: object) => ({ op, href: path, meta: { lid, body } })
  rest(
    OPERATIONS,
    operate(
      added,
      withLid('add', '/post/:id/publish', 'new', { note: 'hello' }),
      withLid('update', 'post/:id/touch', 'new'),
      withLid('remove', `${ENDPOINT}/post/:id/archive?reason=x`, 'new'),
      { op: 'update', data: { type: 'post', lid: 'new', attributes: { title: 'Newer' } } },
    ),
    200,
    hasResults([
      {},
      { data: { attributes: { title: 'New', ...published } } },
      {},
      { data: { attributes: { status: 'ARCHIVED', content: 'x', viewCount: 99 } } },
      { data: { attributes: { title: 'Newer' } } },
    ]),
  )
  // The id of a tag is its name, which must be encoded in the path.
  const tagged = { op: 'add', data: { type: 'tag', lid: 't', attributes: { name: 'a/:id %' } } }
  rest(
    OPERATIONS,
    operate(
      tagged,
      withLid('update', '/tag/:id/rename', 't', { name: 'b' }),
      withLid('update', '/tag/:id/rename', 't', { name: 'c' }),
    ),
    404,
    'not-found /atomic:operations/2',
  )
  rest(OPERATIONS, operate(tagged, withLid('update', '/tag/:id/rename', 't', { name: 'b' })), 200)
  rule('7.1', 'rejects local ids that no earlier operation has assigned', unqueried)
  const assigned = 'malformed-document /atomic:operations/1/meta/lid'
  rest(OPERATIONS, operate(added, withLid('update', '/post/:id/touch', 'other')), 400, assigned)
  rest(OPERATIONS, operate(added, withLid('update', '/tag/:id/rename', 'new', { name: 'b' })), 400, assigned)
  const first = 'malformed-document /atomic:operations/0/meta/lid'
  rest(OPERATIONS, operate(withLid('update', '/post/:id/touch', 'new'), added), 400, first)
  rule('7.1', 'rejects invalid local ids, and local ids together with an id', unqueried)
  for (const lid of ['', 1, null])
    rest(OPERATIONS, operate(added, withLid('update', '/post/:id/touch', lid)), 400, assigned)
  for (const path of ['/post/3/touch', '/post/new/touch'])
    rest(OPERATIONS, operate(added, withLid('update', path, 'new')), 400, assigned)
  rest(OPERATIONS, operate(added, withLid('update', '/post/raise', 'new', { by: 1 })), 400, assigned)
  rest(OPERATIONS, operate(withLid('update', '/site-reports/label', 'new', { name: 'x' })), 400, first)
  rule('7.1', 'does not search for local ids in the URL of a route', served)
  rest(OPERATIONS, operate(added, call('update', '/post/new/touch')), 404, 'not-found /atomic:operations/1')
  rule('7.1', 'rejects a URL of many question marks and a fragment without delay', unqueried)
  const marks = { op: 'update', href: `/post/3/touch${'?'.repeat(300_000)}#` }
  rest(OPERATIONS, operate(marks), 400, 'malformed-document /atomic:operations/0/href')
  rule('7.1', 'rejects ":id" in the URL of a route without a local id', unqueried)
  const template = call('update', '/post/:id/touch')
  rest(OPERATIONS, operate(added, template), 400, 'malformed-document /atomic:operations/1/href')
  rule('7.1', 'rejects a version if the model has none, or if the path has no id', served)
  rest(
    OPERATIONS,
    operate({ ...touch, meta: { version: '1' } }),
    400,
    'malformed-document /atomic:operations/0/meta/version',
  )
  rest(
    OPERATIONS,
    operate({ op: 'add', href: '/post/stats', meta: { version: '1' } }),
    400,
    'malformed-document /atomic:operations/0/meta/version',
  )

  rule('8', 'counts the rows of routes toward limits.rows', within({ rows: 6 }))
  rpc(transaction(step('Post.raise', { by: 1 })), 200)
  rpc(transaction(step('Post.raise', { by: 1 }), step('Post.raise', { by: 1 })), 400, /limits\.rows/)
  rule('8', 'applies limits.responseBytes to the results of routes', within({ responseBytes: 500 }))
  rest(OPERATIONS, operate(call('update', '/post/raise', { by: 1 })), 400, /limits\.responseBytes/)
  rpc(transaction(step('Post.raise', { by: 1 })), 400, /limits\.responseBytes/)
  rule('8', 'applies limits.operations to routes', within({ operations: 1 }))
  rest(OPERATIONS, operate(touch, touch), 400, 'limit-exceeded /atomic:operations')
  rpc(transaction(touched, touched), 400, /limits\.operations/)
})

const shared = implementTenantRoutes(
  declareTenantRoutes({
    document: { share: { method: 'POST', path: '/:id/share', result: 'Document', transaction: true } },
  }),
  { document: { share: ({ orm, where }) => orm.document.update({ where, data: { visibility: 'SHARED' } }) } },
)

describeContract(
  'declared routes in transactions under policies',
  ({ rule, rest, rpc }) => {
    const options = {
      options: { routes: shared },
      orm: ({ orm }: Database<'tenants'>) => orm.$extends(withPolicies(betaAbility())),
    }
    const share = (id: number) => call('add', `/document/${id}/share`)
    const shareStep = (id: number) => step('Document.share', { id })
    rule('5', 'runs an allowed route', options)
    rest(OPERATIONS, operate(share(3)), 200)
    rpc(transaction(shareStep(3)), 200, [partOf({ visibility: 'SHARED' })])
    rule('5, 7.1, 7.3', 'rolls back all operations if a policy denies a route', options)
    rest(OPERATIONS, operate(share(3), share(1)), 404, 'not-found /atomic:operations/1')
    rpc(transaction(shareStep(3), shareStep(1)), 404, /^Operation 1: /)
  },
  { fixture: 'tenants', fill: fillTenants },
)

const workspaceRoutes = implementWorkspaceRoutes(
  declareWorkspaceRoutes({
    person: { move: { method: 'POST', path: '/:id/move', result: 'Person', transaction: true } },
    comment: { note: { method: 'POST', path: '/note', body: z.object({ text: z.string() }), transaction: true } },
  }),
  {
    person: { move: ({ orm, where }) => orm.person.update({ where, data: { teamId: 2 } }) },
    comment: {
      async note({ orm, body }) {
        await orm.comment.create({ data: { ...body, documentId: 1 } })
      },
    },
  },
)
const recorded = recorder()
const hasCalled =
  (...names: readonly string[]) =>
  () =>
    expect(recorded.names()).toEqual(names.map((name) => `Comment.create.${name}`))

describeContract(
  'declared routes in transactions with hooks',
  ({ rule, rest, rpc, finally: after }) => {
    const masks = defineHooks({ Person: { mask: { email: ({ value }) => value.replace(/^.*@/, '***@') } } })
    rule('4.1, 4.3', 'applies mask hooks to the rows of a route', {
      options: { routes: workspaceRoutes, hooks: masks },
    })
    rest(
      OPERATIONS,
      operate(call('add', '/person/1/move')),
      200,
      hasResults([{ data: { id: '1', attributes: { email: '***@red' } } }]),
    )
    rpc(transaction(step('Person.move', { id: 1 })), 200, [partOf({ email: '***@red', teamId: 2 })])
    const options = {
      options: { routes: workspaceRoutes, hooks: recorded.hooks },
      prepare: () => recorded.clear(),
    }
    const note = call('add', '/comment/note', { text: 'a' })
    const noted = step('Comment.note', { text: 'a' })
    rule('4.1, 4.3', 'calls afterCommit for the writes of a route after the commit', options)
    rest(OPERATIONS, operate(note, note), 204)
    rpc(transaction(noted, noted), 200, [null, null])
    after(hasCalled('before', 'after', 'before', 'after', 'afterCommit', 'afterCommit'))
    rule('4.1, 4.3', 'does not call afterCommit for the writes of a route after a rollback', options)
    rest(OPERATIONS, operate(note, { op: 'remove', ref: { type: 'comment', id: '999' } }), 404)
    rpc(transaction(noted, step('Comment.delete', { where: { id: 999 } })), 404)
    after(hasCalled('before', 'after'))
  },
  { fixture: 'workspace', fill: fillWorkspace },
)

describeDatabases(
  'declared routes in transactions: retries',
  (db) => {
    beforeEach(() => db.fill(fillBlog))

    /** A client whose first update fails because of a conflict. */
    const conflicting = () => {
      let failures = 1
      return db.orm.$extends({
        name: 'routewright',
        query: {
          post: {
            update({ args, query }) {
              if (failures-- > 0)
                throw Object.assign(new Error('deadlock'), { code: 'P2034', name: 'PrismaClientKnownRequestError' })
              return query(args)
            },
          },
        },
      })
    }

    it('REST: runs the operations again after a conflict', async () => {
      const rest = restClient(db, { routes }, conflicting())
      const sent = operate(call('add', '/tag/add', { name: 'a' }), touch)
      const { status, text } = await rest.post('/operations', sent, OPERATIONS.headers)
      expect([status, JSON.parse(text)['atomic:results'].length]).toEqual([200, 2])
      expect(await db.orm.tag.count({ where: { name: 'a' } })).toBe(1)
    })

    it('RPC: runs the operations again after a conflict', async () => {
      const rpc = rpcClient(db, { routes }, conflicting())
      const { send, raw } = transaction(step('Tag.add', { name: 'a' }), touched)
      const headers = { 'Content-Type': 'application/json' }
      const { status } = await rpc.fetch(send.slice('POST '.length), { method: 'POST', body: String(raw), headers })
      expect([status, await db.orm.tag.count({ where: { name: 'a' } })]).toEqual([200, 1])
    })
  },
  { only: ['sqlite'] },
)
