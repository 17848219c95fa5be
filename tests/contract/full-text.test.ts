import { expect } from 'vitest'

import { fillBlog } from '../rest/support/blog.js'
import type { TestResponse } from '../rest/support/client.js'
import type { Database } from '../support/databases.js'
import { describeContract } from './describe-contract.js'

const find = (fields: string, words: string, more = '') => `fullText[${fields}]=${encodeURIComponent(words)}${more}`

async function fillTexts({ orm }: Pick<Database<'kitchen-sink'>, 'orm'>): Promise<void> {
  await orm.uniqueOnly.createMany({
    data: [
      { code: 'far', alias: null, label: 'A long story in which a fox is named once, and then never again' },
      { code: 'none', alias: 'hen', label: 'of hens' },
      { code: 'near', alias: 'a fox', label: 'fox fox' },
      { code: 'both', alias: 'fox', label: 'of a hen' },
    ],
  })
}

let first: readonly string[] = []
const isFirstPage = ({ ids, body }: TestResponse) => {
  first = ids
  expect([ids[0], body.meta?.total]).toEqual(['near', 3])
}
const isSecondPage = ({ ids }: TestResponse) => expect([...first, ...ids].toSorted()).toEqual(['both', 'far', 'near'])

describeContract(
  'full-text search on PostgreSQL',
  ({ rule, rest, rpc }) => {
    const search = (words: string, more?: string) => `/uniqueonly?${find('alias,label', words, more)}`
    rule('4.2', 'matches any of the fields and sorts by relevance')
    rest(search('fox', '&page[limit]=2'), 200, isFirstPage)
    rest(search('fox', '&page[limit]=2&page[offset]=2'), 200, isSecondPage)
    rest(search('fox', '&filter[alias$isNull]=false&sort=code'), 200, ['both', 'near'])
    const next = expect.stringContaining('fullText%5Balias%2Clabel%5D=fox')
    rest(search('fox', '&page[limit]=2'), 200, { links: { next } })
    rule('4.2', 'matches words across fields')
    rest(search('fox & hen'), 200, ['both'])
    rest(search('hen & !fox'), 200, ['none'])
    rule('4.2', 'sends two queries that search once each', { queries: Array(2).fill(/^(?!.*@@.*@@).*@@/s) })
    rest(search('fox', '&page[limit]=1'), 200)
    rule('4.2, 7.1', 'rejects malformed searches with 400')
    for (const words of ['\\', 'fox\\', `${'!'.repeat(200)}fox`, '(((', 'a <-']) rest(search(words), 400)
    rest(search('fox', '&page[after]=&page[size]=2'), 400, /sorting by relevance/)
    for (const [query, detail] of [
      ['fullText[alias]=', /words to search for/],
      ['fullText=fox', /Must name fields/],
      ['fullText[]=fox', /Must name fields/],
      ['fullText[alias][label]=fox', /Must name fields/],
      ['fullText[alias,alias]=fox', /more than once/],
      ['fullText[alias]=fox&fullText[label]=fox', /one search/],
      ['fullText[nope]=fox', /nope/],
      ['fullText[alias,]=fox'],
      ['fullText[alias$search]=fox'],
      ['fullText[alias.label]=fox'],
      ['fullText[alias]=fox%20%26'],
    ] as const)
      rest(`/uniqueonly?${query}`, 400, detail)
    rest('/uniqueonly/near?fullText[alias]=fox', 400)
    rest('/scalars?fullText[int]=1', 400)
    rule('4.3, 7.3', 'rejects a search with an insensitive mode with 400')
    for (const filter of [{ search: 'a' }, { not: { not: { search: 'a' } } }]) {
      const code = { ...filter, mode: 'insensitive' }
      rpc('uniqueOnly.findMany', { where: { code } }, 400, /must not combine "search" with an insensitive "mode"/)
    }
    rule('4.3', 'rejects a sort by relevance without fields with 400')
    const relevance = { fields: [], search: 'fox', sort: 'asc' }
    rpc('uniqueOnly.findMany', { orderBy: { _relevance: relevance } }, 400, /fields must not be empty/)
    rule('4.3', 'accepts a search with the default mode')
    rpc('uniqueOnly.findMany', { where: { code: { search: 'a', mode: 'default' } } }, 200)
  },
  { fixture: 'kitchen-sink', only: ['postgresql'], fill: fillTexts },
)

async function fillPosts(db: Pick<Database, 'orm'>): Promise<void> {
  await fillBlog(db)
  await db.orm.post.createMany({
    data: [
      { slug: 'a', title: 'Foxes', content: 'Of foxes and more foxes', authorId: 1 },
      { slug: 'b', title: 'Hens', content: 'Afraid of foxes, as all of them are, everywhere', authorId: 1 },
      { slug: 'c', title: 'Hens', content: 'Of hens', authorId: 2 },
    ],
  })
  await db.orm.tag.createMany({ data: ['quick brown foxes', 'lazy dogs', 'slow dogs'].map((name) => ({ name })) })
}

describeContract(
  'full-text search on MySQL',
  ({ rule, rest, rpc }) => {
    const prepare = async (db: Database) => {
      await db.execute('ALTER TABLE `Post` ADD FULLTEXT INDEX IF NOT EXISTS `Post_text_idx` (`title`, `content`)')
      await db.execute('ALTER TABLE `Tag` ADD FULLTEXT INDEX IF NOT EXISTS `Tag_name_idx` (`name`)')
    }
    const tags = (search: string) => ({ where: { name: { search } }, orderBy: { name: 'asc' } })
    rule('4.2, 4.3', 'matches any of the indexed fields and sorts by relevance', { prepare })
    rest(`/post?${find('title,content', 'foxes')}`, 200, ['6', '7'])
    rest(`/post?${find('title,content', '+foxes +hens')}`, 200, ['7'])
    rest(`/user/1/posts?${find('title,content', 'hens')}`, 200, ['7'])
    rest(`/post?${find('title,content', 'hens')}&sort=-id&filter[slug]=b,c`, 200, ['8', '7'])
    rpc('tag.findMany', tags('foxes'), 200, [{ name: 'quick brown foxes' }])
    rpc('tag.findMany', tags('+dogs -lazy'), 200, [{ name: 'slow dogs' }])
    rule('4.2, 4.3', 'rejects fields without an index and malformed searches with 400', { prepare })
    rest(`/post?${find('title', 'foxes')}`, 400)
    rest(`/post?${find('title,content', '++(')}`, 400)
    rpc('tag.findMany', tags('+++('), 400)
    rpc('tag.findMany', tags(`${'('.repeat(40)}foxes${')'.repeat(40)}`), 400)
    rpc('category.findMany', tags('a'), 400)
  },
  { only: ['mysql'], fill: fillPosts },
)

describeContract(
  'full-text search without the preview feature',
  ({ rule, rest }) => {
    rule('4.2, 7.1', 'rejects the parameter with 400')
    rest(`/post?${find('title,content', 'fox')}`, 400, 'unsupported-parameter fullText[title,content]')
  },
  { only: ['sqlite', 'postgresql'] },
)
