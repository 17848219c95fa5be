import { beforeEach, describe, expect, it } from 'vitest'

import { fillBlog } from './rest/support/blog.js'
import { type RestClient, restClient } from './rest/support/client.js'
import { rpcClient } from './rpc/client.js'
import { type Database, describeDatabases } from './support/databases.js'

/** Number of queries per operation. Unlike durations, it is the same on every machine. */
type Cases<C> = readonly (readonly [queries: number, what: string, call: (client: C) => Promise<unknown>])[]

const REST: Cases<RestClient> = [
  [1, 'a list that fits on one page', (rest) => rest.get('/post')],
  [1, 'the last page', (rest) => rest.get('/post?page[offset]=3&page[limit]=3')],
  [2, 'a full page with the total', (rest) => rest.get('/post?page[limit]=2')],
  [2, 'a page after the last one, with the total', (rest) => rest.get('/post?page[offset]=9')],
  [1, 'a list with filter and sort', (rest) => rest.get('/post?filter[authorId]=1&sort=-viewCount')],
  [
    3,
    'a list that includes a to-one and a to-many relationship',
    (rest) => rest.get('/post?include=category,comments'),
  ],
  [1, 'a resource with to-one linkage', (rest) => rest.get('/post/1')],
  [1, 'a resource that does not exist', (rest) => rest.get('/post/99')],
  [1, 'a to-one relationship', (rest) => rest.get('/post/1/relationships/author')],
  [2, 'a to-one related resource', (rest) => rest.get('/post/1/category')],
  [1, 'a to-many relationship', (rest) => rest.get('/post/1/relationships/comments')],
  [1, 'to-many related resources', (rest) => rest.get('/post/1/comments')],
  [2, 'a full page of to-many related resources with the total', (rest) => rest.get('/post/1/comments?page[limit]=2')],
  [2, 'to-many related resources without a match', (rest) => rest.get('/post/1/comments?filter[body]=none')],
  [1, 'a create', (rest) => rest.post('/post', { data: { type: 'post', attributes: NEW } })],
  [
    1,
    'a create with a to-one relationship',
    (rest) => rest.post('/post', { data: { type: 'post', attributes: NEW, relationships: { author: USER } } }),
  ],
  [
    1,
    'an update with a to-one relationship',
    (rest) => rest.patch('/post/1', { data: { type: 'post', attributes: NEW, relationships: { author: USER } } }),
  ],
  [1, 'replacing a to-one relationship', (rest) => rest.patch('/post/1/relationships/author', USER)],
  [1, 'clearing a to-one relationship', (rest) => rest.patch('/post/1/relationships/author', { data: null })],
  [
    2,
    'an upsert',
    (rest) =>
      rest.post('/post', {
        data: { type: 'post', attributes: NEW },
        meta: { operation: 'upsert', matchFields: ['slug'] },
      }),
  ],
  [1, 'a delete', (rest) => rest.delete('/post/5')],
]

const RPC: Cases<ReturnType<typeof rpcClient>> = [
  [1, 'findMany', (rpc) => rpc.result('post', 'findMany', { where: { authorId: 1 } })],
  [
    3,
    'findMany with relations',
    (rpc) => rpc.result('post', 'findMany', { include: { author: true, comments: true }, take: 9 }),
  ],
  [
    5,
    'findMany with relations and take 101, which counts members first',
    (rpc) => rpc.result('post', 'findMany', { include: { author: true, comments: true }, take: 101 }),
  ],
  [
    4,
    'findMany with relations and without take',
    (rpc) => rpc.result('post', 'findMany', { include: { author: true, comments: true } }),
  ],
  [2, 'findMany with a to-one relation', (rpc) => rpc.result('post', 'findMany', { include: { author: true } })],
  [1, 'findUnique', (rpc) => rpc.result('post', 'findUnique', { where: { id: 1 } })],
  [1, 'count', (rpc) => rpc.result('post', 'count', { where: { authorId: 1 } })],
  [1, 'create', (rpc) => rpc.result('post', 'create', { data: NEW })],
  [1, 'update', (rpc) => rpc.result('post', 'update', { where: { id: 1 }, data: { title: 'x' } })],
  [1, 'delete', (rpc) => rpc.result('post', 'delete', { where: { id: 5 } })],
]

const NEW = { slug: 'new', title: 'New' }
const USER = { data: { type: 'user', id: '2' } }

// MySQL cannot return written rows, so the client reads them again.
const ONLY = ['sqlite', 'postgresql'] as const

describeDatabases(
  'number of SQL queries',
  (db) => {
    beforeEach(async () => {
      await db.fill(fillBlog)
    })
    describe('REST', () => {
      check(db, REST, () => restClient(db))
    })
    describe('RPC', () => {
      check(db, RPC, () => rpcClient(db))
    })

    it.each(['/post/1/comments', '/post/1/relationships/comments'])(
      'reads %s by foreign key, but through the parent row if an extension or row-level security could restrict it',
      async (path) => {
        const extended = db.orm.$extends({ query: { post: { findMany: ({ args, query }) => query(args) } } })
        const [direct = ''] = await db.queriesOf(() => restClient(db).get(path))
        const [through = ''] = await db.queriesOf(() => restClient(db, {}, extended).get(path))
        expect(/JOIN/.test(direct)).toBe(db.provider === 'postgresql')
        expect(through).toMatch(/JOIN/)
        expect((await restClient(db, {}, extended).get(path)).body).toEqual((await restClient(db).get(path)).body)
      },
    )
  },
  { only: ONLY },
)

function check<C>(db: Database, cases: Cases<C>, clientOf: () => C): void {
  it.each(cases)('sends %i for %s', async (expected, _what, call) => {
    const client = clientOf()
    const queries = await db.queriesOf(() => call(client))
    expect(queries, queries.join('\n')).toHaveLength(expected)
  })
}
