import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'

import { describeDatabases } from '../../support/databases.js'
import { runs } from '../../support/form.js'
import { seedBlog } from '../../support/seed-blog.js'
import { blogClient } from './apis.js'
import { fetchOf } from './serve.js'

type Tree = Readonly<Record<string, unknown>>

/** A condition in the notation of the REST client and in Prisma's. */
interface Condition {
  readonly filter: Tree
  readonly where: Tree
}

/** A row, as the comparison sees it. */
interface Row {
  readonly id: unknown
  readonly [field: string]: unknown
}

const dates = fc.date({ min: new Date('2024-06-01'), max: new Date('2026-01-01'), noInvalidDate: true })
const words = fc.constantFrom('e', 'A', 'the ', ',', 'Caching', 'ü', '')

/** Generates a comparison of a field with one value, or with several values that are alternatives. */
function compared(field: string, operator: string, values: fc.Arbitrary<unknown>): fc.Arbitrary<Condition> {
  return fc.uniqueArray(values, { minLength: 1, maxLength: 3, selector: String }).map((several) => {
    const [first] = several
    const alone = several.length === 1
    if (operator === 'equals') {
      return { filter: { [field]: alone ? first : several }, where: { [field]: alone ? first : { in: several } } }
    }
    const wheres = several.map((value) => ({ [field]: { [operator]: value } }))
    return { filter: { [field]: { [operator]: alone ? first : several } }, where: { OR: wheres } }
  })
}

const noValue = (field: string, isOne = false): fc.Arbitrary<Condition> =>
  fc.constantFrom(
    { filter: { [field]: null }, where: { [field]: null } },
    { filter: { [field]: { isNull: true } }, where: { [field]: null } },
    { filter: { [field]: { isNull: false } }, where: { [field]: isOne ? { isNot: null } : { not: null } } },
  )

/** Generates a condition on related rows. */
function through(relation: string, many: boolean, inner: fc.Arbitrary<Condition>): fc.Arbitrary<Condition> {
  return inner.map(({ filter, where }) => ({
    filter: { [relation]: filter },
    where: { [relation]: { [many ? 'some' : 'is']: where } },
  }))
}

const ids = fc.integer({ min: 1, max: 12 })
const ordered = ['lt', 'lte', 'gt', 'gte']
const user = fc.oneof(
  compared('role', 'equals', fc.constantFrom('READER', 'AUTHOR', 'EDITOR')),
  compared('name', 'startsWith', words),
  compared('email', 'endsWith', fc.constantFrom('.com', 'example.com', 'x')),
  noValue('name'),
)
const category = fc.oneof(
  compared('name', 'equals', fc.constantFrom('Web', 'Cooking', 'None')),
  ...ordered.map((operator) => compared('readers', operator, fc.bigInt({ min: 0n, max: 100_000n }))),
  compared('adPrice', 'lte', fc.constantFrom('100', '250.5', '9999')),
  noValue('adPrice'),
)
const post = fc.oneof(
  compared('status', 'equals', fc.constantFrom('DRAFT', 'PUBLISHED', 'ARCHIVED')),
  compared('id', 'equals', ids),
  ...ordered.map((operator) => compared('viewCount', operator, fc.integer({ min: 0, max: 2000 }))),
  ...ordered.map((operator) => compared('publishedAt', operator, dates)),
  compared('title', 'contains', words),
  compared('slug', 'equals', fc.constantFrom('caching-is-a-promise', 'a,b')),
  noValue('publishedAt'),
  noValue('author', true),
  through('author', false, user),
  through('category', false, fc.oneof(category, through('parent', false, category))),
  through('tags', true, compared('name', 'equals', fc.constantFrom('tools', 'bread', 'a\\b'))),
  through('comments', true, through('author', false, user)),
  fc.uniqueArray(ids, { minLength: 1, maxLength: 3 }).map((several) => ({
    filter: { author: several.length === 1 ? several[0] : several },
    where: { authorId: { in: several } },
  })),
)

const sorts: Readonly<Record<string, (way: string) => Tree>> = {
  title: (title) => ({ title }),
  viewCount: (viewCount) => ({ viewCount }),
  status: (status) => ({ status }),
  publishedAt: (publishedAt) => ({ publishedAt }),
  'author.name': (name) => ({ author: { name } }),
  'category.parent.name': (name) => ({ category: { parent: { name } } }),
  author: (authorId) => ({ authorId }),
}

const includes: Readonly<Record<string, Tree>> = {
  author: { author: true },
  'category.parent': { category: { include: { parent: true } } },
  tags: { tags: { orderBy: { name: 'asc' } } },
  'comments.author': {
    comments: { include: { author: true }, orderBy: [{ postId: 'asc' }, { seq: 'asc' }] },
  },
}

const query = fc.record({
  // An object has each field once.
  conditions: fc.uniqueArray(post, { maxLength: 3, selector: ({ filter }) => Object.keys(filter).join() }),
  sort: fc.uniqueArray(fc.tuple(fc.constantFrom(...Object.keys(sorts)), fc.boolean()), {
    maxLength: 2,
    selector: ([name]) => name,
  }),
  include: fc.uniqueArray(fc.constantFrom(...Object.keys(includes)), { maxLength: 3 }),
  offset: fc.integer({ min: 0, max: 30 }),
  limit: fc.integer({ min: 1, max: 40 }),
})

/** Converts a row to its form in responses: ids and Decimals are strings, and passwords are missing. */
function asSeen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value
  if (Array.isArray(value)) return value.map(asSeen)
  if ('toFixed' in value && typeof value.toFixed === 'function') return value.toFixed()
  const { password: _, ...rest } = value as Row & { readonly password?: unknown }
  const members = Object.entries(rest).map(([name, member]) => [name, name === 'id' ? String(member) : asSeen(member)])
  return Object.fromEntries(members)
}

/** Reduces a resource to the members of a row, without the ids of relations that are not included. */
function like(row: unknown, resource: unknown): unknown {
  if (Array.isArray(row) && Array.isArray(resource)) return resource.map((one, index) => like(row[index], one))
  if (!isRecord(row) || !isRecord(resource)) return resource
  return Object.fromEntries(Object.keys(row).map((name) => [name, like(row[name], resource[name])]))
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !(value instanceof Date)
}

describeDatabases('REST client: random queries', (db) => {
  let rest: ReturnType<typeof blogClient>

  beforeAll(async () => {
    await db.fill(seedBlog)
    // These tests are not about limits.
    rest = blogClient(fetchOf(db, { limits: { filterCost: Infinity } }))
  })

  it('returns the same list as the Prisma client', async () => {
    await fc.assert(
      fc.asyncProperty(query, async ({ conditions, sort, include, offset, limit }) => {
        const where = { AND: conditions.map((condition) => condition.where) }
        const orderBy = [...sort.map(([name, down]) => sorts[name]?.(down ? 'desc' : 'asc')), { id: 'asc' }]
        const included = Object.assign({}, ...include.map((path) => includes[path]))
        const wanted = await db.orm.post.findMany({
          where,
          orderBy,
          skip: offset,
          take: limit,
          ...(include.length > 0 && { include: included }),
        } as never)
        const list = await rest.post.list({
          filter: Object.assign({}, ...conditions.map(({ filter }) => filter)),
          sort: sort.map(([name, down]) => `${down ? '-' : ''}${name}`) as never[],
          include: include as never[],
          page: { offset, limit },
        })
        const rows = wanted.map(asSeen)
        expect(list.map((resource, index) => like(rows[index], resource))).toEqual(rows)
        expect(list.total).toBe(await db.orm.post.count({ where }))
      }),
      { numRuns: runs(150) },
    )
  })
})
