import { expect } from 'vitest'

import type { Database } from '../support/databases.js'
import { describeContract } from './describe-contract.js'

const ALL = 'where must contain a condition that not all rows match; use {} for all rows.'

const matchesAll: readonly object[] = [
  { AND: [] },
  { AND: {} },
  { AND: [{}] },
  { OR: [] },
  { OR: [{}] },
  { AND: [{}, { OR: [] }] },
  { AND: { OR: [{}] } },
  { NOT: [] },
  { NOT: {} },
  { NOT: [{ AND: [] }] },
  { content: {} },
  { content: { not: {} } },
  { author: {} },
  { author: { profile: {} } },
  { author: { name: {} } },
  { comments: {} },
  { comments: { every: {} } },
  { AND: [], NOT: { title: {} } },
  { NOT: { OR: [] } },
  { id: { notIn: [] } },
  { id: { not: { in: [] } } },
  { NOT: { id: { in: [] } } },
  { title: { contains: '' } },
  { title: { startsWith: '', endsWith: '' } },
  { comments: { none: { OR: [] } } },
  { comments: { none: { seq: { in: [] } } } },
  { author: { isNot: { id: { in: [] } } } },
]

/** Filters with the number of posts that they match. */
const matchesSome: readonly (readonly [where: object, count: number])[] = [
  [{}, 5],
  [{ id: { in: [] } }, 0],
  [{ AND: [], id: 1 }, 1],
  [{ AND: [{}, { id: 1 }] }, 1],
  [{ NOT: [{ id: 1 }] }, 4],
  [{ content: null }, 4],
  [{ author: null }, 1],
  [{ comments: { some: {} } }, 2],
  [{ comments: { none: {} } }, 3],
  [{ title: { not: 'x' } }, 5],
  [{ title: { notIn: ['x'] } }, 5],
  [{ content: { contains: '' } }, 1],
  [{ author: { is: {} } }, 4],
  [{ comments: { every: { seq: { in: [] } } } }, 3],
  [{ NOT: { comments: { every: {} } } }, 0],
]

describeContract('writes of all rows', ({ rule, rpc, finally: after }) => {
  rule('7.3', 'rejects filters of updateMany and deleteMany that match all rows with 400')
  for (const where of matchesAll) {
    rpc('post.deleteMany', { where }, 400, { message: ALL })
    rpc('post.updateMany', { where, data: { title: 'Changed' } }, 400, { message: ALL })
  }
  rpc('profile.deleteMany', { where: { settings: {} } }, 400)
  rule('4.3', 'accepts other filters of updateMany and deleteMany')
  for (const [where, count] of matchesSome) rpc('post.updateMany', { where, data: { status: 'DRAFT' } }, 200, { count })
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
