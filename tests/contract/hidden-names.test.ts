import { expect } from 'vitest'

import type { TestResponse } from '../rpc/client.js'
import { changedRoutes } from './changed-routes.js'
import { describeContract } from './describe-contract.js'
import { same } from './same.js'

const one = { id: 1 }
const user = { email: 'new@example.com', password: 'long enough' }
const row = { slug: 'x', title: 'x' }
const $ = { $: 'a' }
const $true = { $: true }
const $data = { $: 'EDITOR' }
const $user = { ...user, ...$data }

/** Operations and their arguments, with the member `$` in each position that accepts the name of a member of `User`. */
const POSITIONS: readonly (readonly [operation: string, ...args: object[]])[] = [
  ['user.findMany', { where: $ }, { where: { $: { startsWith: 'a' } } }, { cursor: $ }, { cursor: { id: 1, ...$ } }],
  ['user.findMany', { orderBy: { $: 'asc' } }, { distinct: '$' }, { distinct: ['id', '$'] }],
  ['user.findMany', { orderBy: [{ id: 'asc' }, { $: { sort: 'asc', nulls: 'last' } }] }],
  ['user.findMany', { orderBy: { _relevance: { fields: ['$'], search: 'a', sort: 'asc' } } }],
  ['user.findMany', { select: $true }, { select: { id: true, $: false } }, { omit: $true }, { omit: { $: false } }],
  ['user.findFirst', { where: { AND: [{ OR: [{ NOT: $ }] }] } }],
  ['user.findUnique', { where: { id: 1, ...$ } }],
  ['user.count', { where: $ }, { select: $true }],
  ['user.aggregate', { where: $, _count: true }, { _count: $true }, { _min: $true }],
  ['user.groupBy', { by: ['$'] }, { by: '$' }, { by: ['id'], where: $ }, { by: ['id'], _max: $true }],
  ['user.groupBy', { by: ['id'], orderBy: { $: 'asc' } }, { by: ['id'], orderBy: { _count: { $: 'asc' } } }],
  ['user.groupBy', { by: ['id'], having: { $: { startsWith: 'a' } } }],
  ['user.groupBy', { by: ['id'], having: { AND: [{ $: { _min: { startsWith: 'a' } } }] } }],
  ['user.create', { data: user, select: $true }],
  ['user.update', { where: { id: 1, ...$ }, data: {} }, { where: one, data: {}, omit: { $: false } }],
  ['user.updateMany', { where: $, data: {} }],
  ['user.upsert', { where: { id: 1, ...$ }, create: user, update: {} }],
  ['user.delete', { where: { id: 1, ...$ } }, { where: one, select: $true }],
  ['user.deleteMany', { where: $ }],
  ['user.check', { operation: 'read', where: $ }],
  ['post.findMany', { where: { author: { is: $ } } }, { where: { author: $ } }, { orderBy: { author: { $: 'asc' } } }],
  ['post.findMany', { where: { comments: { some: { author: $ } } } }, { select: { author: { select: $true } } }],
  ['post.findMany', { include: { author: { select: $true } } }, { include: { author: { omit: { $: false } } } }],
  ['post.update', { where: one, data: { author: { update: { where: $, data: {} } } } }],
  ['post.upsert', { where: one, create: row, update: {}, include: { author: { select: $true } } }],
  ['comment.findMany', { where: { post: { author: { isNot: $ } } } }],
  ['category.findMany', { include: { posts: { where: { author: $ } } } }],
  ['category.findMany', { select: { _count: { select: { posts: { where: { author: $ } } } } } }],
  ['category.update', { where: one, data: {}, include: { posts: { where: { author: $ } } } }],
]

const ofAuthor = (author: object) => ({ where: one, data: { author } })
const ofComment = { where: { postId_seq: { postId: 1, seq: 1 } }, data: { author: { update: $data } } }
/** The same for written data. */
const WRITES: typeof POSITIONS = [
  ['user.create', { data: $user }],
  ['user.createMany', { data: [$user] }],
  ['user.createManyAndReturn', { data: [$user] }],
  ['user.update', { where: one, data: $data }, { where: one, data: { $: { set: 'EDITOR' } } }],
  ['user.updateMany', { where: {}, data: $data }],
  ['user.updateManyAndReturn', { where: {}, data: $data }],
  ['user.upsert', { where: one, create: $user, update: {} }, { where: one, create: user, update: $data }],
  ['post.create', { data: { ...row, author: { create: $user } } }],
  ['post.update', ofAuthor({ connectOrCreate: { where: one, create: $user } }), ofAuthor({ update: $data })],
  ['post.update', ofAuthor({ update: { where: {}, data: $data } })],
  ['post.update', ofAuthor({ upsert: { create: $user, update: {} } })],
  ['post.update', ofAuthor({ upsert: { create: user, update: $data } })],
  ['post.update', { where: one, data: { comments: { update: [ofComment] } } }],
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
      const quoted = new RegExp(`"(${name}|nope)"`, 'g')
      const [remembers, isSame] = same(({ body }: TestResponse) => body.message?.replaceAll(quoted, '…'))
      rpc(operation, withName(args, name), 400, remembers)
      rpc(operation, withName(args, 'nope'), 400, isSame)
    }
    for (const [operation, ...positions] of POSITIONS) {
      const texts = positions.map((args) => JSON.stringify(args)).join(', ')
      rule('2.2, 7.3', `${operation} ${texts}: rejects hidden names like unknown ones with 400`, { queries: 0 })
      for (const args of positions)
        for (const name of ['name', 'password', 'profile']) rejectsLikeUnknown(operation, args, name)
    }
    for (const [operation, ...positions] of WRITES) {
      const text = `${operation} ${positions.map((args) => JSON.stringify(args)).join(', ')}: rejects`
      const options = { queries: 0, on: on(operation) }
      rule('2.2, 7.3', `${text} a hidden field like an unknown one with 400`, options)
      for (const args of positions) rejectsLikeUnknown(operation, args, 'name')
      rule('7.3', `${text} a read-only field with 403`, options)
      for (const args of positions) for (const name of ['role', 'createdAt']) rpc(operation, withName(args, name), 403)
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
    const { postId_seq } = ofComment.where
    for (const category of [{ update: named }, { upsert: { create: named, update: {} } }, { delete: true }])
      rpc('post.update', { where: one, data: { category } }, 403)
    for (const comments of [{ delete: [{ postId_seq }] }, { deleteMany: {} }])
      rpc('post.update', { where: one, data: { comments } }, 403)
    rpc('post.update', { where: one, data: { tags: { create: named } } }, 403)
    for (const select of [{ tags: { select: { name: true } } }, { _count: { select: { tags: true } } }])
      rpc('post.findMany', { select }, 403)
    rpc('post.findMany', { include: { tags: true } }, 403)
    rpc('post.findMany', { where: { tags: { some: {} } } }, 403)
    rpc('post.findMany', { orderBy: { tags: { _count: 'asc' } } }, 403)

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
    for (const args of [{}, { omit: { email: true } }]) rpc('user.findMany', args, 200, isClean)
    rpc('user.findUnique', { where: one, include: { posts: { include: { author: true } } } }, 200, isClean)
    for (const select of [{ author: true }, { comments: { include: { author: true } } }])
      rpc('post.findMany', { select }, 200, isClean)
    rpc('post.findMany', { include: { author: true } }, 200, isClean)
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
