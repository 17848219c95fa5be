import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { fillBlog } from './support/blog.js'
import { type TestResponse, ENDPOINT, type RestClient, restClient } from './support/client.js'

/** The members of a relationship with an included list. */
interface IncludedList {
  readonly ids: readonly string[]
  readonly hasMore: boolean | undefined
  readonly links: Readonly<Record<string, string | null>>
}

function getIncludedList(response: TestResponse, id: string, name: string): IncludedList {
  expect(response.status, response.text).toBe(200)
  const all = [response.body.data ?? [], response.body.included ?? []].flat()
  const found = all.find((one) => one.id === id && one.relationships?.[name]?.data !== undefined)
  const { data, meta, links } = found?.relationships?.[name] ?? {}
  return {
    ids: [data ?? []].flat().map((one) => one.id),
    hasMore: meta?.hasMore,
    links: { ...links },
  }
}

describeDatabases('REST: included lists', (db) => {
  let rest: RestClient

  beforeAll(async () => {
    await db.fill(fillBlog)
    rest = restClient(db)
  })

  it('limits, sorts and filters each list and links to the remaining rows', async () => {
    const response = await rest.get(
      '/post?include=comments&includePage[comments][limit]=2&includeSort[comments]=-seq&includeFilter[comments][seq$gt]=0',
    )
    const query = 'filter%5Bseq%24gt%5D=0'
    expect(getIncludedList(response, '1', 'comments')).toEqual({
      ids: ['1_3', '1_2'],
      hasMore: true,
      links: {
        related: expect.stringMatching(/\/post\/1\/comments\?/),
        self: `${ENDPOINT}/post/1/relationships/comments`,
        next: expect.stringContaining('page%5Boffset%5D=2&page%5Blimit%5D=2'),
      },
    })
    expect(getIncludedList(response, '1', 'comments').links['related']).toContain(query)
    expect(getIncludedList(response, '4', 'comments')).toMatchObject({
      ids: ['4_1'],
      hasMore: false,
      links: { next: null },
    })
    expect(getIncludedList(response, '2', 'comments')).toMatchObject({ ids: [], hasMore: false })
    expect(response.body.included?.map(({ id }) => id).sort()).toEqual(['1_2', '1_3', '4_1'])
    const { related, next } = getIncludedList(response, '1', 'comments').links
    expect((await rest.follow(related)).ids).toEqual(['1_3', '1_2'])
    expect((await rest.follow(next)).ids).toEqual(['1_1'])
  })

  it('keeps includes and fieldsets in the links of a list', async () => {
    const query = 'includePage[comments][limit]=2&includeSort[comments]=-seq&fields[user]=name,posts'
    const response = await rest.get(
      `/post?include=comments.author.posts,author&${query}&includePage[comments.author.posts][limit]=1`,
    )
    const next = await rest.follow(getIncludedList(response, '1', 'comments').links['next'])
    expect(next.ids).toEqual(['1_1'])
    expect(next.body.included?.find(({ type }) => type === 'user')?.attributes).toEqual({ name: 'Ben' })
    expect(getIncludedList(next, '2', 'posts')).toMatchObject({ ids: ['4'], hasMore: false })
  })

  it('filters a list by an expression without a limit', async () => {
    const response = await rest.get(
      "/post?include=comments.author&includeFilter[comments]=or(equals(author.name,'Ben'),equals(seq,'3'))&includeFilter[comments][seq$lt]=9",
    )
    expect(getIncludedList(response, '1', 'comments')).toMatchObject({ ids: ['1_1', '1_3'], hasMore: undefined })
    expect(getIncludedList(response, '4', 'comments').ids).toEqual([])
  })

  it('limits nested lists and join tables', async () => {
    const path =
      '/user?include=posts.tags&includePage[posts][limit]=2&includeSort[posts]=id&includePage[posts.tags][limit]=1'
    const response = await rest.get(`${path}&includeSort[posts.tags]=-name`)
    expect(getIncludedList(response, '1', 'posts')).toMatchObject({ ids: ['1', '2'], hasMore: true })
    expect(getIncludedList(response, '1', 'tags')).toMatchObject({ ids: ['news'], hasMore: true })
    expect(getIncludedList(response, '2', 'tags')).toMatchObject({ ids: ['news'], hasMore: false })
    expect(response.body.included?.some(({ id }) => id === '3')).toBe(false)
  })

  it('applies to single, related, linkage and write responses', async () => {
    const query = 'includePage[comments][limit]=1'
    expect(getIncludedList(await rest.get(`/post/1?include=comments&${query}`), '1', 'comments').ids).toEqual(['1_1'])
    const related = await rest.get(`/user/1/posts?include=comments&${query}`)
    expect(getIncludedList(related, '1', 'comments')).toMatchObject({ ids: ['1_1'], hasMore: true })
    const linkage = await rest.get(
      `/user/1/relationships/posts?include=posts.comments&includePage[posts.comments][limit]=1`,
    )
    expect(getIncludedList(linkage, '1', 'comments').ids).toEqual(['1_1'])
    const body = { data: { type: 'post', id: '1', attributes: { viewCount: 10 } } }
    expect(getIncludedList(await rest.patch(`/post/1?include=comments&${query}`, body), '1', 'comments').ids).toEqual([
      '1_1',
    ])
  })

  it('returns the same rows as a request for the related resources', async () => {
    const sorts = ['seq', '-seq', 'body,-seq', '-author.name,seq', '-createdAt']
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...sorts),
        fc.constantFrom('', '[seq$gte]=2', "=not(equals(author.name,'Ben'))", '[author][name]=Ann'),
        fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
        async (sort, filter, limit) => {
          const list = `includeSort[comments]=${sort}${filter && `&includeFilter[comments]${filter}`}`
          const cut = limit === undefined ? '' : `&includePage[comments][limit]=${limit}`
          const response = await rest.get(`/post?include=comments&${list}${cut}`)
          for (const id of ['1', '2', '4']) {
            const alone = await rest.get(`/post/${id}/comments?sort=${sort}${filter && `&filter${filter}`}`)
            const { ids, hasMore } = getIncludedList(response, id, 'comments')
            expect(ids).toEqual(alone.ids.slice(0, limit))
            expect(hasMore).toBe(limit === undefined ? undefined : alone.ids.length > limit)
          }
        },
      ),
      { numRuns: runs(60) },
    )
  })

  it('sends one query per list and loads one extra row', async () => {
    const plain = await db.queriesOf(() => rest.get('/post?include=comments&includeSort[comments]=-seq'))
    const cut = await db.queriesOf(() => rest.get('/post?include=comments&includePage[comments][limit]=1'))
    expect(cut.length - plain.length).toBe(4)
    expect(cut.filter((query) => /comment/i.test(query) && /limit/i.test(query))).toHaveLength(5)
  })

  it('includes only linked resources if a resource is in two lists', async () => {
    const response = await rest.get(
      '/comment?filter[postId]=1&include=post.comments,author.posts.comments&includePage[post.comments][limit]=1' +
        '&includePage[author.posts.comments][limit]=1&includeSort[author.posts.comments]=-seq',
    )
    // The client checks full linkage: every included resource is linked from a relationship.
    expect(response.status).toBe(200)
  })

  it('counts related rows without loading them', async () => {
    const response = await rest.get('/post?relatedCount=comments,tags&fields[post]=comments,tags')
    const totals = response.many.map(({ relationships = {} }) => [
      relationships['comments']?.meta?.total,
      relationships['tags']?.meta?.total,
    ])
    expect(totals).toEqual([
      [3, 2],
      [0, 1],
      [0, 0],
      [1, 0],
      [0, 0],
    ])
    expect(await db.queriesOf(() => rest.get('/post?relatedCount=comments&page[total]=none'))).toHaveLength(1)
    const one = await rest.get('/post/1?relatedCount=comments&include=comments&includePage[comments][limit]=1')
    expect(one.one.relationships?.['comments']?.meta).toEqual({ total: 3, hasMore: true })
    const related = await rest.get('/user/1/posts?relatedCount=comments')
    expect(related.many[0]?.relationships?.['comments']?.meta).toEqual({ total: 3 })
  })

  describe('invalid input', () => {
    it.each([
      ['includePage[comments][limit]=2', 'includePage[comments][limit]'],
      ['include=author&includePage[author][limit]=2', 'includePage[author][limit]'],
      ['include=comments&includePage[comments][limit]=0', 'includePage[comments][limit]'],
      ['include=comments&includePage[comments][limit]=9999', 'includePage[comments][limit]'],
      ['include=comments&includePage[comments][limit]=x', 'includePage[comments][limit]'],
      ['include=comments&includePage[comments][offset]=1', 'includePage[comments][offset]'],
      ['include=comments&includePage[comments]=1', 'includePage[comments]'],
      [
        'include=comments&includePage[comments][limit]=1&includePage[comments][limit]=1',
        'includePage[comments][limit]',
      ],
      ['include=comments&includeSort[comments]=nope', 'includeSort[comments]'],
      ['include=comments&includeSort=seq', 'includeSort'],
      ['include=comments&includeFilter[comments][nope]=1', 'includeFilter[comments][nope]'],
      ['include=comments&includeFilter[comments]=nope(', 'includeFilter[comments]'],
      ['include=comments&includeFilter[comments][author][password]=1', 'includeFilter[comments][author][password]'],
      ['include=comments&includeFilter[nope][seq]=1', 'includeFilter[nope][seq]'],
      ['include=comments&includeFilter[comments.author][name]=1', 'includeFilter[comments.author][name]'],
      ['include=comments&includeFilter[__proto__][name]=1', 'includeFilter[__proto__][name]'],
      ['include=comments&includeFilter=1', 'includeFilter'],
      ['include=comments&includeOther[comments]=1', 'includeOther[comments]'],
      ['relatedCount=author', 'relatedCount'],
      ['relatedCount=nope', 'relatedCount'],
      ['relatedCount=', 'relatedCount'],
      ['relatedCount[comments]=1', 'relatedCount[comments]'],
    ])('%s: rejects the query with 400', async (query, parameter) => {
      const { status, errors } = await rest.get(`/post?${query}`)
      expect([status, errors[0]?.source]).toEqual([400, { parameter }])
    })

    it('rejects more limited lists than limits.includedLists with 400', async () => {
      const few = restClient(db, { limits: { includedLists: 4 } })
      const { status, errors } = await few.get('/post?include=comments&includePage[comments][limit]=1')
      expect([status, errors[0]?.detail]).toEqual([400, expect.stringContaining('limits.includedLists')])
      expect((await few.get('/post?page[limit]=4&include=comments&includePage[comments][limit]=1')).status).toBe(200)
    })
  })
})
