import { beforeEach, expect, it } from 'vitest'

import { mayBeExtended } from '../../runtime/extensions.js'
import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { restClient } from './support/client.js'

const MEMBERS = ['/post/1/comments', '/post/1/relationships/comments', '/post/1/comments?page[limit]=1']

describeDatabases('REST: a client with extensions, and one without', (db) => {
  beforeEach(async () => {
    await db.fill(fillBlog)
  })

  it.each(MEMBERS)('%s needs no join where the client has none', async (path) => {
    const rest = restClient(db)
    const queries = await db.queriesOf(() => rest.get(path))
    expect(queries.join('\n')).not.toMatch(/\bJOIN\b/)
    await db.orm.$transaction(async (tx) => {
      const inside = await db.queriesOf(() => restClient(db, {}, tx).get(path))
      expect(inside.join('\n')).not.toMatch(/\bJOIN\b/)
    })
  })

  it.each(MEMBERS)('%s hides the members of a row that an extension hides in filters', async (path) => {
    type Where = { post?: { is: object } } | undefined
    const hide = ({ args, query }: { args: { where?: object }; query: (args: never) => Promise<unknown> }) => {
      const where = args.where as Where
      const post = where?.post && { is: { AND: [where.post.is, { id: { not: 1 } }] } }
      return query({ ...args, where: { ...where, ...(post && { post }) } } as never)
    }
    const orm = db.orm.$extends({
      query: {
        comment: { findMany: hide as never, count: hide as never },
        post: { findUnique: async ({ args, query }) => (args.where.id === 1 ? null : query(args)) as never },
      },
    })
    expect((await restClient(db, {}, orm).get(path)).status).toBe(404)
    expect((await restClient(db, {}, orm).get(path.replace('1', '2'))).status).toBe(200)
    expect((await restClient(db).get(path)).status).toBe(200)
  })

  it('tells a client that has extensions, and takes what it does not know for one', async () => {
    expect(mayBeExtended(db.orm)).toBe(false)
    await db.orm.$transaction(async (tx) => expect(mayBeExtended(tx)).toBe(false))
    const extended = db.orm.$extends({})
    expect(mayBeExtended(extended)).toBe(true)
    expect(mayBeExtended(extended.$extends({}))).toBe(true)
    await extended.$transaction(async (tx) => expect(mayBeExtended(tx)).toBe(true))
    for (const other of [undefined, null, {}, { _extensions: {} }, { _extensions: { isEmpty: true } }]) {
      expect(mayBeExtended(other)).toBe(true)
    }
  })
})
