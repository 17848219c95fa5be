import type { Call } from './rest-conformance.js'

/** A call of an operation of the blog, and its expected response. */
export interface Provocation extends Call {
  readonly operation: string
  readonly status: number
  readonly code?: string
}

const post = (attributes: object, more: object = {}, document: object = {}) => ({
  data: { type: 'post', attributes, ...more },
  ...document,
})
const change = (attributes: object, more: object = {}) => post(attributes, more)
const FULL = { slug: 'a-new-one', title: 'New' }
const TAGS = (...ids: (string | number)[]) => ({ data: ids.map((id) => ({ type: 'tag', id })) })
const CATEGORY_X = { data: { type: 'category', id: 'x' } }
const MANY = Array.from({ length: 1001 }, (_, index) => index + 1)

/** Errors of every operation with a query. */
function queries(operation: string): readonly Provocation[] {
  return [
    { operation, status: 400, code: 'limit-exceeded', query: [['include', 'author.posts.author.posts.author.posts']] },
    { operation, status: 400, code: 'malformed-parameter', query: [['include', 'author..posts']] },
    { operation, status: 400, code: 'unknown-field', query: [['fields[post]', 'nothing']] },
    { operation, status: 400, code: 'unsupported-parameter', query: [['nonsense', '1']] },
  ]
}

function filters(operation: string, field: string): readonly Provocation[] {
  return [
    { operation, status: 400, code: 'unsupported-operator', query: [[`filter[${field}$has]`, '1']] },
    { operation, status: 422, code: 'invalid-value', query: [['filter[id]', 'x']] },
  ]
}

/** Errors of every operation with a body. */
function bodies(operation: string, body: object): readonly Provocation[] {
  const headers = { 'Content-Type': 'text/plain' }
  return [
    { operation, status: 400, code: 'malformed-body', raw: '{' },
    { operation, status: 400, code: 'malformed-document', body: { data: 1 } },
    { operation, status: 400, code: 'limit-exceeded', raw: '{"data":' + '['.repeat(20) + ']'.repeat(20) + '}' },
    {
      operation,
      status: 400,
      code: 'invalid-serialization',
      body: { ...body, meta: { serialization: { values: { x: ['Map'] } } } },
    },
    { operation, status: 400, code: 'unsupported-parameter', body, query: [['nonsense', '1']] },
    { operation, status: 400, code: 'malformed-parameter', body, search: '?include=%zz' },
    { operation, status: 413, code: 'body-too-large', raw: JSON.stringify({ x: 'x'.repeat(1_100_000) }) },
    { operation, status: 415, code: 'unsupported-media-type', body, headers },
  ]
}

/** Errors that every operation can have. */
function always(operation: string, call: Call = {}): readonly Provocation[] {
  const failing = (fails: string, status: number, code: string): Provocation => {
    return { operation, status, code, ...call, headers: { 'X-Fails': fails } }
  }
  return [
    { operation, status: 406, code: 'not-acceptable', ...call, headers: { Accept: 'text/html' } },
    failing('forbidden', 403, 'forbidden'),
    failing('internal-error', 500, 'internal-error'),
    failing('database-unavailable', 503, 'database-unavailable'),
    failing('database-timeout', 504, 'database-timeout'),
    failing('transaction-timeout', 503, 'transaction-timeout'),
  ]
}

/** Errors of writes in the database. */
function writes(operation: string, call: Call): readonly Provocation[] {
  return ['unique-violation', 'foreign-key-violation', 'write-conflict'].map((code) => {
    return { operation, status: 409, code, ...call, headers: { 'X-Fails': code } }
  })
}

const CREATE = { body: post(FULL) }
const UPDATE = { body: change({ title: 'Changed' }) }
const LINKAGE = { body: TAGS(1) }

/**
 * Requests to the blog that cause every error in its document, each at least once per kind of operation. The default of
 * `id` is 1.
 */
export const PROVOCATIONS: readonly Provocation[] = [
  ...queries('listPosts'),
  ...filters('listPosts', 'title'),
  ...always('listPosts'),

  ...queries('getPost'),
  ...always('getPost'),
  { operation: 'getPost', status: 404, code: 'not-found', id: '999' },

  ...queries('listUserPosts'),
  ...filters('listUserPosts', 'title'),
  ...always('listUserPosts'),
  { operation: 'listUserPosts', status: 404, code: 'not-found', id: '999' },

  ...queries('getCommentPost'),
  ...always('getCommentPost', { id: '1_1' }),
  { operation: 'getCommentPost', status: 404, code: 'not-found', id: '999' },

  ...queries('createPost').map((one) => ({ ...one, ...CREATE })),
  {
    operation: 'createPost',
    status: 201,
    get body() {
      return post({ slug: `new-${crypto.randomUUID()}`, title: 'New' })
    },
  },
  ...bodies('createPost', post(FULL)),
  ...always('createPost', CREATE),
  ...writes('createPost', CREATE),
  { operation: 'createPost', status: 403, code: 'client-id-forbidden', body: post(FULL, { id: '5' }) },
  { operation: 'createPost', status: 404, code: 'not-found', body: post(FULL, { relationships: { tags: TAGS('x') } }) },
  { operation: 'createPost', status: 409, code: 'type-conflict', body: { data: { type: 'user' } } },
  { operation: 'createPost', status: 422, code: 'invalid-value', body: post({ ...FULL, title: 1 }) },
  { operation: 'createPost', status: 422, code: 'missing-attribute', body: post({ title: 'No slug' }) },
  { operation: 'createPost', status: 422, code: 'unknown-attribute', body: post({ ...FULL, nothing: 1 }) },
  {
    operation: 'createPost',
    status: 422,
    code: 'unknown-relationship',
    body: post(FULL, { relationships: { no: TAGS() } }),
  },
  {
    operation: 'createPost',
    status: 400,
    code: 'missing-attribute',
    body: post(
      { title: 'No slug' },
      { id: '5', relationships: { tags: { data: [{ type: 'user', id: 1 }] }, no: TAGS() } },
    ),
  },

  { operation: 'createPost', status: 403, code: 'read-only', body: post({ ...FULL, excerpt: 'x' }) },
  {
    operation: 'createPost',
    status: 400,
    code: 'read-only',
    body: post({ ...FULL, title: 1, excerpt: 'x', nothing: 1 }, { relationships: { category: CATEGORY_X } }),
  },

  ...queries('updatePost').map((one) => ({ ...one, ...UPDATE })),
  ...bodies('updatePost', change({ title: 'Changed' })),
  ...always('updatePost', UPDATE),
  ...writes('updatePost', UPDATE),
  { operation: 'updatePost', status: 404, code: 'not-found', id: '999', ...UPDATE },
  { operation: 'updatePost', status: 409, code: 'id-conflict', body: change({}, { id: '2' }) },
  { operation: 'updatePost', status: 409, code: 'type-conflict', body: { data: { type: 'user' } } },
  { operation: 'updatePost', status: 422, code: 'invalid-value', body: change({ title: 1 }) },
  { operation: 'updatePost', status: 422, code: 'unknown-attribute', body: change({ nothing: 1 }) },
  {
    operation: 'updatePost',
    status: 422,
    code: 'unknown-relationship',
    body: change({}, { relationships: { no: TAGS() } }),
  },
  {
    operation: 'updatePost',
    status: 400,
    code: 'invalid-value',
    body: change({ title: 1, nothing: 1, id: '2' }, { id: '2', relationships: { category: CATEGORY_X, no: TAGS() } }),
  },
  {
    operation: 'updateComment',
    id: '1_1',
    status: 403,
    code: 'relationship-required',
    body: { data: { type: 'comment', relationships: { post: { data: null } } } },
  },

  { operation: 'updatePost', status: 403, code: 'read-only', body: change({ excerpt: 'x' }) },
  {
    operation: 'updatePost',
    status: 400,
    code: 'read-only',
    body: change(
      { title: 1, excerpt: 'x' },
      {
        relationships: {
          tags: {
            data: [
              { type: 'user', id: 1 },
              { type: 'tag', id: 'x' },
            ],
          },
        },
      },
    ),
  },
  {
    operation: 'updateComment',
    id: '1_1',
    status: 400,
    code: 'relationship-required',
    body: { data: { type: 'comment', attributes: { body: 1 }, relationships: { post: { data: null } } } },
  },

  ...always('deletePost'),
  { operation: 'deletePost', status: 400, code: 'unsupported-parameter', query: [['include', 'author']] },
  { operation: 'deletePost', status: 400, code: 'malformed-parameter', search: '?include=%zz' },
  { operation: 'deletePost', status: 404, code: 'not-found', id: '999' },
  ...writes('deletePost', {}).filter(({ code }) => code !== 'unique-violation'),

  ...bodies('replacePostTags', TAGS(1)),
  ...always('replacePostTags', LINKAGE),
  ...writes('replacePostTags', LINKAGE),
  { operation: 'replacePostTags', status: 404, code: 'not-found', body: TAGS(999) },
  { operation: 'replacePostTags', status: 409, code: 'type-conflict', body: { data: [{ type: 'user', id: 1 }] } },
  { operation: 'replacePostTags', status: 422, code: 'invalid-value', body: TAGS(1e21) },
  { operation: 'replacePostTags', status: 400, code: 'limit-exceeded', body: TAGS(...MANY) },
  { operation: 'replaceCommentPost', id: '1_1', status: 403, code: 'relationship-required', body: { data: null } },
  {
    operation: 'replaceUserPosts',
    status: 400,
    code: 'type-conflict',
    body: {
      data: [
        { type: 'user', id: 1 },
        { type: 'post', id: 'x' },
        { type: 'post', id: 1e21 },
      ],
    },
  },
]
