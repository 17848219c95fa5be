import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'

import { type Database, describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { type RestClient, restClient } from './support/client.js'
import { expressionsOf, holds, type Row } from './support/expression-truth.js'
import { printExpression } from './support/print-expression.js'

/** All that may be empty is empty in some rows. Texts are of small letters, which all collations order and compare alike. */
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

/** The law is tried; what it may cost is another matter. */
const LIMITS = { filterCost: Infinity, manyDepth: 5, relations: 1000 }

describeDatabases('REST: what is true of rows without a value', (db) => {
  let rest: RestClient
  let all: readonly Row[]

  beforeAll(async () => {
    await db.fill(fill)
    rest = restClient(db, { limits: LIMITS })
    all = await db.orm.post.findMany({ include: EVERYTHING, orderBy: { id: 'asc' } })
  })

  it('any expression finds the rows of which it holds, and no others', async () => {
    await fc.assert(
      fc.asyncProperty(expressionsOf('Post', 4), async (expression) => {
        const text = printExpression(expression)
        const answer = await rest.get(`/post?${new URLSearchParams({ filter: text })}`)
        expect(answer.status, `${text}: ${answer.text}`).toBe(200)
        const expected = all.filter((row) => holds(expression, row)).map(({ id }) => String(id))
        expect(answer.ids, text).toEqual(expected)
      }),
      { numRuns: runs(1000) },
    )
  })
})
