import { beforeAll, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { ENDPOINT, type RestClient, restClient } from './support/client.js'

describeDatabases('REST: sort, page, include, fields', (db) => {
  let rest: RestClient

  beforeAll(async () => {
    await db.fill(fillBlog)
    rest = restClient(db)
  })

  describe('sort', () => {
    it.each([
      ['post', 'sort=viewCount', ['5', '1', '3', '4', '2']],
      ['post', 'sort=-viewCount', ['2', '3', '4', '1', '5']],
      ['post', 'sort=-viewCount,-title', ['2', '3', '4', '1', '5']],
      ['post', 'sort=-viewCount,title', ['2', '4', '3', '1', '5']],
      ['post', 'sort=-id', ['5', '4', '3', '2', '1']],
      ['comment', 'sort=-id', ['4_1', '1_3', '1_2', '1_1']],
      ['comment', 'sort=-post.title', ['1_1', '1_2', '1_3', '4_1']],
      ['post', 'filter[author][id$gt]=0&sort=-author.name,-id', ['4', '3', '2', '1']],
      ['post', 'filter[category][id$gt]=0&sort=category.id,-viewCount', ['1', '2', '4']],
    ])('/%s?%s', async (type, query, ids) => {
      expect((await rest.get(`/${type}?${query}`)).ids).toEqual(ids)
    })

    it.each([
      'nope',
      'tags',
      'author.posts',
      'tags.name',
      'author.nope',
      'author.password',
      '',
      ',',
      'title,',
      '-',
      'title.x',
      'title,title',
      '__proto__',
    ])('refuses sort=%s with 400', async (value) => {
      const answer = await rest.get(`/post?sort=${value}`)
      expect([answer.status, answer.errors[0]?.source]).toEqual([400, { parameter: 'sort' }])
    })

    it('refuses to sort by what may not be read, with the same words as for what does not exist', async () => {
      const hidden = await rest.get('/user?sort=password')
      expect(hidden.status).toBe(400)
      expect(hidden.text.replaceAll('password', '…')).toBe(
        (await rest.get('/user?sort=passwort')).text.replaceAll('passwort', '…'),
      )
    })

    it.each([
      ['/post?sort=-author,-id', '/post?sort=-authorId,-id'],
      ['/user?sort=-profile,-id', '/user?sort=-profile.id,-id'],
      ['/post?sort=category.parent,-author', '/post?sort=category.parent.id,-author.id'],
      ['/comment?sort=post,-seq', '/comment?sort=postId,-seq'],
    ])('orders by the id of a to-one: %s', async (path, same) => {
      const answer = await rest.get(path)
      expect(answer.status, answer.text).toBe(200)
      expect(answer.ids).toEqual((await rest.get(same)).ids)
    })

    it('says that a to-many is none to order by', async () => {
      expect((await rest.get('/post?sort=comments')).errors[0]?.detail).toContain('leads to many')
    })

    it('is one list where it is given more than once', async () => {
      expect((await rest.get('/post?sort=-viewCount&sort=-id')).ids).toEqual(
        (await rest.get('/post?sort=-viewCount,-id')).ids,
      )
      expect((await rest.get('/post?sort=id&sort=-id')).status).toBe(400)
    })
  })

  describe('page', () => {
    it('has the links of the contract', async () => {
      const { body, ids } = await rest.get('/post?page[offset]=2&page[limit]=2')
      expect(ids).toEqual(['3', '4'])
      expect(body.meta?.total).toBe(5)
      expect(body.links).toEqual({
        self: `${ENDPOINT}/post?page%5Boffset%5D=2&page%5Blimit%5D=2`,
        first: `${ENDPOINT}/post?page%5Blimit%5D=2`,
        last: `${ENDPOINT}/post?page%5Boffset%5D=4`,
        prev: `${ENDPOINT}/post?page%5Boffset%5D=0&page%5Blimit%5D=2`,
        next: `${ENDPOINT}/post?page%5Boffset%5D=4&page%5Blimit%5D=2`,
      })
    })

    it('has no next after the last page, no prev before the first, and a last of offset 0 where there is nothing', async () => {
      const all = await rest.get('/post')
      expect(all.body.links).toMatchObject({ next: null, prev: null, last: `${ENDPOINT}/post?page%5Boffset%5D=0` })
      const none = await rest.get('/post?filter[title]=x')
      expect(none.body).toMatchObject({ data: [], meta: { total: 0 } })
      expect(none.body.links).toMatchObject({
        next: null,
        prev: null,
        last: expect.stringContaining('page%5Boffset%5D=0'),
      })
      const beyond = await rest.get('/post?page[offset]=100&page[limit]=2')
      expect(beyond.ids).toEqual([])
      expect((await rest.follow(beyond.body.links?.['prev'])).ids).toEqual(['5'])
    })

    it('keeps filter, sort, include and fields in its links', async () => {
      const first = await rest.get(
        '/post?filter[author]=1&sort=-viewCount&include=author&fields[post]=title,author&page[limit]=1',
      )
      const second = await rest.follow(first.body.links?.['next'])
      expect(second.ids).toEqual(['3'])
      expect(second.many[0]?.attributes).toEqual({ title: 'Three, or more' })
      expect(second.body.included).toHaveLength(1)
    })

    it('names the limit in last where the default would be too small', async () => {
      const small = restClient(db, { pageSize: 2 })
      const answer = await small.get('/post?page[limit]=4')
      expect(answer.body.links?.['last']).toBe(`${ENDPOINT}/post?page%5Boffset%5D=4&page%5Blimit%5D=4`)
    })

    it('takes number and size as another spelling', async () => {
      expect((await rest.get('/post?page[number]=2&page[size]=2')).ids).toEqual(['3', '4'])
      expect((await rest.get('/post?page[number]=1')).ids).toHaveLength(5)
    })

    it.each([
      'page[limit]=0',
      'page[limit]=-1',
      'page[limit]=abc',
      'page[limit]=1e3',
      'page[limit]=NaN',
      'page[limit]=1.5',
      'page[limit]=',
      'page[limit]=1001',
      'page[limit]=1000000000000',
      'page[offset]=-1',
      'page[offset]=1e12',
      'page[offset]=9007199254740993',
      'page[number]=0',
      'page[foo]=1',
      'page=1',
      'page[limit][x]=1',
      'page[limit]=1&page[limit]=2',
      'page[limit]=1&page[number]=2',
      'page[number]=2000000000&page[size]=1000',
    ])('refuses %s with 400', async (query) => {
      const answer = await rest.get(`/post?${query}`)
      expect(answer.status).toBe(400)
      expect(answer.errors[0]?.source?.parameter).toMatch(/^page/)
    })

    it('takes the largest page size and no larger one', async () => {
      const small = restClient(db, { pageSize: 2, maxPageSize: 3 })
      expect((await small.get('/post')).ids).toHaveLength(2)
      expect((await small.get('/post?page[limit]=3')).ids).toHaveLength(3)
      expect((await small.get('/post?page[limit]=4')).status).toBe(400)
      expect((await small.get('/user/1/posts')).ids).toHaveLength(2)
      expect((await small.get('/user/1/relationships/posts')).ids).toHaveLength(2)
    })

    it('has no pages where pageSize is Infinity', async () => {
      const all = restClient(db, { pageSize: Infinity })
      const answer = await all.get('/post')
      expect(answer.ids).toHaveLength(5)
      expect(answer.body.links).toMatchObject({ next: null, prev: null, first: `${ENDPOINT}/post` })
      expect((await all.get('/post?page[limit]=2')).ids).toEqual(['1', '2'])
    })
  })

  describe('include', () => {
    it('adds related resources, nested ones too, none twice', async () => {
      const answer = await rest.get('/post/1?include=comments.author,author.profile,tags')
      expect(answer.body.included?.map(({ type, id }) => `${type} ${id}`).sort()).toEqual(
        [
          'comment 1_1',
          'comment 1_2',
          'comment 1_3',
          'profile 1',
          'tag a/b %_ü',
          'tag news',
          'user 1',
          'user 2',
          'user 3',
        ].sort(),
      )
      expect(answer.one.relationships?.['comments']?.data).toHaveLength(3)
      const anonymous = answer.body.included?.find(({ id }) => id === '1_3')
      expect(anonymous?.relationships?.['author']?.data).toBeNull()
    })

    it('never repeats primary data', async () => {
      const answer = await rest.get('/category?include=parent.children')
      expect(answer.ids).toEqual(['1', '2', '3'])
      expect(answer.body.included).toEqual([])
      expect(answer.many[0]?.relationships?.['children']?.data).toEqual(
        ['2', '3'].map((id) => ({ type: 'category', id })),
      )
    })

    it('merges paths in any order', async () => {
      const texts = new Set<string>()
      for (const include of ['author,author.posts', 'author.posts,author', 'author.posts']) {
        const { body } = await rest.get(`/post/2?include=${include}`)
        texts.add(JSON.stringify([body.data, body.included]))
      }
      expect(texts.size).toBe(1)
    })

    it('adds what one path shows to what another path showed of the same resource', async () => {
      const answer = await rest.get('/comment/4_1?include=author.profile,post.comments.author')
      const ann = answer.body.included?.filter(({ type, id }) => type === 'user' && id === '1')
      expect(ann).toHaveLength(1)
      expect(ann?.[0]?.relationships?.['profile']?.data).toEqual({ type: 'profile', id: '1' })
    })

    it('is there even if it is empty, and only if it was asked for', async () => {
      expect((await rest.get('/post/5?include=tags')).body.included).toEqual([])
      expect((await rest.get('/post/5?include=')).body.included).toEqual([])
      expect((await rest.get('/post/5')).body.included).toBeUndefined()
    })

    it('works on related resources and on relationships', async () => {
      const related = await rest.get('/user/1/posts?include=tags')
      expect(related.body.included?.map(({ id }) => id).sort()).toEqual(['a/b %_ü', 'news'])
      const one = await rest.get('/post/1/author?include=profile')
      expect(one.body.included).toMatchObject([{ type: 'profile', id: '1' }])
      const linkage = await rest.get('/post/1/relationships/comments?include=comments.author')
      expect(linkage.body.included?.map(({ type }) => type).sort()).toEqual([
        'comment',
        'comment',
        'comment',
        'user',
        'user',
      ])
      const relative = await rest.get('/post/1/relationships/comments?include=author')
      expect(relative.body.included).toEqual(linkage.body.included)
      const toOne = await rest.get('/post/1/relationships/author?include=author')
      expect(toOne.body.included).toMatchObject([{ type: 'user', id: '1' }])
      expect((await rest.get('/post/5/relationships/author?include=author')).body).toMatchObject({
        data: null,
        included: [],
      })
    })

    it.each([
      'nope',
      'tags.nope',
      'title',
      'author.password',
      'author.',
      '.author',
      'author,,tags',
      '__proto__',
      'author.__proto__',
    ])('refuses include=%s with 400', async (include) => {
      for (const path of ['/post', '/post/1', '/user/1/posts', '/post/1/relationships/comments?x']) {
        if (path.includes('?')) continue
        const answer = await rest.get(`${path}?include=${include}`)
        expect([answer.status, answer.errors[0]?.source]).toEqual([400, { parameter: 'include' }])
      }
    })

    it('loads no relation that the answer does not show', async () => {
      const list = await db.queriesOf(() => rest.get('/post'))
      expect(list).toHaveLength(1)
      const included = await db.queriesOf(() => rest.get('/post?include=tags'))
      // The posts, their tags, and which tag belongs to which post.
      expect(included).toHaveLength(3)
      expect(await db.queriesOf(() => rest.get('/post/1'))).toHaveLength(1)
      expect(await db.queriesOf(() => rest.get('/post/1/relationships/author'))).toHaveLength(1)
    })

    it('asks the database for the page of related rows and their number, and for the row only where there are none', async () => {
      const queries = await db.queriesOf(() => rest.get('/user/1/posts?page[offset]=1&page[limit]=1'))
      expect(queries.map((query) => [/LIMIT/.test(query), /COUNT\(/.test(query)])).toContainEqual([true, false])
      expect(queries.filter((query) => /COUNT\(/.test(query))).toHaveLength(1)
      expect(queries).toHaveLength(2)
      const empty = await db.queriesOf(() => rest.get('/user/1/posts?filter[title]=nothing'))
      expect(empty).toHaveLength(2)
    })

    it('hides of related resources what the client extends the queries of their model with', async () => {
      const orm = db.orm.$extends({
        query: {
          post: {
            findMany: ({ args, query }) => query({ ...args, where: { AND: [args.where ?? {}, { title: 'One' }] } }),
          },
        },
      })
      const extended = restClient(db, {}, orm)
      const all = await rest.get('/user/1/posts')
      const shown = await extended.get('/user/1/posts')
      expect(all.many.length).toBeGreaterThan(1)
      expect(shown.many.map(({ attributes }) => attributes?.['title'])).toEqual(['One'])
      expect((await extended.get('/user/1/relationships/posts')).ids).toEqual(shown.ids)
      expect(shown.body.meta).toMatchObject({ total: 1 })
    })
  })

  describe('fields', () => {
    it('leaves only what it names, in primary and included resources', async () => {
      const answer = await rest.get('/post/1?include=author&fields[post]=title,author&fields[user]=name')
      expect(answer.one.attributes).toEqual({ title: 'One' })
      expect(Object.keys(answer.one.relationships ?? {})).toEqual(['author'])
      expect(answer.body.included).toMatchObject([{ type: 'user', attributes: { name: 'Ann' } }])
      expect(answer.body.included?.[0]?.relationships).toBeUndefined()
    })

    it('is one list where it is given more than once, as include is', async () => {
      const query = (parts: string) => rest.get(`/post/1?${parts}`)
      const answer = await query('include=author&include=tags&fields[post]=title&fields[post]=tags')
      const same = await query('include=author,tags&fields[post]=title,tags')
      expect(answer.one.attributes).toEqual({ title: 'One' })
      expect(answer.body.included).toEqual(same.body.included)
      const links = (await rest.get('/post?include=author&include=tags&page[limit]=1')).body.links
      expect((await rest.follow(links?.['next'])).body.included).toBeDefined()
      const repeated = await rest.get('/post?page[limit]=1&page[limit]=2')
      expect([repeated.status, repeated.errors[0]?.source?.parameter]).toEqual([400, 'page[limit]'])
    })

    it('leaves type and id where it is empty', async () => {
      const answer = await rest.get('/post/1?fields[post]=')
      expect(answer.one).toEqual({ type: 'post', id: '1', links: { self: `${ENDPOINT}/post/1` } })
      expect(answer.body.meta).toBeUndefined()
    })

    it('includes what a fieldset leaves out of the relationships', async () => {
      const answer = await rest.get('/post/1?include=author&fields[post]=title')
      expect(answer.one.relationships).toBeUndefined()
      expect(answer.body.included).toMatchObject([{ type: 'user', id: '1' }])
    })

    it('narrows what the database is asked for', async () => {
      const [query] = await db.queriesOf(() => rest.get('/post/1?fields[post]=title'))
      expect(query).toMatch(/title/)
      expect(query).not.toMatch(/content/)
    })

    it.each([
      'fields[post]=nope',
      'fields[nope]=x',
      'fields=title',
      'fields[user]=password',
      'fields[post][x]=title',
      'fields[]=a',
      'fields[__proto__]=a',
      'fields[post]=title,',
      'fields[post]=title&fields[post]=nope',
    ])('refuses %s with 400', async (query) => {
      const answer = await rest.get(`/post?${query}`)
      expect([answer.status, answer.errors[0]?.source?.parameter]).toEqual([400, query.slice(0, query.indexOf('='))])
    })
  })
})
