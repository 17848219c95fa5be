import { beforeAll, expect, it } from 'vitest'

import { fillBlog } from '../rest/support/blog.js'
import { describeDatabases } from '../support/databases.js'
import { type Attack, callerOf, rpc } from './requests-of-both-styles.js'

/** All uses of a field except writes. */
const uses = (field: string): readonly Attack[] => [
  ['rest', 'GET', `/user?filter[${field}]=secret-ann`],
  ['rest', 'GET', `/user?filter[${field}$startsWith]=s`],
  ['rest', 'GET', `/user?filter[${field}][contains]=s`],
  ['rest', 'GET', `/post?filter[author][${field}]=secret-ann`],
  ['rest', 'GET', `/post?filter[comments][author][${field}$gt]=a`],
  ['rest', 'GET', `/user?sort=${field}`],
  ['rest', 'GET', `/post?sort=-author.${field}`],
  ['rest', 'GET', `/user?fields[user]=${field}`],
  ['rest', 'GET', `/post?include=author&fields[user]=${field}`],
  ['rest', 'GET', `/user?include=${field}`],
  ['rest', 'GET', `/user/1/${field}`],
  ['rest', 'GET', `/user/1/relationships/${field}`],
  ['rest', 'PATCH', `/user/1?filter[${field}]=a`, { data: { type: 'user', id: '1', attributes: { name: 'x' } } }],
  rpc('user', 'findMany', { where: { [field]: { startsWith: 's' } } }),
  rpc('user', 'findMany', { where: { NOT: [{ OR: [{ [field]: 'secret-ann' }] }] } }),
  rpc('post', 'findMany', { where: { author: { is: { [field]: { gt: 'a' } } } } }),
  rpc('post', 'findMany', { where: { comments: { some: { author: { [field]: 'secret-ann' } } } } }),
  rpc('user', 'findMany', { orderBy: { [field]: 'asc' } }),
  rpc('post', 'findMany', { orderBy: [{ author: { [field]: 'asc' } }] }),
  rpc('user', 'findMany', { cursor: { [field]: 'secret-ann' } }),
  rpc('user', 'findMany', { distinct: [field] }),
  rpc('user', 'findMany', { select: { [field]: true } }),
  rpc('user', 'findMany', { omit: { [field]: false } }),
  rpc('post', 'findMany', { include: { author: { select: { [field]: true } } } }),
  rpc('category', 'findMany', { include: { _count: { select: { posts: { where: { author: { [field]: 'a' } } } } } } }),
  rpc('user', 'count', { select: { [field]: true } }),
  rpc('user', 'aggregate', { _max: { [field]: true } }),
  rpc('user', 'groupBy', { by: [field] }),
  rpc('user', 'groupBy', { by: ['role'], having: { [field]: { _max: { gt: 'a' } } } }),
  rpc('user', 'groupBy', { by: ['role'], orderBy: { _max: { [field]: 'asc' } } }),
  rpc('user', 'update', { where: { id: 1, [field]: { startsWith: 's' } }, data: { name: 'x' } }),
  rpc('user', 'deleteMany', { where: { [field]: { startsWith: 's' } } }),
  rpc('post', 'update', { where: { id: 1 }, data: { author: { update: { where: { [field]: 'a' }, data: {} } } } }),
  rpc('user', 'check', { operation: 'read', where: { [field]: 'secret-ann' } }),
]

// S-4 to S-7 and S-41: neither the response nor its duration reveals a value, or that the field exists.
describeDatabases('security: use of a write-only field', (db) => {
  beforeAll(async () => {
    await db.fill(fillBlog)
  })

  it.each(uses('password').map((attack, index) => [attack, index] as const))(
    '%j: rejects it like an unknown name before the first query',
    async (attack, index) => {
      const send = callerOf(db)
      let responses: { status: number; text: string }[] = []
      const unknown = uses('passwort')[index] as Attack
      const queries = await db.queriesOf(async () => {
        responses = [await send(attack), await send(unknown)]
      })
      expect(queries).toEqual([])
      const [hidden, none] = responses.map(({ status, text }) => ({
        status,
        text: text.replaceAll(/passwor[dt]/g, '*'),
      }))
      expect(hidden?.status, hidden?.text).toBeGreaterThanOrEqual(400)
      expect(hidden?.status).toBeLessThan(500)
      expect(hidden).toEqual(none)
    },
  )
})
