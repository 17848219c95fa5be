import { SIZES } from './data-set/rows.js'

/** A request without a host. */
export interface RequestOf {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A measured operation. */
export interface Operation {
  readonly name: OperationName
  readonly label: string
  /**
   * Creates a request.
   * @param n unique among the requests of the contender; selects the rows
   * @param unique a string that is unique in the run
   */
  readonly request: (n: number, unique: string) => RequestOf
  /** Whether it changes the database, so that contenders cannot return the same response. */
  readonly writes?: true
  /** The feature that the operation needs. The generated code serves it with all features enabled. */
  readonly feature?: string
  /** The same operation as a request to the tRPC API, if it has one. */
  readonly trpc?: Operation['request']
  /** Creates the second request of an operation that consists of two. Receives the `ETag` of the first response. */
  readonly followUp?: (n: number, entityTag: string) => RequestOf
}

export type OperationName =
  | 'list'
  | 'list-include'
  | 'filter-selective'
  | 'filter-broad'
  | 'get'
  | 'all-types'
  | 'related-many'
  | 'relationship-many'
  | 'related-one'
  | 'relationship-one'
  | 'create'
  | 'update'
  | 'upsert'
  | 'rpc-find-many'
  | 'rpc-find-unique'
  | 'rpc-create'
  | 'get-with-features'
  | 'cursor-page'
  | 'included-list'
  | 'atomic'
  | 'conditional-update'
  | 'idempotent-create'
  | 'rpc-transaction'
  | 'custom-route'

const TYPE = { post: 'post', user: 'user', stock: 'stock' } as const
/** Number of posts that an atomic request or a transaction creates. */
export const BATCH_SIZE = 10
/** Identifies the list of posts in id order, in its cursors. */
const LIST_IN_ID_ORDER = '1t6un01'
const ATOMIC = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'

/** Picks a row of a model. Consecutive numbers pick distant rows. */
export function pick(model: keyof typeof SIZES, n: number): number {
  return ((n * 7919) % SIZES[model]) + 1
}

/** Returns the attributes of a new post. */
export function newPost(unique: string) {
  return {
    slug: `new-${unique}`,
    title: 'A new post',
    body: 'With some text in it. '.repeat(8),
    status: 'DRAFT' as const,
  }
}

/** Returns the data of a post's update. */
export function changedPost(n: number) {
  return { title: `Changed ${n}`, views: n % 1000 }
}

/** Returns the user of an upsert. Every second one is new. */
export function upsertedUser(n: number, unique: string) {
  const email = n % 2 === 0 ? `user${pick('User', n)}@example.com` : `new-${unique}@example.com`
  return { email, name: `Upserted ${n}` }
}

/** Returns the arguments of RPC's `findMany`. */
export function findManyArgs(n: number) {
  return {
    where: { authorId: pick('User', n), status: 'PUBLISHED' as const },
    include: { author: true as const, comments: true as const },
    orderBy: { id: 'asc' as const },
    take: 20,
  }
}

/** Returns the data of the posts that one request creates. */
export function newPosts(n: number, unique: string) {
  return Array.from({ length: BATCH_SIZE }, (_, at) => ({
    ...newPost(`${unique}-${at}`),
    authorId: pick('User', n),
  }))
}

/** Returns the request for the page of posts after an id, in id order. */
export function pageAfter(id: number): RequestOf {
  const cursor = Buffer.from(JSON.stringify([LIST_IN_ID_ORDER, 0, id])).toString('base64url')
  return get(`/features/rest/post?page[after]=${cursor}&page[size]=20`)
}

/** Returns the request for 20 posts with a limited number of comments each. */
export function postsWithComments(offset: number, limit: number): RequestOf {
  const page = `page[limit]=20&page[offset]=${offset}&page[total]=none`
  return get(`/features/rest/post?${page}&include=comments&includePage[comments][limit]=${limit}`)
}

const postResource = ({ authorId, ...attributes }: ReturnType<typeof newPosts>[number]) => ({
  type: TYPE.post,
  attributes,
  relationships: { author: { data: { type: TYPE.user, id: String(authorId) } } },
})
const createPost = (path: string, n: number, unique: string): RequestOf => ({
  method: 'POST',
  path,
  body: { data: postResource({ ...newPost(unique), authorId: pick('User', n) }) },
})
const query = (args: unknown) => encodeURIComponent(JSON.stringify(args))

/** Returns a GET request. */
export function get(path: string): RequestOf {
  return { method: 'GET', path }
}

const trpcQuery = (procedure: string, input: unknown) => get(`/trpc/${procedure}?input=${query({ json: input })}`)
const trpcMutation = (procedure: string, input: unknown): RequestOf => ({
  method: 'POST',
  path: `/trpc/${procedure}`,
  body: { json: input },
})

/** All operations, in the order of the report. */
export const OPERATIONS: readonly Operation[] = [
  {
    name: 'list',
    label: 'list of 20, with the total of 100 000',
    request: (n) => get(`/rest/post?page[limit]=20&page[offset]=${(pick('Post', n) % 50) * 20}`),
  },
  {
    name: 'list-include',
    label: 'list of 100, include=author,comments',
    request: (n) =>
      get(`/rest/post?page[limit]=100&page[offset]=${(pick('Post', n) % 50) * 100}&include=author,comments`),
  },
  {
    name: 'filter-selective',
    label: 'selective filter (10 rows), sorted',
    request: (n) => get(`/rest/post?filter[authorId]=${pick('User', n)}&sort=-createdAt`),
  },
  {
    name: 'filter-broad',
    label: 'broad filter (20 of 80 000), sorted',
    request: (n) =>
      get(
        `/rest/post?filter[status]=PUBLISHED&sort=-createdAt&page[limit]=20&page[offset]=${(pick('Post', n) % 50) * 20}`,
      ),
  },
  { name: 'get', label: 'get by id', request: (n) => get(`/rest/post/${pick('Post', n)}`) },
  {
    name: 'all-types',
    label: 'list of 20 with all types',
    request: (n) => get(`/rest/reading?page[limit]=20&page[offset]=${(pick('Reading', n) % 49) * 20}`),
  },
  {
    name: 'related-many',
    label: 'related resources, to-many',
    request: (n) => get(`/rest/post/${pick('Post', n)}/comments`),
  },
  {
    name: 'relationship-many',
    label: 'relationship, to-many',
    request: (n) => get(`/rest/post/${pick('Post', n)}/relationships/comments`),
  },
  {
    name: 'related-one',
    label: 'related resource, to-one',
    request: (n) => get(`/rest/post/${pick('Post', n)}/author`),
  },
  {
    name: 'relationship-one',
    label: 'relationship, to-one',
    request: (n) => get(`/rest/post/${pick('Post', n)}/relationships/author`),
  },
  {
    name: 'create',
    label: 'create',
    writes: true,
    request: (n, unique) => createPost('/rest/post', n, unique),
  },
  {
    name: 'update',
    label: 'update',
    writes: true,
    request: (n) => ({
      method: 'PATCH',
      path: `/rest/post/${pick('Post', n)}`,
      body: { data: { type: TYPE.post, id: String(pick('Post', n)), attributes: changedPost(n) } },
    }),
  },
  {
    name: 'upsert',
    label: 'upsert, half of them new',
    writes: true,
    request: (n, unique) => ({
      method: 'POST',
      path: '/rest/user',
      body: {
        data: { type: TYPE.user, attributes: upsertedUser(n, unique) },
        meta: { operation: 'upsert', matchFields: ['email'] },
      },
    }),
  },
  {
    name: 'rpc-find-many',
    label: 'RPC findMany, where and include',
    request: (n) => get(`/rpc/post/findMany?q=${query(findManyArgs(n))}`),
    trpc: (n) => trpcQuery('findMany', findManyArgs(n)),
  },
  {
    name: 'rpc-find-unique',
    label: 'RPC findUnique',
    request: (n) => get(`/rpc/post/findUnique?q=${query({ where: { id: pick('Post', n) } })}`),
    trpc: (n) => trpcQuery('findUnique', { where: { id: pick('Post', n) } }),
  },
  {
    name: 'rpc-create',
    label: 'RPC create',
    writes: true,
    request: (n, unique) => ({
      method: 'POST',
      path: '/rpc/post/create',
      body: { data: { ...newPost(unique), authorId: pick('User', n) } },
    }),
    trpc: (n, unique) => trpcMutation('create', { ...newPost(unique), authorId: pick('User', n) }),
  },
  {
    name: 'get-with-features',
    label: 'get by id, with all features enabled',
    request: (n) => get(`/features/rest/post/${pick('Post', n)}`),
  },
  {
    name: 'cursor-page',
    label: 'page of 20 by cursor',
    feature: 'cursors',
    request: (n) => pageAfter(pick('Post', n)),
  },
  {
    name: 'included-list',
    label: 'list of 20, 2 comments each',
    feature: 'includedLists',
    request: (n) => postsWithComments((pick('Post', n) % 50) * 20, 2),
  },
  {
    name: 'atomic',
    label: `${BATCH_SIZE} creates, atomic`,
    feature: 'atomic',
    writes: true,
    request: (n, unique) => ({
      method: 'POST',
      path: '/features/rest/operations',
      headers: { 'Content-Type': ATOMIC },
      body: { 'atomic:operations': newPosts(n, unique).map((post) => ({ op: 'add', data: postResource(post) })) },
    }),
  },
  {
    name: 'conditional-update',
    label: 'get, then update with If-Match',
    feature: '`@api.version`',
    writes: true,
    request: (n) => get(`/rest/stock/${pick('Stock', n)}`),
    followUp: (n, entityTag) => ({
      method: 'PATCH',
      path: `/rest/stock/${pick('Stock', n)}`,
      headers: { 'If-Match': entityTag },
      body: { data: { type: TYPE.stock, id: String(pick('Stock', n)), attributes: { quantity: n % 100 } } },
    }),
  },
  {
    name: 'idempotent-create',
    label: 'create with an idempotency key',
    feature: '`idempotency`',
    writes: true,
    request: (n, unique) => ({
      ...createPost('/features/rest/post', n, unique),
      headers: { 'Idempotency-Key': `"${unique}"` },
    }),
  },
  {
    name: 'rpc-transaction',
    label: `RPC transaction of ${BATCH_SIZE} creates`,
    feature: 'transactions',
    writes: true,
    request: (n, unique) => ({
      method: 'POST',
      path: '/features/rpc/$transaction/sequential',
      body: newPosts(n, unique).map((data) => ({ model: 'Post', op: 'create', args: { data } })),
    }),
    trpc: (n, unique) => trpcMutation('createAll', newPosts(n, unique)),
  },
  {
    name: 'custom-route',
    label: 'custom route, RPC',
    feature: '`routes`',
    request: (n) => get(`/features/rpc/post/summary?q=${query({ id: pick('Post', n) })}`),
    trpc: (n) => trpcQuery('summary', { id: pick('Post', n) }),
  },
]
