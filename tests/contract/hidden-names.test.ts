import { expect } from 'vitest'

import type { TestResponse } from '../rpc/client.js'
import { changedRoutes } from './changed-routes.js'
import { describeContract } from './describe-contract.js'

const one = { id: 1 }
const user = { email: 'new@example.com', password: 'long enough' }
const row = { slug: 'x', title: 'x' }
const $ = { $: 'a' }
const $true = { $: true }
const $data = { $: 'EDITOR' }
const $user = { ...user, ...$data }

/** Arguments with the member `$` in each position of a query that accepts the name of a member of `User`. */
const POSITIONS: readonly (readonly [operation: string, args: object])[] = [
  ['user.findMany', { where: $ }],
  ['user.findMany', { where: { $: { startsWith: 'a' } } }],
  ['user.findFirst', { where: { AND: [{ OR: [{ NOT: $ }] }] } }],
  ['user.findUnique', { where: { id: 1, ...$ } }],
  ['user.count', { where: $ }],
  ['user.aggregate', { where: $, _count: true }],
  ['user.groupBy', { by: ['id'], where: $ }],
  ['user.update', { where: { id: 1, ...$ }, data: {} }],
  ['user.updateMany', { where: $, data: {} }],
  ['user.delete', { where: { id: 1, ...$ } }],
  ['user.deleteMany', { where: $ }],
  ['user.upsert', { where: { id: 1, ...$ }, create: user, update: {} }],
  ['user.check', { operation: 'read', where: $ }],
  ['post.findMany', { where: { author: { is: $ } } }],
  ['post.findMany', { where: { author: $ } }],
  ['comment.findMany', { where: { post: { author: { isNot: $ } } } }],
  ['post.findMany', { where: { comments: { some: { author: $ } } } }],
  ['post.update', { where: one, data: { author: { update: { where: $, data: {} } } } }],
  ['category.findMany', { include: { posts: { where: { author: $ } } } }],
  ['category.update', { where: one, data: {}, include: { posts: { where: { author: $ } } } }],
  ['category.findMany', { select: { _count: { select: { posts: { where: { author: $ } } } } } }],
  ['user.findMany', { orderBy: { $: 'asc' } }],
  ['user.findMany', { orderBy: [{ id: 'asc' }, { $: { sort: 'asc', nulls: 'last' } }] }],
  ['post.findMany', { orderBy: { author: { $: 'asc' } } }],
  ['user.groupBy', { by: ['id'], orderBy: { $: 'asc' } }],
  ['user.groupBy', { by: ['id'], orderBy: { _count: { $: 'asc' } } }],
  ['user.findMany', { orderBy: { _relevance: { fields: ['$'], search: 'a', sort: 'asc' } } }],
  ['user.findMany', { cursor: $ }],
  ['user.findMany', { cursor: { id: 1, ...$ } }],
  ['user.findMany', { distinct: '$' }],
  ['user.findMany', { distinct: ['id', '$'] }],
  ['user.findMany', { select: $true }],
  ['user.findMany', { select: { id: true, $: false } }],
  ['user.findMany', { omit: $true }],
  ['user.findMany', { omit: { $: false } }],
  ['post.findMany', { include: { author: { select: $true } } }],
  ['post.findMany', { include: { author: { omit: { $: false } } } }],
  ['post.findMany', { select: { author: { select: $true } } }],
  ['user.count', { select: $true }],
  ['user.create', { data: user, select: $true }],
  ['user.update', { where: one, data: {}, omit: { $: false } }],
  ['user.delete', { where: one, select: $true }],
  ['post.upsert', { where: one, create: row, update: {}, include: { author: { select: $true } } }],
  ['user.groupBy', { by: ['$'] }],
  ['user.groupBy', { by: '$' }],
  ['user.groupBy', { by: ['id'], having: { $: { startsWith: 'a' } } }],
  ['user.groupBy', { by: ['id'], having: { AND: [{ $: { _min: { startsWith: 'a' } } }] } }],
  ['user.groupBy', { by: ['id'], _max: $true }],
  ['user.aggregate', { _count: $true }],
  ['user.aggregate', { _min: $true }],
]

/** The same for written data. */
const WRITES: typeof POSITIONS = [
  ['user.create', { data: $user }],
  ['user.createMany', { data: [$user] }],
  ['user.createManyAndReturn', { data: [$user] }],
  ['user.update', { where: one, data: $data }],
  ['user.update', { where: one, data: { $: { set: 'EDITOR' } } }],
  ['user.updateMany', { where: {}, data: $data }],
  ['user.updateManyAndReturn', { where: {}, data: $data }],
  ['user.upsert', { where: one, create: $user, update: {} }],
  ['user.upsert', { where: one, create: user, update: $data }],
  ['post.create', { data: { ...row, author: { create: $user } } }],
  ['post.update', { where: one, data: { author: { connectOrCreate: { where: one, create: $user } } } }],
  ['post.update', { where: one, data: { author: { update: $data } } }],
  ['post.update', { where: one, data: { author: { update: { where: {}, data: $data } } } }],
  ['post.update', { where: one, data: { author: { upsert: { create: $user, update: {} } } } }],
  ['post.update', { where: one, data: { author: { upsert: { create: user, update: $data } } } }],
  [
    'post.update',
    {
      where: one,
      data: {
        comments: { update: [{ where: { postId_seq: { postId: 1, seq: 1 } }, data: { author: { update: $data } } }] },
      },
    },
  ],
]

const withName = (args: object, name: string): object => JSON.parse(JSON.stringify(args).replaceAll('"$"', `"${name}"`))
// MySQL has no routes for these operations.
const on = (operation: string) => (db: { readonly provider: string }) =>
  !operation.endsWith('AndReturn') || db.provider !== 'mysql'
const readOnly = { readOnly: true } as const
const hidden = { hidden: true } as const

describeContract(
  'hidden names',
  ({ rule, rpc }) => {
    /** Adds requests that are rejected like the same requests with an unknown name. */
    const rejectsLikeUnknown = (operation: string, args: object, name: string) => {
      let message: string | undefined
      const remembers = ({ body }: TestResponse) => void (message = body.message?.replaceAll(`"${name}"`, '"nope"'))
      const isSame = ({ body }: TestResponse) => expect(body.message).toBe(message)
      rpc(operation, withName(args, name), 400, remembers)
      rpc(operation, withName(args, 'nope'), 400, isSame)
    }
    for (const [operation, args] of POSITIONS) {
      const text = `${operation} ${JSON.stringify(args)}: rejects hidden and write-only names like unknown ones with 400`
      rule('2.2, 7.3', text, { queries: 0 })
      for (const name of ['name', 'password', 'profile']) rejectsLikeUnknown(operation, args, name)
    }
    for (const [operation, args] of WRITES) {
      const text = `${operation} ${JSON.stringify(args)}: rejects`
      rule('2.2, 7.3', `${text} a hidden field like an unknown one with 400`, { queries: 0, on: on(operation) })
      rejectsLikeUnknown(operation, args, 'name')
      rule('7.3', `${text} a read-only field with 403`, { queries: 0, on: on(operation) })
      for (const name of ['role', 'createdAt']) rpc(operation, withName(args, name), 403)
    }

    rule('7.3', 'rejects writes of a read-only relation with 403', { queries: 0 })
    const create = [{ postId: 1, seq: 99, body: 'x' }]
    rpc('user.create', { data: { ...user, comments: { create } } }, 403)
    rpc('user.update', { where: one, data: { comments: { deleteMany: {} } } }, 403)
    rpc('post.update', { where: one, data: { author: { update: { comments: { set: [] } } } } }, 403)

    rule('7.3', 'rejects operations that the related model does not allow with 403', { queries: 0 })
    const named = { name: 'x' }
    rpc('post.create', { data: { ...row, category: { create: named } } }, 403)
    rpc('post.create', { data: { ...row, category: { connectOrCreate: { where: one, create: named } } } }, 403)
    for (const data of [
      { category: { update: named } },
      { category: { upsert: { create: named, update: {} } } },
      { category: { delete: true } },
      { comments: { delete: [{ postId_seq: { postId: 1, seq: 1 } }] } },
      { comments: { deleteMany: {} } },
      { tags: { create: named } },
    ])
      rpc('post.update', { where: one, data }, 403)
    for (const args of [
      { include: { tags: true } },
      { select: { tags: { select: { name: true } } } },
      { select: { _count: { select: { tags: true } } } },
      { where: { tags: { some: {} } } },
      { orderBy: { tags: { _count: 'asc' } } },
    ])
      rpc('post.findMany', args, 403)

    rule('4.3', 'connects to a read-only model if this side has the foreign key')
    rpc('post.update', { where: one, data: { category: { connect: { id: 2 } } } }, 200, { categoryId: 2 })

    rule('4.3', 'check: returns whether the model allows the operation')
    for (const operation of ['read', 'create', 'update', 'delete'])
      rpc('category.check', { operation, where: one }, 200, operation === 'read')

    rule('2.2', 'omits hidden relations and relations without `list` from _count: true')
    const hasCount = ({ body }: TestResponse) => expect(body.data).toEqual({ _count: { comments: expect.any(Number) } })
    rpc('post.findFirst', { select: { _count: true } }, 200, hasCount)

    rule('2.2', 'omits hidden and write-only fields from responses at every depth')
    const isClean = ({ body }: TestResponse) => {
      expect(JSON.stringify(body)).toContain('"id"')
      expect(JSON.stringify(body)).not.toMatch(/"(password|name|profile)"/)
    }
    const where = { email: user.email }
    rpc('user.findMany', {}, 200, isClean)
    rpc('user.findMany', { omit: { email: true } }, 200, isClean)
    rpc('user.findUnique', { where: one, include: { posts: { include: { author: true } } } }, 200, isClean)
    rpc('post.findMany', { include: { author: true } }, 200, isClean)
    rpc('post.findMany', { select: { author: true } }, 200, isClean)
    rpc('post.findMany', { select: { comments: { include: { author: true } } } }, 200, isClean)
    rpc('user.create', { data: user }, 201, isClean)
    rpc('user.update', { where, data: {} }, 200, isClean)
    rpc('user.upsert', { where, create: user, update: {} }, 200, isClean)
    rpc('post.update', { where: one, data: {}, include: { author: true } }, 200, isClean)
    rpc('user.delete', { where }, 200, isClean)

    rule('7.3', 'responds to a hidden model like an unknown one with 404')
    for (const model of ['profile', 'nopes'])
      rpc(`${model}.findMany`, {}, 404, { message: `Unknown model "${model}".` })
  },
  {
    routes: changedRoutes({
      Profile: null,
      'User.name': hidden,
      'User.profile': hidden,
      'User.role': readOnly,
      'User.comments': readOnly,
      Category: { operations: ['list', 'get'] },
      Comment: { operations: ['list', 'get', 'create', 'update'] },
      Tag: { operations: ['get', 'update', 'delete'] },
    }),
  },
)
