import { beforeAll, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { fixtureClient, type RestClient, restClient } from './support/client.js'

describeDatabases(
  'REST: full-text search on PostgreSQL',
  (db) => {
    let rest: RestClient

    beforeAll(async () => {
      await db.reset()
      rest = fixtureClient(db)
      await db.orm.uniqueOnly.createMany({
        data: [
          { code: 'far', alias: null, label: 'A long story in which a fox is named once, and then never again' },
          { code: 'none', alias: 'hen', label: 'of hens' },
          { code: 'near', alias: 'a fox', label: 'fox fox' },
          { code: 'both', alias: 'fox', label: 'of a hen' },
        ],
      })
    })

    const search = (value: string, more = '') =>
      rest.get(`/uniqueonly?fullText[alias,label]=${encodeURIComponent(value)}${more}`)

    it('matches any of the fields and sorts by relevance', async () => {
      const response = await search('fox')
      expect(response.ids[0]).toBe('near')
      expect(response.ids.toSorted()).toEqual(['both', 'far', 'near'])
      expect(response.body.meta).toMatchObject({ total: 3 })
    })

    it('matches words across fields', async () => {
      expect((await search('fox & hen')).ids).toEqual(['both'])
      expect((await search('hen & !fox')).ids).toEqual(['none'])
    })

    it.each(['\\', 'fox\\', `${'!'.repeat(200)}fox`, '(((', 'a <-'])(
      '%s: rejects the malformed search with 400',
      async (words) => {
        expect((await search(words)).status).toBe(400)
      },
    )

    it('sends two queries that search once each', async () => {
      const queries = await db.queriesOf(() => search('fox', '&page[limit]=1'))
      expect(queries.map((query) => query.match(/@@/g)?.length)).toEqual([1, 1])
    })

    it('combines with filters, sorting and pagination', async () => {
      expect((await search('fox', '&filter[alias$isNull]=false&sort=code')).ids).toEqual(['both', 'near'])
      const first = await search('fox', '&page[limit]=2')
      const { links } = first.body
      const second = await rest.follow(links?.['next'] as string)
      expect([...first.ids, ...second.ids].toSorted()).toEqual(['both', 'far', 'near'])
    })

    it('supports cursors only with another sort', async () => {
      const response = await search('fox', '&sort=code&page[after]=&page[size]=2')
      expect(response.ids).toEqual(['both', 'far'])
      const next = String(response.body.links?.['next'])
      expect((await rest.follow(next)).ids).toEqual(['near'])
      expect((await rest.follow(next.replace('=fox', '=hen'))).status).toBe(400)
      const ranked = await search('fox', '&page[after]=&page[size]=2')
      expect(ranked.errors).toMatchObject([{ status: 400, detail: expect.stringContaining('sorting by relevance') }])
    })

    it.each([
      ['fullText[alias]=', 'words to search for'],
      ['fullText=fox', 'Must name fields'],
      ['fullText[]=fox', 'Must name fields'],
      ['fullText[alias][label]=fox', 'Must name fields'],
      ['fullText[alias,alias]=fox', 'more than once'],
      ['fullText[alias]=fox&fullText[label]=fox', 'one search'],
      ['fullText[nope]=fox', 'nope'],
      ['fullText[alias,]=fox', ''],
      ['fullText[alias$search]=fox', ''],
      ['fullText[alias.label]=fox', ''],
      ['fullText[alias]=fox%20%26', ''],
    ])('%s: rejects the parameter with 400', async (query, detail) => {
      const { status, errors } = await rest.get(`/uniqueonly?${query}`)
      expect([status, errors[0]?.detail]).toEqual([400, expect.stringContaining(detail)])
    })

    it('rejects the parameter for single resources and non-text fields with 400', async () => {
      expect((await rest.get('/uniqueonly/near?fullText[alias]=fox')).status).toBe(400)
      expect((await rest.get('/scalars?fullText[int]=1')).status).toBe(400)
    })
  },
  { fixture: 'kitchen-sink', only: ['postgresql'] },
)

describeDatabases(
  'REST: full-text search on MySQL',
  (db) => {
    let rest: RestClient

    beforeAll(async () => {
      await db.fill(fillBlog)
      await db.execute('ALTER TABLE `Post` ADD FULLTEXT INDEX `Post_text_idx` (`title`, `content`)')
      await db.orm.post.createMany({
        data: [
          { slug: 'a', title: 'Foxes', content: 'Of foxes and more foxes', authorId: 1 },
          { slug: 'b', title: 'Hens', content: 'Afraid of foxes, as all of them are, everywhere', authorId: 1 },
          { slug: 'c', title: 'Hens', content: 'Of hens', authorId: 2 },
        ],
      })
      rest = restClient(db)
    })

    const slugs = async (query: string) =>
      (await rest.get(query)).many.map(({ attributes }) => String(attributes?.['slug']))

    it('matches any of the indexed fields and sorts by relevance', async () => {
      expect(await slugs('/post?fullText[title,content]=foxes')).toEqual(['a', 'b'])
      expect(await slugs('/post?fullText[title,content]=%2Bfoxes%20%2Bhens')).toEqual(['b'])
      expect(await slugs('/user/1/posts?fullText[title,content]=hens')).toEqual(['b'])
      expect(await slugs('/post?fullText[title,content]=hens&sort=-id&filter[slug]=b,c')).toEqual(['c', 'b'])
    })

    it('rejects fields without an index and a malformed search with 400', async () => {
      expect((await rest.get('/post?fullText[title]=foxes')).status).toBe(400)
      expect((await rest.get('/post?fullText[title,content]=%2B%2B(')).status).toBe(400)
    })
  },
  { only: ['mysql'] },
)

describeDatabases('REST: full-text search without the preview feature', (db) => {
  it.runIf(db.provider !== 'mysql')('rejects the parameter with 400', async () => {
    const { errors } = await restClient(db).get('/post?fullText[title,content]=fox')
    expect(errors).toMatchObject([
      { status: 400, code: 'unsupported-parameter', source: { parameter: 'fullText[title,content]' } },
    ])
  })
})
