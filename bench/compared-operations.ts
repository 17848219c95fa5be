import { changedPost, findManyArgs, newPost, type Operation, OPERATIONS, pick } from './operations.js'

/** An operation for comparing versions of Routewright. */
export type ComparedOperation = Pick<Operation, 'request'> & { readonly name: string }

const query = (args: unknown) => encodeURIComponent(JSON.stringify(args))
const path = (n: number) => `/rest/post/${pick('Post', n)}`

/** The operations for comparing versions: those of the contenders, and more without a handwritten counterpart. */
export const COMPARED_OPERATIONS: readonly ComparedOperation[] = [
  ...OPERATIONS,
  {
    name: 'relationship-replace',
    request: (n) => ({
      method: 'PATCH',
      path: `${path(n)}/relationships/author`,
      body: { data: { type: 'user', id: String(pick('User', n)) } },
    }),
  },
  {
    name: 'relationship-add',
    request: (n) => ({
      method: 'POST',
      path: `/rest/user/${pick('User', n)}/relationships/posts`,
      body: { data: [{ type: 'post', id: String(pick('Post', n)) }] },
    }),
  },
  { name: 'not-found', request: (n) => ({ method: 'GET', path: `/rest/post/${1_000_000 + n}` }) },
  { name: 'bad-filter', request: (n) => ({ method: 'GET', path: `/rest/post?filter[nothing]=${n}` }) },
  {
    name: 'bad-create',
    request: (n) => ({
      method: 'POST',
      path: '/rest/post',
      body: { data: { type: 'post', attributes: { views: n, title: 1 } } },
    }),
  },
  {
    name: 'rpc-update',
    request: (n) => ({
      method: 'PATCH',
      path: '/rpc/post/update',
      body: { where: { id: pick('Post', n) }, data: changedPost(n) },
    }),
  },
  {
    name: 'rpc-upsert',
    request: (n, unique) => {
      const created = { ...newPost(unique), authorId: pick('User', n) }
      const where = { slug: n % 2 === 0 ? `new-${unique}` : `post-${pick('Post', n)}` }
      return { method: 'POST', path: '/rpc/post/upsert', body: { where, create: created, update: changedPost(n) } }
    },
  },
  {
    name: 'rpc-count',
    request: (n) => ({ method: 'GET', path: `/rpc/post/count?q=${query({ where: findManyArgs(n).where })}` }),
  },
  {
    name: 'rpc-bad',
    request: (n) => ({ method: 'GET', path: `/rpc/post/findMany?q=${query({ where: { nothing: n } })}` }),
  },
]
