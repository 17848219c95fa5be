import { expect } from 'vitest'

import type { Database } from '../support/databases.js'
import { describeContract } from './describe-contract.js'

const ALL = 'where must contain a condition that not all rows match; use {} for all rows.'

describeContract('writes of all rows', ({ rule, rpc, finally: after }) => {
  rule('7.3', 'rejects filters of updateMany and deleteMany that match all rows with 400')
  const rejects = (...filters: readonly object[]) => {
    for (const where of filters) {
      rpc('post.deleteMany', { where }, 400, { message: ALL })
      rpc('post.updateMany', { where, data: { title: 'Changed' } }, 400, { message: ALL })
    }
  }
  const none = { in: [] }
  const all = { notIn: [] }
  rejects({ AND: [] }, { AND: {} }, { AND: [{}] }, { AND: [{}, { OR: [] }] }, { AND: { OR: [{}] } })
  rejects({ OR: [] }, { OR: [{}] }, { NOT: [] }, { NOT: {} }, { NOT: [{ AND: [] }] }, { NOT: { OR: [] } })
  rejects({ AND: [], NOT: { title: {} } }, { content: {} }, { content: { not: {} } }, { title: { contains: '' } })
  rejects({ title: { startsWith: '', endsWith: '' } }, { id: all }, { id: { not: none } }, { NOT: { id: none } })
  rejects({ author: {} }, { author: { profile: {} } }, { author: { name: {} } }, { author: { isNot: { id: none } } })
  rejects({ comments: {} }, { comments: { every: {} } }, { comments: { none: { OR: [] } } })
  rejects({ comments: { none: { seq: none } } })
  rpc('profile.deleteMany', { where: { settings: {} } }, 400)
  rule('4.3', 'accepts other filters of updateMany and deleteMany')
  const accepts = (count: number, ...filters: readonly object[]) => {
    for (const where of filters) rpc('post.updateMany', { where, data: { status: 'DRAFT' } }, 200, { count })
  }
  accepts(0, { id: none }, { NOT: { comments: { every: {} } } })
  accepts(1, { AND: [], id: 1 }, { AND: [{}, { id: 1 }] }, { author: null }, { content: { contains: '' } })
  accepts(2, { comments: { some: {} } })
  accepts(3, { comments: { none: {} } }, { comments: { every: { seq: none } } })
  accepts(4, { NOT: [{ id: 1 }] }, { content: null }, { author: { is: {} } })
  accepts(5, {}, { title: { not: 'x' } }, { title: { notIn: ['x'] } })
  rpc('profile.deleteMany', { where: { settings: { equals: {} } } }, 200)

  rule('7.3', 'rejects filters of nested writes that match all rows with 400')
  const one = { id: 1 }
  for (const where of [{ AND: [] }, { id: { notIn: [] } }, { NOT: { OR: [] } }]) {
    for (const posts of [{ deleteMany: where }, { deleteMany: [where] }, { updateMany: { where, data: {} } }])
      rpc('user.update', { where: one, data: { posts } }, 400)
  }
  rule('4.3', 'accepts an empty filter of a nested deleteMany')
  rpc('user.update', { where: one, data: { posts: { deleteMany: {} } } }, 200)
  const isDeleted = async ({ orm }: Database) => expect(await orm.post.count({ where: { authorId: 1 } })).toBe(0)
  after(isDeleted)
})
