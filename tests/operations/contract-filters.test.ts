import { beforeAll, describe, expect, it } from 'vitest'

import { DEFAULT_LIMITS } from '../../runtime/limits.js'
import { filterCost, orderCost } from '../../runtime/prisma/filter-cost.js'
import { BLOG } from '../rpc/arbitrary.js'
import { type RpcClient, rpcClient } from '../rpc/client.js'
import { type RestClient, restClient } from '../rest/support/client.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'

/** Every combination of up to three relations: `1` is to-one, `n` is to-many. */
const PATHS: readonly (readonly [kinds: string, model: string, path: string])[] = [
  ['1', 'post', 'author'],
  ['n', 'post', 'comments'],
  ['1-1', 'post', 'category.parent'],
  ['1-n', 'comment', 'post.comments'],
  ['n-1', 'post', 'comments.author'],
  ['n-n', 'tag', 'posts.tags'],
  ['1-1-1', 'comment', 'post.category.parent'],
  ['1-1-n', 'comment', 'post.author.posts'],
  ['1-n-1', 'comment', 'post.comments.author'],
  ['1-n-n', 'comment', 'author.posts.comments'],
  ['n-1-1', 'user', 'comments.post.author'],
  ['n-1-n', 'post', 'comments.post.comments'],
  ['n-n-1', 'tag', 'posts.comments.author'],
  ['n-n-n', 'tag', 'posts.tags.posts'],
]

/** A text field and a number field of each model. */
const FIELDS: Readonly<Record<string, readonly [text: string, number: string]>> = {
  User: ['name', 'id'],
  Post: ['title', 'viewCount'],
  Comment: ['body', 'seq'],
  Category: ['name', 'id'],
  Tag: ['name', 'name'],
}

/** The suffixes of contract 4.2 that every database supports, with the operator of the RPC style. */
const OPERATORS: readonly (readonly [
  suffix: string,
  field: 0 | 1,
  value: string,
  operator: string,
  operand: unknown,
])[] = [
  ['', 0, 'x', 'equals', 'x'],
  ['', 0, 'x,y,z', 'in', ['x', 'y', 'z']],
  ['$lt', 1, '2', 'lt', 2],
  ['$lte', 1, '2', 'lte', 2],
  ['$gt', 1, '2', 'gt', 2],
  ['$gte', 1, '2', 'gte', 2],
  ['$contains', 0, 'x', 'contains', 'x'],
  ['$icontains', 0, 'x', 'contains', 'x'],
  ['$startsWith', 0, 'x', 'startsWith', 'x'],
  ['$endsWith', 0, 'x', 'endsWith', 'x'],
]

/** The other suffixes need a column type or an index that the blog does not have. */
const OTHER_OPERANDS: readonly (readonly [operator: string, operand: object])[] = [
  ['$search', { search: 'moss' }],
  ['$icontains', { contains: 'moss', mode: 'insensitive' }],
  ['$has', { has: 'moss' }],
  ['$hasEvery', { hasEvery: Array.from({ length: 100 }, String) }],
  ['$hasSome', { hasSome: Array.from({ length: 100 }, String) }],
  ['$isEmpty', { isEmpty: true }],
  ['1000 values', { in: Array.from({ length: 1000 }, String) }],
]

function modelOf(name: string) {
  const model = [...BLOG.values()].find((each) => each.name.toLowerCase() === name)
  if (!model) throw new Error(`The blog has no ${name}.`)
  return model
}

function targetOf(model: string, path: string) {
  return path.split('.').reduce((at, name) => {
    const relation = at.relations.get(name)
    if (!relation) throw new Error(`${at.name} has no ${name}.`)
    return relation.target
  }, modelOf(model))
}

/** Returns the RPC filter for a condition behind relations. */
function whereBehind(model: string, path: string, condition: object): object {
  const [name, ...rest] = path.split('.')
  const relation = modelOf(model).relations.get(name ?? '')
  if (!relation || name === undefined) return condition
  const below = rest.length > 0 ? whereBehind(relation.target.name.toLowerCase(), rest.join('.'), condition) : condition
  return { [name]: relation.many ? { some: below } : below }
}

function fieldOf(model: string, path: string, kind: 0 | 1): string {
  const { name } = targetOf(model, path)
  return FIELDS[name]?.[kind] ?? fail(name)
}

describe('limits.filterCost', () => {
  it.each(PATHS)('%s: accepts every operator of the contract, with four fields to sort by', (_kinds, model, path) => {
    const order = orderCost(
      modelOf(model),
      Array.from({ length: 4 }, () => ({ id: 'asc' })),
    )
    for (const [operator, operand] of OTHER_OPERANDS) {
      const where = whereBehind(model, path, { [fieldOf(model, path, 0)]: operand })
      expect(filterCost(modelOf(model), where) + order, operator).toBeLessThanOrEqual(DEFAULT_LIMITS.filterCost)
    }
  })
})

describeDatabases('filters of the contract over up to three relations', (db) => {
  let rest: RestClient
  let rpc: RpcClient
  beforeAll(async () => {
    await db.fill(seedBlog)
    rest = restClient(db)
    rpc = rpcClient(db)
  })

  it.each(PATHS)('%s: finds the same rows in REST and RPC with every operator', async (_kinds, model, path) => {
    const selectors = path
      .split('.')
      .map((name) => `[${name}]`)
      .join('')
    for (const [suffix, kind, value, operator, operand] of OPERATORS) {
      const field = fieldOf(model, path, kind)
      const isNumber = targetOf(model, path).fields.get(field)?.type !== 'String'
      const filter = `filter${selectors}[${field}${suffix}]=${value}`
      const converted = kind === 1 && !isNumber ? String(operand) : operand
      const mode = suffix === '$icontains' && db.provider === 'postgresql' ? { mode: 'insensitive' } : {}
      const where = whereBehind(model, path, { [field]: { [operator]: converted, ...mode } })
      const response = await rest.get(`/${model}?${filter}&page[limit]=1`)
      const { status, body } = await rpc.call(model, 'count', { where })
      expect([response.status, response.body.meta?.['total']], filter).toEqual([status, body.data])
      expect(status, body.message).toBe(200)
    }
  })

  it.each<[what: string, filter: string, where: object]>([
    [
      'a chain of six relations through to-many ones',
      'filter[author][posts][author][posts][author][posts][title]=x',
      whereBehind('post', 'author.posts.author.posts.author.posts', { title: 'x' }),
    ],
    [
      'five texts that ignore case',
      'filter[title$icontains]=a,b,c,d,e',
      { OR: [...'abcde'].map((contains) => ({ title: { contains, mode: 'insensitive' } })) },
    ],
    [
      'fifteen texts behind three to-many relations',
      `filter[tags][posts][comments][body$contains]=${Array.from({ length: 15 }, (_, at) => at).join(',')}`,
      whereBehind('post', 'tags.posts.comments', {
        OR: Array.from({ length: 15 }, (_, at) => ({ body: { contains: `${at}` } })),
      }),
    ],
    [
      'sixty comparisons with the posts by a post’s author',
      `filter[author][posts][viewCount$gt]=${Array.from({ length: 60 }, (_, at) => at).join(',')}`,
      whereBehind('post', 'author.posts', { OR: Array.from({ length: 60 }, (_, at) => ({ viewCount: { gt: at } })) }),
    ],
    [
      'two text matches in the posts by a post’s author',
      'filter[author][posts][title$contains]=a,b',
      whereBehind('post', 'author.posts', { OR: [{ title: { contains: 'a' } }, { title: { contains: 'b' } }] }),
    ],
    [
      'two text matches of one field',
      'filter[author][posts][title$contains]=a&filter[author][posts][title$endsWith]=b',
      whereBehind('post', 'author.posts', { title: { contains: 'a', not: { endsWith: 'b' } } }),
    ],
    [
      'two text matches in the posts with a post’s tags',
      'filter[tags][posts][title$contains]=a,b',
      whereBehind('post', 'tags.posts', { OR: [{ title: { contains: 'a' } }, { title: { contains: 'b' } }] }),
    ],
  ])('%s: rejects with 400 in both styles before the first query', async (_what, filter, where) => {
    const insensitive = JSON.stringify(where).includes('insensitive') && db.provider !== 'postgresql'
    if (insensitive) return
    const queries = await db.queriesOf(async () => {
      const { status, errors } = await rest.get(`/post?${filter}`)
      expect([status, errors[0]?.detail]).toEqual([400, expect.stringContaining('limits.filterCost')])
      const { status: rpcStatus, body } = await rpc.call('post', 'findMany', { where }, 'POST')
      expect([rpcStatus, body.message]).toEqual([400, expect.stringContaining('limits.filterCost')])
    })
    expect(queries).toEqual([])
  })

  it('rejects four nested to-many relations with 400 in both styles', async () => {
    const path = 'posts.tags.posts.tags'
    const rest400 = await rest.get('/tag?filter[posts][tags][posts][tags][name]=x')
    expect([rest400.status, rest400.errors[0]?.detail]).toEqual([400, expect.stringContaining('limits.toManyDepth')])
    const { status, body } = await rpc.call('tag', 'count', { where: whereBehind('tag', path, { name: 'x' }) })
    expect([status, body.message]).toEqual([400, expect.stringContaining('limits.toManyDepth')])
  })
})

function fail(model: string): never {
  throw new Error(`The blog has no ${model}.`)
}
