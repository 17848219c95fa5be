import { expect } from 'vitest'

import type { Database } from '../support/databases.js'
import { ENDPOINT, type TestResponse } from '../rest/support/client.js'
import { describeContract } from './describe-contract.js'
import { same } from './same.js'

/** Returns the link of a query of posts. */
const link = (query: string) => `${ENDPOINT}/post?${query.replaceAll('[', '%5B').replaceAll(']', '%5D')}`
const hasLinks = (expected: object) => (response: TestResponse) => expect(response.body.links).toEqual(expected)
const count = (length: number) => (response: TestResponse) => expect(response.ids).toHaveLength(length)
/** Expects the type and id of each included resource, in any order. */
const includes =
  (...expected: readonly string[]) =>
  ({ body: { included } }: TestResponse) =>
    expect(included?.map(({ type, id }) => `${type} ${id}`).sort()).toEqual([...expected].sort())
const one = (type: string, id: string) => ({ data: { type, id } })
const related = (name: string, data: unknown) => ({ relationships: { [name]: { data } } })

describeContract('queries', ({ rule, rest }) => {
  /** Adds requests with the same response, except for links. */
  const sameFor = (first: string, ...others: readonly string[]) => {
    const [remembers, isSame] = same(({ body: { data, included } }: TestResponse) => ({ data, included }))
    rest(first, 200, remembers)
    rest(others, 200, isSame)
  }

  rule('4.2', 'sorts by fields, ids and fields of to-one relations')
  rest('/post?sort=viewCount', 200, ['5', '1', '3', '4', '2'])
  rest('/post?sort=-viewCount', 200, ['2', '3', '4', '1', '5'])
  rest('/post?sort=-viewCount,-title', 200, ['2', '3', '4', '1', '5'])
  rest('/post?sort=-viewCount,title', 200, ['2', '4', '3', '1', '5'])
  rest('/post?sort=-id', 200, ['5', '4', '3', '2', '1'])
  rest('/comment?sort=-id', 200, ['4_1', '1_3', '1_2', '1_1'])
  rest('/comment?sort=-post.title', 200, ['1_1', '1_2', '1_3', '4_1'])
  rest('/post?filter[author][id$gt]=0&sort=-author.name,-id', 200, ['4', '3', '2', '1'])
  rest('/post?filter[category][id$gt]=0&sort=category.id,-viewCount', 200, ['1', '2', '4'])
  rule('4.2', 'sorts by the id of a to-one relation')
  sameFor('/post?sort=-author,-id', '/post?sort=-authorId,-id')
  sameFor('/user?sort=-profile,-id', '/user?sort=-profile.id,-id')
  sameFor('/post?sort=category.parent,-author', '/post?sort=category.parent.id,-author.id')
  sameFor('/comment?sort=post,-seq', '/comment?sort=postId,-seq')

  rule('4.2', 'merges repeated parameters')
  sameFor('/post?sort=-viewCount&sort=-id', '/post?sort=-viewCount,-id')
  const repeated = 'include=author&include=tags&fields[post]=title&fields[post]=tags'
  sameFor(`/post/1?${repeated}`, '/post/1?include=author,tags&fields[post]=title,tags')
  const isTitle = ({ one }: TestResponse) => expect(one.attributes).toEqual({ title: 'One' })
  rest(`/post/1?${repeated}`, 200, isTitle)

  rule('2.3, 4.2', 'returns a page with pagination links and the total')
  rest('/post?page[offset]=2&page[limit]=2', 200, { data: [{ id: '3' }, { id: '4' }], meta: { total: 5 } })
  const links = {
    self: link('page[offset]=2&page[limit]=2'),
    first: link('page[limit]=2'),
    last: link('page[offset]=4'),
    prev: link('page[offset]=0&page[limit]=2'),
    next: link('page[offset]=4&page[limit]=2'),
  }
  rest('/post?page[offset]=2&page[limit]=2', 200, hasLinks(links))
  rule('2.3', 'returns null for next and prev at the ends and without rows')
  const ends = { next: null, prev: null }
  rest('/post', 200, { links: { ...ends, last: link('page[offset]=0') } })
  const last: unknown = expect.stringContaining('page%5Boffset%5D=0')
  rest('/post?filter[title]=x', 200, { data: [], meta: { total: 0 }, links: { ...ends, last } })
  rest('/post?page[offset]=100&page[limit]=2', 200, { data: [], links: { prev: link('page[offset]=4&page[limit]=2') } })
  rest('/post?page[offset]=4&page[limit]=2', 200, ['5'])
  rule('4.2', 'keeps filter, sort, include and fields in pagination links')
  const query = 'filter[author]=1&sort=-viewCount&include=author&include=tags&fields[post]=title,author'
  const next = link(`${query.replaceAll(',', '%2C')}&page[offset]=1&page[limit]=1`)
  rest(`/post?${query}&page[limit]=1`, 200, { links: { next } })
  const third = { data: [{ id: '3', attributes: { title: 'Three, or more' } }], included: [{ type: 'user', id: '1' }] }
  rest(next.slice(ENDPOINT.length), 200, third)
  rule('4.2', 'accepts page[number] and page[size]')
  rest('/post?page[number]=2&page[size]=2', 200, ['3', '4'])
  rest('/post?page[number]=1', 200, count(5))

  rule('2.1, 8', 'limits pages to pageSize and maxPageSize', { options: { pageSize: 2, maxPageSize: 3 } })
  rest(['/post', '/user/1/posts', '/user/1/relationships/posts'], 200, count(2))
  rest('/post?page[limit]=3', 200, count(3))
  rest('/post?page[limit]=4', 400)
  rule('2.3', 'includes the limit in the last link if it exceeds the default', { options: { pageSize: 2 } })
  rest('/post?page[limit]=4', 200, { links: { last: link('page[offset]=4&page[limit]=4') } })
  rule('2.1, 8', 'returns all rows if pageSize is Infinity', { options: { pageSize: Infinity } })
  rest('/post', 200, ['1', '2', '3', '4', '5'])
  rest('/post', 200, { links: { ...ends, first: `${ENDPOINT}/post` } })
  rest('/post?page[limit]=2', 200, ['1', '2'])

  rule('4.2', 'includes nested related resources without duplicates')
  const comments = ['comment 1_1', 'comment 1_2', 'comment 1_3']
  const tags = ['tag a/b %_ü', 'tag news']
  const nested = '/post/1?include=comments.author,author.profile,tags'
  rest(nested, 200, includes(...comments, ...tags, 'profile 1', 'user 1', 'user 2', 'user 3'))
  const linkage = ['1_1', '1_2', '1_3'].map((id) => ({ type: 'comment', id }))
  rest(nested, 200, { data: related('comments', linkage) })
  const isAnonymous = ({ body: { included } }: TestResponse) =>
    expect(included?.find(({ id }) => id === '1_3')).toMatchObject(related('author', null))
  rest(nested, 200, isAnonymous)
  rule('4.2', 'does not repeat primary data')
  const children = ['2', '3'].map((id) => ({ type: 'category', id }))
  const categories = [{ id: '1', ...related('children', children) }, { id: '2' }, { id: '3' }]
  rest('/category?include=parent.children', 200, { data: categories, included: [] })
  rule('4.2', 'merges paths in any order')
  const merged = ['author,author.posts', 'author.posts,author'].map((path) => `/post/2?include=${path}`)
  sameFor('/post/2?include=author.posts', ...merged)
  rule('4.2', 'merges the linkage of a resource that several paths include')
  const isAnn = ({ body: { included } }: TestResponse) => {
    const users = included?.filter(({ type, id }) => type === 'user' && id === '1')
    expect(users).toMatchObject([related('profile', one('profile', '1').data)])
  }
  rest('/comment/4_1?include=author.profile,post.comments.author', 200, isAnn)
  rule('2.3', 'returns an empty `included` only if the parameter is set')
  const lacksIncluded = ({ body }: TestResponse) => expect(body).not.toHaveProperty('included')
  rest(['/post/5?include=tags', '/post/5?include='], 200, includes())
  rest('/post/5', 200, lacksIncluded)
  rule('4.1, 4.2', 'includes resources related to related resources and relationships')
  rest('/user/1/posts?include=tags', 200, includes(...tags))
  rest('/post/1/author?include=profile', 200, includes('profile 1'))
  const authors = includes(...comments, 'user 2', 'user 3')
  rest('/post/1/relationships/comments?include=author', 200, authors)
  const linked = '/post/1/relationships/comments?include='
  sameFor(`${linked}comments.author`, `${linked}author`)
  rest('/post/1/relationships/author?include=author', 200, includes('user 1'))
  rest('/post/5/relationships/author?include=author', 200, { data: null, included: [] })

  rule('4.1', 'sends one query without include', { queries: 1 })
  rest(['/post', '/post/1', '/post/1/relationships/author'], 200)
  rule('4.1', 'sends one query each for rows, their related rows and the join table', { queries: 3 })
  rest('/post?include=tags', 200)
  rule('4.1', 'sends one query for a page of related rows and one for their total', {
    queries: [/^(?!.*COUNT\().*LIMIT/s, /COUNT\(/],
  })
  rest('/user/1/posts?page[offset]=1&page[limit]=1', 200)
  rule('4.1', 'sends two queries for a page of related rows without rows', { queries: 2 })
  rest('/user/1/posts?filter[title]=nothing', 200)

  rule('2.3, 4.2', 'limits the fields of primary and included resources')
  const isSparse = ({ one: { attributes, relationships }, body: { included } }: TestResponse) => {
    expect([attributes, Object.keys(relationships ?? {})]).toEqual([{ title: 'One' }, ['author']])
    expect(included).toMatchObject([{ type: 'user', attributes: { name: 'Ann' } }])
    expect(included?.[0]).not.toHaveProperty('relationships')
  }
  rest('/post/1?include=author&fields[post]=title,author&fields[user]=name', 200, isSparse)
  const isEmpty = ({ one, body }: TestResponse) => {
    expect(one).toEqual({ type: 'post', id: '1', links: { self: `${ENDPOINT}/post/1` } })
    expect(body).not.toHaveProperty('meta')
  }
  rest('/post/1?fields[post]=', 200, isEmpty)
  const hasAuthorOnly = ({ one, body }: TestResponse) => {
    expect(one).not.toHaveProperty('relationships')
    expect(body.included).toMatchObject([{ type: 'user', id: '1' }])
  }
  rest('/post/1?include=author&fields[post]=title', 200, hasAuthorOnly)
  rule('4.2', 'selects only the requested columns', { queries: [/^(?=.*title)(?!.*content)/s] })
  rest('/post/1?fields[post]=title', 200)

  rule('4.1', 'applies query extensions of the related model', {
    orm: ({ orm }: Database) =>
      orm.$extends({
        query: {
          post: {
            findMany: ({ args, query }) => query({ ...args, where: { AND: [args.where ?? {}, { title: 'One' }] } }),
          },
        },
      }),
  })
  rest(['/user/1/posts', '/user/1/relationships/posts'], 200, ['1'])
  rest('/user/1/posts', 200, { data: [{ attributes: { title: 'One' } }], meta: { total: 1 } })
})
