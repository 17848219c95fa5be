import { describeContract } from './describe-contract.js'

const one = { where: { id: 1 } }
const READS = { findMany: {}, findFirst: {}, findFirstOrThrow: {}, findUnique: one, findUniqueOrThrow: one }
const on = (provider: string) => ({ on: (db: { readonly provider: string }) => db.provider === provider })

describeContract('unsupported arguments', ({ rule, rpc }) => {
  rule('4.3, 7.3', 'rejects conditions in a cursor with 400')
  for (const [name, value] of Object.entries({
    title: { not: 'a' },
    viewCount: {},
    content: null,
    author: {},
    AND: [],
  })) {
    const cursor = { id: 1, [name]: value }
    const message = `cursor.${name} cannot be part of a cursor, which consists of unique keys.`
    rpc('post.findMany', { cursor }, 400, { message })
    rpc('user.findUnique', { ...one, include: { posts: { cursor } } }, 400)
  }
  rule('4.3', 'accepts a value in a cursor')
  rpc('post.findMany', { cursor: { id: 1, status: 'PUBLISHED' }, take: 1 }, 200)
  const where = { id: { lt: 3 } }
  // The client for MySQL does not have this operation.
  rule('4.3, 7.3', 'rejects relations in updateManyAndReturn with empty data with 400', {
    on: ({ provider }) => provider !== 'mysql',
  })
  const related = { where, data: {}, include: { author: true } }
  rpc('post.updateManyAndReturn', related, 400, /^data must not be empty if relations are selected\.$/)
  rpc('post.updateManyAndReturn', { where, data: {}, select: { id: true } }, 200, [{ id: 1 }, { id: 2 }])

  for (const provider of ['sqlite', 'mysql', 'postgresql']) {
    const path = provider === 'postgresql' ? ['a'] : '$.a'
    const ordered = (order: string, value: unknown) => ({ where: { settings: { path, [order]: value } } })
    rule('4.3, 7.3', 'orders Json values only by strings and numbers', on(provider))
    for (const order of ['lt', 'lte', 'gt', 'gte']) {
      const message = `where.settings.${order} must be a string or a finite number.`
      for (const value of [{ a: 1 }, {}, [], [1], true, null])
        rpc('profile.findMany', ordered(order, value), 400, { message })
      // SQLite cannot order Json values.
      const status = provider === 'sqlite' ? 400 : 200
      for (const value of ['a', 1, -0.5]) rpc('profile.findMany', ordered(order, value), status)
    }
  }
  rule('4.3, 7.3', 'rejects a Json path that the database does not support with 400', on('sqlite'))
  rpc('profile.findMany', { where: { settings: { path: '$**.a', equals: 1 } } }, 400)

  rule('4.3, 7.3', 'rejects relationLoadStrategy with 400 without its preview feature')
  for (const [operation, args] of Object.entries(READS)) {
    for (const relationLoadStrategy of ['join', 'query']) {
      const model = operation.startsWith('findUnique') ? 'post' : 'user'
      rpc(`${model}.${operation}`, { ...args, relationLoadStrategy }, 400, /"relationJoins"/)
    }
  }
})

const fill = () => Promise.resolve()
const join = { relationLoadStrategy: 'join' }

describeContract(
  'unsupported arguments with preview features',
  ({ rule, rpc }) => {
    rule('4.3, 7.3', 'rejects other strategies, nested use and use outside of reads with 400')
    for (const relationLoadStrategy of ['both', null]) rpc('word.findMany', { relationLoadStrategy }, 400)
    rpc('word.findMany', { include: { sentences: join } }, 400)
    rpc('word.count', join, 400)
    rpc('word.create', { data: { id: 2 }, ...join }, 400)
    rpc('word.delete', { ...one, ...join }, 400)
    rule('4.3', 'accepts an empty distinct')
    rpc('word.findMany', { distinct: [] }, 200)
    rpc('word.findMany', { include: { sentences: { distinct: [] } } }, 200)
  },
  { fixture: 'names', only: ['postgresql'], fill },
)
describeContract(
  'unsupported arguments on a database without joins',
  ({ rule, rpc }) => {
    rule('4.3, 7.3', 'rejects relationLoadStrategy with 400')
    rpc('word.findMany', join, 400, /PostgreSQL/)
  },
  { fixture: 'names', only: ['SQLite'], fill },
)
describeContract(
  'unsupported arguments of list fields',
  ({ rule, rpc }) => {
    rule('4.3, 7.3', 'rejects a list field in having with 400')
    const args = { by: ['int'], having: { texts: { has: 'a' } } }
    rpc('scalars.groupBy', args, 400, /^having\.texts is a list and cannot be used to filter groups\.$/)
  },
  { fixture: 'kitchen-sink', only: ['PGlite'], fill },
)
