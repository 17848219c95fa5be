import { beforeAll, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { type RestClient, restClient, type TestResponse } from './support/client.js'

describeDatabases('REST: filter', (db) => {
  let rest: RestClient

  beforeAll(async () => {
    await db.fill(fillBlog)
    rest = restClient(db)
  })

  const getFiltered = (type: string, filter: string, more: Record<string, string> = {}) =>
    rest.get(`/${type}?${new URLSearchParams({ filter, ...more })}`)

  it.each(['filter[password]=x', "filter=equals(password,'x')", 'filter=equals(email,password)'])(
    '%s: rejects a write-only field exactly like an unknown field',
    async (query) => {
      const hidden = await rest.get(`/user?${query}`)
      const unknown = await rest.get(`/user?${query.replace('password', 'passwort')}`)
      expect(hidden.text.replaceAll('password', '…')).toBe(unknown.text.replaceAll('passwort', '…'))
    },
  )

  it.each(['filter[author]=1,2', 'filter[author$isNull]=true'])('%s: filters without a join', async (query) => {
    const queries = await db.queriesOf(() => rest.get(`/post?${query}`))
    expect(queries).toHaveLength(1)
    expect(queries[0]).not.toMatch(/User|JOIN/)
  })

  it('keeps an expression in pagination links', async () => {
    const first = await getFiltered('post', "not(equals(title,'One'))", { 'page[limit]': '2' })
    expect(first.ids).toEqual(['2', '3'])
    expect((await rest.follow(first.body.links?.['next'])).ids).toEqual(['4', '5'])
  })

  const anyOf = (count: number, condition: string) => `or(${Array.from({ length: count }, () => condition).join(',')})`

  it.each([
    ['toManyDepth', 'has(comments,has(author.posts,has(tags,has(posts))))'],
    ['filterRelations', anyOf(21, "equals(author.name,'a')")],
    ['filterCost', anyOf(15, "contains(title,'a')")],
    ['filterCost', "has(author.posts,has(author.posts,equals(author.profile.bio,'a')))"],
    ['filterCost', anyOf(146, 'equals(slug,title)')],
    ['depth', `equals(${'category.parent.'.repeat(8)}name,'a')`],
    ['depth', `${'not('.repeat(12)}has(tags)${')'.repeat(12)}`],
    ['listLength', `any(title${",'a'".repeat(1001)})`],
  ])('%s (case %#): rejects an expression beyond the limit before any query', async (limit, filter) => {
    const responses: TestResponse[] = []
    const queries = await db.queriesOf(async () => responses.push(await getFiltered('post', filter)))
    expect([queries, responses]).toMatchObject([
      [],
      [{ status: 400, errors: [{ detail: expect.stringContaining(`limits.${limit}`) }] }],
    ])
  })
})
