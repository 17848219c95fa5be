import { beforeAll, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { fixtureClient, type RestClient, restClient } from './support/client.js'

describeDatabases(
  'REST: full text on Postgres',
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

    it('finds what any of the fields holds, what fits best first', async () => {
      const answer = await search('fox')
      expect(answer.ids[0]).toBe('near')
      expect(answer.ids.toSorted()).toEqual(['both', 'far', 'near'])
      expect(answer.body.meta).toMatchObject({ total: 3 })
    })

    it('finds words in fields that they stand in each alone', async () => {
      expect((await search('fox & hen')).ids).toEqual(['both'])
      expect((await search('hen & !fox')).ids).toEqual(['none'])
    })

    it.each(['\\', 'fox\\', `${'!'.repeat(200)}fox`, '(((', 'a <-'])('refuses what is no query: %s', async (words) => {
      expect((await search(words)).status).toBe(400)
    })

    it('asks two queries, each of which searches once', async () => {
      const queries = await db.queriesOf(() => search('fox', '&page[limit]=1'))
      expect(queries.map((query) => query.match(/@@/g)?.length)).toEqual([1, 1])
    })

    it('stands beside filters, another order, and pages whose links keep it', async () => {
      expect((await search('fox', '&filter[alias$isNull]=false&sort=code')).ids).toEqual(['both', 'near'])
      const first = await search('fox', '&page[limit]=2')
      const { links } = first.body
      const second = await rest.follow(links?.['next'] as string)
      expect([...first.ids, ...second.ids].toSorted()).toEqual(['both', 'far', 'near'])
    })

    it('has cursors where another order is asked for', async () => {
      const answer = await search('fox', '&sort=code&page[after]=&page[size]=2')
      expect(answer.ids).toEqual(['both', 'far'])
      const next = String(answer.body.links?.['next'])
      expect((await rest.follow(next)).ids).toEqual(['near'])
      expect((await rest.follow(next.replace('=fox', '=hen'))).status).toBe(400)
      const ranked = await search('fox', '&page[after]=&page[size]=2')
      expect(ranked.errors).toMatchObject([{ status: 400, detail: expect.stringContaining('ordered by relevance') }])
    })

    it.each([
      ['fullText[alias]=', 'what is searched for'],
      ['fullText=fox', 'names fields'],
      ['fullText[]=fox', 'names fields'],
      ['fullText[alias][label]=fox', 'names fields'],
      ['fullText[alias,alias]=fox', 'more than once'],
      ['fullText[alias]=fox&fullText[label]=fox', 'one search'],
      ['fullText[nope]=fox', 'nope'],
      ['fullText[alias,]=fox', ''],
      ['fullText[alias$search]=fox', ''],
      ['fullText[alias.label]=fox', ''],
      ['fullText[alias]=fox%20%26', ''],
    ])('refuses %s', async (query, detail) => {
      const { status, errors } = await rest.get(`/uniqueonly?${query}`)
      expect([status, errors[0]?.detail]).toEqual([400, expect.stringContaining(detail)])
    })

    it('is for collections only', async () => {
      expect((await rest.get('/uniqueonly/near?fullText[alias]=fox')).status).toBe(400)
      expect((await rest.get('/scalars?fullText[int]=1')).status).toBe(400)
    })
  },
  { fixture: 'kitchen-sink', only: ['postgresql'] },
)

describeDatabases(
  'REST: full text on MySQL',
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

    it('finds what any of the fields holds by their index, what fits best first', async () => {
      expect(await slugs('/post?fullText[title,content]=foxes')).toEqual(['a', 'b'])
      expect(await slugs('/post?fullText[title,content]=%2Bfoxes%20%2Bhens')).toEqual(['b'])
      expect(await slugs('/user/1/posts?fullText[title,content]=hens')).toEqual(['b'])
      expect(await slugs('/post?fullText[title,content]=hens&sort=-id&filter[slug]=b,c')).toEqual(['c', 'b'])
    })

    it('is 400 where no index is over these fields, and where the search cannot be read', async () => {
      expect((await rest.get('/post?fullText[title]=foxes')).status).toBe(400)
      expect((await rest.get('/post?fullText[title,content]=%2B%2B(')).status).toBe(400)
    })
  },
  { only: ['mysql'] },
)

describeDatabases('REST: full text', (db) => {
  it.runIf(db.provider !== 'mysql')('says where the client has none', async () => {
    const { errors } = await restClient(db).get('/post?fullText[title,content]=fox')
    expect(errors).toMatchObject([
      { status: 400, code: 'unsupported-parameter', source: { parameter: 'fullText[title,content]' } },
    ])
  })
})
