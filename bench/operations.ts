import { SIZES } from './data-set/rows.js'

/** A request without a host. */
export interface RequestOf {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: unknown
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

const TYPE = { post: 'post', user: 'user' } as const

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

const query = (args: unknown) => encodeURIComponent(JSON.stringify(args))
const get = (path: string): RequestOf => ({ method: 'GET', path })

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
    request: (n, unique) => ({
      method: 'POST',
      path: '/rest/post',
      body: {
        data: {
          type: TYPE.post,
          attributes: newPost(unique),
          relationships: { author: { data: { type: TYPE.user, id: String(pick('User', n)) } } },
        },
      },
    }),
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
  },
  {
    name: 'rpc-find-unique',
    label: 'RPC findUnique',
    request: (n) => get(`/rpc/post/findUnique?q=${query({ where: { id: pick('Post', n) } })}`),
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
  },
]
