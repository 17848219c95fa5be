import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { fillBlog } from './support/blog.js'
import { type TestResponse, ENDPOINT, type RestClient, restClient } from './support/client.js'

/** Returns the members of the relationship of a resource with an included list. */
function listOf(response: TestResponse, id: string, name: string) {
  expect(response.status, response.text).toBe(200)
  const all = [response.body.data ?? [], response.body.included ?? []].flat()
  const found = all.find((one) => one.id === id && one.relationships?.[name]?.data !== undefined)
  const { data, meta, links } = found?.relationships?.[name] ?? {}
  return { ids: [data ?? []].flat().map((one) => one.id), hasMore: meta?.hasMore, links: { ...links } }
}

describeDatabases('REST: included lists', (db) => {
  let rest: RestClient

  beforeAll(async () => {
    await db.fill(fillBlog)
    rest = restClient(db)
  })

  const LIMIT = 'includePage[comments][limit]'
  const SORT = 'includeSort[comments]'

  it('limits, sorts and filters each list and links to the remaining rows', async () => {
    const response = await rest.get(`/post?include=comments&${LIMIT}=2&${SORT}=-seq&includeFilter[comments][seq$gt]=0`)
    const { related, next } = listOf(response, '1', 'comments').links
    expect(listOf(response, '1', 'comments')).toEqual({
      ids: ['1_3', '1_2'],
      hasMore: true,
      links: {
        related: expect.stringMatching(/\/post\/1\/comments\?.*filter%5Bseq%24gt%5D=0/),
        self: `${ENDPOINT}/post/1/relationships/comments`,
        next: expect.stringContaining('page%5Boffset%5D=2&page%5Blimit%5D=2'),
      },
    })
    expect(listOf(response, '4', 'comments')).toMatchObject({ ids: ['4_1'], hasMore: false, links: { next: null } })
    expect(listOf(response, '2', 'comments')).toMatchObject({ ids: [], hasMore: false })
    expect(response.body.included?.map(({ id }) => id).sort()).toEqual(['1_2', '1_3', '4_1'])
    expect((await rest.follow(related)).ids).toEqual(['1_3', '1_2'])
    expect((await rest.follow(next)).ids).toEqual(['1_1'])
  })

  it('keeps includes and fieldsets in the links of a list', async () => {
    const query = `${LIMIT}=2&${SORT}=-seq&fields[user]=name,posts&includePage[comments.author.posts][limit]=1`
    const response = await rest.get(`/post?include=comments.author.posts,author&${query}`)
    const next = await rest.follow(listOf(response, '1', 'comments').links['next'])
    expect(next.ids).toEqual(['1_1'])
    expect(next.body.included?.find(({ type }) => type === 'user')?.attributes).toEqual({ name: 'Ben' })
    expect(listOf(next, '2', 'posts')).toMatchObject({ ids: ['4'], hasMore: false })
  })

  it('filters a list by an expression without a limit', async () => {
    const filter = "includeFilter[comments]=or(equals(author.name,'Ben'),equals(seq,'3'))"
    const response = await rest.get(`/post?include=comments.author&${filter}&includeFilter[comments][seq$lt]=9`)
    expect(listOf(response, '1', 'comments')).toMatchObject({ ids: ['1_1', '1_3'], hasMore: undefined })
    expect(listOf(response, '4', 'comments').ids).toEqual([])
  })

  it('limits nested lists and join tables', async () => {
    const posts = 'includePage[posts][limit]=2&includeSort[posts]=id'
    const tags = 'includePage[posts.tags][limit]=1&includeSort[posts.tags]=-name'
    const response = await rest.get(`/user?include=posts.tags&${posts}&${tags}`)
    expect(listOf(response, '1', 'posts')).toMatchObject({ ids: ['1', '2'], hasMore: true })
    expect(listOf(response, '1', 'tags')).toMatchObject({ ids: ['news'], hasMore: true })
    expect(listOf(response, '2', 'tags')).toMatchObject({ ids: ['news'], hasMore: false })
    expect(response.body.included?.some(({ id }) => id === '3')).toBe(false)
  })

  it('applies to single, related, linkage and write responses', async () => {
    const query = `include=comments&${LIMIT}=1`
    const body = { data: { type: 'post', id: '1', attributes: { viewCount: 10 } } }
    const linkage = '/user/1/relationships/posts?include=posts.comments&includePage[posts.comments][limit]=1'
    for (const response of [
      await rest.get(`/post/1?${query}`),
      await rest.get(`/user/1/posts?${query}`),
      await rest.get(linkage),
      await rest.patch(`/post/1?${query}`, body),
    ])
      expect(listOf(response, '1', 'comments')).toMatchObject({ ids: ['1_1'], hasMore: true })
  })

  it('returns the same rows as a request for the related resources', async () => {
    const sorts = ['seq', '-seq', 'body,-seq', '-author.name,seq', '-createdAt']
    const filters = ['', '[seq$gte]=2', "=not(equals(author.name,'Ben'))", '[author][name]=Ann']
    const limits = fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...sorts), fc.constantFrom(...filters), limits, async (sort, filter, limit) => {
        const list = `${SORT}=${sort}${filter && `&includeFilter[comments]${filter}`}`
        const cut = limit === undefined ? '' : `&${LIMIT}=${limit}`
        const response = await rest.get(`/post?include=comments&${list}${cut}`)
        for (const id of ['1', '2', '4']) {
          const alone = await rest.get(`/post/${id}/comments?sort=${sort}${filter && `&filter${filter}`}`)
          const { ids, hasMore } = listOf(response, id, 'comments')
          expect(ids).toEqual(alone.ids.slice(0, limit))
          expect(hasMore).toBe(limit === undefined ? undefined : alone.ids.length > limit)
        }
      }),
      { numRuns: runs(60) },
    )
  })

  it('sends one query per list and loads one extra row', async () => {
    const plain = await db.queriesOf(() => rest.get(`/post?include=comments&${SORT}=-seq`))
    const cut = await db.queriesOf(() => rest.get(`/post?include=comments&${LIMIT}=1`))
    expect(cut.length - plain.length).toBe(4)
    expect(cut.filter((query) => /comment/i.test(query) && /limit/i.test(query))).toHaveLength(5)
  })

  it('includes only linked resources if a resource is in two lists', async () => {
    const posts = 'author.posts.comments'
    const query = `includePage[post.comments][limit]=1&includePage[${posts}][limit]=1&includeSort[${posts}]=-seq`
    // The client checks full linkage: every included resource is linked from a relationship.
    expect((await rest.get(`/comment?filter[postId]=1&include=post.comments,${posts}&${query}`)).status).toBe(200)
  })

  it('counts related rows without loading them', async () => {
    const response = await rest.get('/post?relatedCount=comments,tags&fields[post]=comments,tags')
    const totals = response.many.map(({ relationships = {} }) =>
      ['comments', 'tags'].map((name) => relationships[name]?.meta?.total),
    )
    expect(JSON.stringify(totals)).toBe('[[3,2],[0,1],[0,0],[1,0],[0,0]]')
    expect(await db.queriesOf(() => rest.get('/post?relatedCount=comments&page[total]=none'))).toHaveLength(1)
    const one = await rest.get(`/post/1?relatedCount=comments&include=comments&${LIMIT}=1`)
    expect(one.one.relationships?.['comments']?.meta).toEqual({ total: 3, hasMore: true })
    const related = await rest.get('/user/1/posts?relatedCount=comments')
    expect(related.many[0]?.relationships?.['comments']?.meta).toEqual({ total: 3 })
  })
})
