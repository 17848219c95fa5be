import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'

import { type Database, describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { DEFAULT_LIMITS } from '../../runtime/limits.js'
import { parseExpression } from '../../runtime/features/expressions/parse-expression.js'
import { type RestClient, restClient } from './support/client.js'
import { expressionsOf, matches, type Row } from './support/evaluate-expression.js'
import { printExpression } from './support/print-expression.js'

/**
 * Creates rows in which every nullable field is null at least once. Texts consist of small letters, which all collations
 * order and compare alike.
 */
async function fill({ orm }: Pick<Database, 'orm'>): Promise<void> {
  const names = ['ab', null, 'bca', null]
  const roles = ['READER', 'AUTHOR', 'EDITOR', 'READER'] as const
  await orm.user.createMany({
    data: names.map((name, index) => ({
      name,
      email: `${index}@example.com`,
      password: 'x',
      role: roles[index] ?? 'READER',
    })),
  })
  await orm.category.create({ data: { name: 'a', adPrice: '1.5', readers: 1n } })
  await orm.category.create({ data: { name: 'b', readers: 2n, parentId: 1 } })
  await orm.category.create({ data: { name: 'c', adPrice: '2', parentId: 2 } })
  const contents = [null, 'abc', '', 'b', null]
  const dates = [null, '2024-01-01T00:00:00Z', '2024-02-01T00:00:00Z', null]
  const statuses = ['DRAFT', 'PUBLISHED', 'ARCHIVED'] as const
  for (let index = 0; index < 12; index++) {
    const date = dates[index % 4]
    await orm.post.create({
      data: {
        slug: `post-${index}`,
        title: ['ab', 'b', 'bca', 'c'][index % 4] ?? '',
        content: contents[index % 5] ?? null,
        status: statuses[index % 3] ?? 'DRAFT',
        viewCount: index % 4,
        publishedAt: date ? new Date(date) : null,
        authorId: [1, 2, null, 3, null][index % 5] ?? null,
        categoryId: [null, 1, 2, 3, null, 1, 2][index % 7] ?? null,
      },
    })
  }
  await orm.comment.createMany({
    data: [1, 2, 3, 5, 8].flatMap((postId) =>
      Array.from({ length: (postId % 3) + 1 }, (_, index) => ({
        postId,
        seq: index + 1,
        body: ['ab', 'abc', 'c'][(postId + index) % 3] ?? '',
        authorId: [null, 1, 2][(postId + index) % 3] ?? null,
      })),
    ),
  })
  await orm.tag.create({ data: { name: 'ab', posts: { connect: [{ id: 1 }, { id: 4 }] } } })
  await orm.tag.create({ data: { name: 'b', posts: { connect: [{ id: 1 }, { id: 2 }] } } })
}

const EVERYTHING = {
  author: true,
  category: { include: { parent: { include: { parent: true } } } },
  comments: { include: { author: true } },
  tags: true,
} as const

/** No limits: these tests check the results, not the cost. */
const LIMITS = { filterCost: Infinity, toManyDepth: 5, filterRelations: 1000 }

/** Paths to a text, in both forms. `{}` is a placeholder for the condition at the end of the path. */
const PATHS: readonly (readonly [bracket: string, expression: string, name: string])[] = [
  ['[title@]', '{}', 'title'],
  ['[content@]', '{}', 'content'],
  ['[author][name@]', '{}', 'author.name'],
  ['[category][name@]', '{}', 'category.name'],
  ['[category][parent][name@]', '{}', 'category.parent.name'],
  ['[category][parent][parent][name@]', '{}', 'category.parent.parent.name'],
  ['[comments][body@]', 'has(comments,{})', 'body'],
  ['[comments$every][body@]', 'every(comments,{})', 'body'],
  ['[comments$none][body@]', 'not(has(comments,{}))', 'body'],
  ['[comments][author][name@]', 'has(comments,{})', 'author.name'],
  ['[comments$every][author][name@]', 'every(comments,{})', 'author.name'],
  ['[comments$none][author][name@]', 'not(has(comments,{}))', 'author.name'],
]

/** Operators that negate another condition, with a value and that condition. */
const NEGATED: readonly (readonly [operator: string, value: string, positive: (name: string) => string])[] = [
  ['$ne', 'ab', (name) => `equals(${name},'ab')`],
  ['$ne', 'ab,b', (name) => `any(${name},'ab','b')`],
  ['$notIn', 'ab,b', (name) => `any(${name},'ab','b')`],
  ['$not$in', 'ab,b', (name) => `any(${name},'ab','b')`],
  ['$not$lt', 'b', (name) => `lessThan(${name},'b')`],
  ['$not$lte', 'b', (name) => `lessOrEqual(${name},'b')`],
  ['$not$gt', 'b', (name) => `greaterThan(${name},'b')`],
  ['$not$gte', 'b', (name) => `greaterOrEqual(${name},'b')`],
  ['$not$between', 'ab,b', (name) => `between(${name},'ab','b')`],
  ['$not$contains', 'c', (name) => `contains(${name},'c')`],
  ['$not$startsWith', 'a', (name) => `startsWith(${name},'a')`],
  ['$not$endsWith', 'c', (name) => `endsWith(${name},'c')`],
  ['$not$icontains', 'c', (name) => `icontains(${name},'c')`],
  ['$not$istartsWith', 'a', (name) => `istartsWith(${name},'a')`],
  ['$not$iendsWith', 'c', (name) => `iendsWith(${name},'c')`],
]

const OPTIONAL = new Set(['content', 'author.name'])

/** Negated filters in two equivalent forms: a condition on ids, or on a text at the end of a path. */
const NEGATIONS: readonly (readonly [bracket: string, value: string, expression: string])[] = [
  ...PATHS.flatMap(([bracket, around, name]) =>
    NEGATED.map(([operator, value, positive]) => {
      return [bracket.replace('@', operator), value, around.replace('{}', `not(${positive(name)})`)] as const
    }),
  ),
  ...PATHS.filter(([, , name]) => OPTIONAL.has(name)).map(([bracket, around, name]) => {
    return [bracket.replace('@', '$not$isNull'), 'true', around.replace('{}', `not(equals(${name},null))`)] as const
  }),
  ['[author$ne]', '1', "not(equals(author,'1'))"],
  ['[author][id$ne]', '1', "not(equals(author.id,'1'))"],
  ['[author][id$notIn]', '1,2', "not(any(author.id,'1','2'))"],
  ['[category][parent$ne]', '1', "not(equals(category.parent,'1'))"],
  ['[category][parent][id$ne]', '1', "not(equals(category.parent.id,'1'))"],
  ['[category][parent$not$isNull]', 'true', 'not(equals(category.parent,null))'],
  ['[comments][author$ne]', '1', "has(comments,not(equals(author,'1')))"],
  ['[comments$none][author$ne]', '1', "not(has(comments,not(equals(author,'1'))))"],
  ['[comments$ne]', '2_1', "not(equals(comments,'2_1'))"],
  // Without a negation, a path to a missing resource does not match.
  ['[author][name$isNull]', 'true', 'equals(author.name,null)'],
  ['[category][parent][name]', 'a', "equals(category.parent.name,'a')"],
]

describeDatabases('REST: filters and null values', (db) => {
  let rest: RestClient
  let all: readonly Row[]

  beforeAll(async () => {
    await db.fill(fill)
    rest = restClient(db, { limits: LIMITS })
    all = await db.orm.post.findMany({ include: EVERYTHING, orderBy: { id: 'asc' } })
  })

  it('returns exactly the rows for which the expression holds', async () => {
    await fc.assert(
      fc.asyncProperty(expressionsOf('Post', 4), async (expression) => {
        const text = printExpression(expression)
        const response = await rest.get(`/post?${new URLSearchParams({ filter: text })}`)
        expect(response.status, `${text}: ${response.text}`).toBe(200)
        const expected = all.filter((row) => matches(expression, row)).map(({ id }) => String(id))
        expect(response.ids, text).toEqual(expected)
      }),
      { numRuns: runs(1000) },
    )
  })

  it.each(NEGATIONS)('filter%s=%s: returns the same rows as %s', async (bracket, value, expression) => {
    const found = await rest.get(`/post?${new URLSearchParams({ [`filter${bracket}`]: value })}`)
    expect([found.status, found.text]).toEqual([200, expect.anything()])
    const parsed = parseExpression(expression, { ...DEFAULT_LIMITS, ...LIMITS })
    expect(found.ids).toEqual(all.filter((row) => matches(parsed, row)).map(({ id }) => String(id)))
    const same = await rest.get(`/post?${new URLSearchParams({ filter: expression })}`)
    expect(found.ids).toEqual(same.ids)
  })

  it.each(['filter[author][posts$count]=0', 'filter[author][posts$isEmpty]=true', 'filter=isEmpty(author.posts)'])(
    '%s: does not match posts without an author',
    async (filter) => {
      expect((await rest.get(`/post?${filter}`)).ids).toEqual([])
    },
  )
})
