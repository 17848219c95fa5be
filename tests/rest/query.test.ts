import { beforeAll, describe, expect, it } from 'vitest'

import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { ENDPOINT, type RestClient, restClient } from './support/client.js'

describeDatabases('REST: sort, page, include and fields', (db) => {
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
    ])('/%s?%s: returns the sorted rows', async (type, query, ids) => {
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
    ])('sort=%s: rejects the parameter with 400', async (value) => {
      const response = await rest.get(`/post?sort=${value}`)
      expect([response.status, response.errors[0]?.source]).toEqual([400, { parameter: 'sort' }])
    })

    it('rejects a write-only field exactly like an unknown field', async () => {
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
    ])('%s: sorts by the id of a to-one relation', async (path, same) => {
      const response = await rest.get(path)
      expect(response.status, response.text).toBe(200)
      expect(response.ids).toEqual((await rest.get(same)).ids)
    })

    it('reports that a to-many relation cannot be sorted by', async () => {
      expect((await rest.get('/post?sort=comments')).errors[0]?.detail).toContain('to-many relationship')
    })

    it('merges repeated parameters', async () => {
      expect((await rest.get('/post?sort=-viewCount&sort=-id')).ids).toEqual(
        (await rest.get('/post?sort=-viewCount,-id')).ids,
      )
      expect((await rest.get('/post?sort=id&sort=-id')).status).toBe(400)
    })
  })

  describe('page', () => {
    it('returns pagination links and the total', async () => {
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

    it('returns null for next and prev at the ends and without rows', async () => {
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

    it('keeps filter, sort, include and fields in pagination links', async () => {
      const first = await rest.get(
        '/post?filter[author]=1&sort=-viewCount&include=author&fields[post]=title,author&page[limit]=1',
      )
      const second = await rest.follow(first.body.links?.['next'])
      expect(second.ids).toEqual(['3'])
      expect(second.many[0]?.attributes).toEqual({ title: 'Three, or more' })
      expect(second.body.included).toHaveLength(1)
    })

    it('includes the limit in the last link if it exceeds the default', async () => {
      const small = restClient(db, { pageSize: 2 })
      const response = await small.get('/post?page[limit]=4')
      expect(response.body.links?.['last']).toBe(`${ENDPOINT}/post?page%5Boffset%5D=4&page%5Blimit%5D=4`)
    })

    it('accepts page[number] and page[size]', async () => {
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
    ])('%s: rejects the parameter with 400', async (query) => {
      const response = await rest.get(`/post?${query}`)
      expect(response.status).toBe(400)
      expect(response.errors[0]?.source?.parameter).toMatch(/^page/)
    })

    it('rejects a limit over maxPageSize with 400', async () => {
      const small = restClient(db, { pageSize: 2, maxPageSize: 3 })
      expect((await small.get('/post')).ids).toHaveLength(2)
      expect((await small.get('/post?page[limit]=3')).ids).toHaveLength(3)
      expect((await small.get('/post?page[limit]=4')).status).toBe(400)
      expect((await small.get('/user/1/posts')).ids).toHaveLength(2)
      expect((await small.get('/user/1/relationships/posts')).ids).toHaveLength(2)
    })

    it('returns all rows if pageSize is Infinity', async () => {
      const all = restClient(db, { pageSize: Infinity })
      const response = await all.get('/post')
      expect(response.ids).toHaveLength(5)
      expect(response.body.links).toMatchObject({ next: null, prev: null, first: `${ENDPOINT}/post` })
      expect((await all.get('/post?page[limit]=2')).ids).toEqual(['1', '2'])
    })
  })

  describe('include', () => {
    it('returns nested related resources without duplicates', async () => {
      const response = await rest.get('/post/1?include=comments.author,author.profile,tags')
      expect(response.body.included?.map(({ type, id }) => `${type} ${id}`).sort()).toEqual(
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
      expect(response.one.relationships?.['comments']?.data).toHaveLength(3)
      const anonymous = response.body.included?.find(({ id }) => id === '1_3')
      expect(anonymous?.relationships?.['author']?.data).toBeNull()
    })

    it('does not repeat primary data', async () => {
      const response = await rest.get('/category?include=parent.children')
      expect(response.ids).toEqual(['1', '2', '3'])
      expect(response.body.included).toEqual([])
      expect(response.many[0]?.relationships?.['children']?.data).toEqual(
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

    it('merges the linkage of a resource that several paths include', async () => {
      const response = await rest.get('/comment/4_1?include=author.profile,post.comments.author')
      const ann = response.body.included?.filter(({ type, id }) => type === 'user' && id === '1')
      expect(ann).toHaveLength(1)
      expect(ann?.[0]?.relationships?.['profile']?.data).toEqual({ type: 'profile', id: '1' })
    })

    it('returns an empty `included` only if the parameter is set', async () => {
      expect((await rest.get('/post/5?include=tags')).body.included).toEqual([])
      expect((await rest.get('/post/5?include=')).body.included).toEqual([])
      expect((await rest.get('/post/5')).body.included).toBeUndefined()
    })

    it('applies to related resources and relationships', async () => {
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
    ])('include=%s: rejects the parameter with 400', async (include) => {
      for (const path of ['/post', '/post/1', '/user/1/posts', '/post/1/relationships/comments?x']) {
        if (path.includes('?')) continue
        const response = await rest.get(`${path}?include=${include}`)
        expect([response.status, response.errors[0]?.source]).toEqual([400, { parameter: 'include' }])
      }
    })

    it('loads only the requested relations', async () => {
      const list = await db.queriesOf(() => rest.get('/post'))
      expect(list).toHaveLength(1)
      const included = await db.queriesOf(() => rest.get('/post?include=tags'))
      // One query each for the posts, their tags, and the join table.
      expect(included).toHaveLength(3)
      expect(await db.queriesOf(() => rest.get('/post/1'))).toHaveLength(1)
      expect(await db.queriesOf(() => rest.get('/post/1/relationships/author'))).toHaveLength(1)
    })

    it('sends two queries for a page of related rows and their total', async () => {
      const queries = await db.queriesOf(() => rest.get('/user/1/posts?page[offset]=1&page[limit]=1'))
      expect(queries.map((query) => [/LIMIT/.test(query), /COUNT\(/.test(query)])).toContainEqual([true, false])
      expect(queries.filter((query) => /COUNT\(/.test(query))).toHaveLength(1)
      expect(queries).toHaveLength(2)
      const empty = await db.queriesOf(() => rest.get('/user/1/posts?filter[title]=nothing'))
      expect(empty).toHaveLength(2)
    })

    it('applies query extensions of the related model', async () => {
      const orm = db.orm.$extends({
        query: {
          post: {
            findMany: ({ args, query }) => query({ ...args, where: { AND: [args.where ?? {}, { title: 'One' }] } }),
          },
        },
      })
      const extended = restClient(db, {}, orm)
      const all = await rest.get('/user/1/posts')
      const visible = await extended.get('/user/1/posts')
      expect(all.many.length).toBeGreaterThan(1)
      expect(visible.many.map(({ attributes }) => attributes?.['title'])).toEqual(['One'])
      expect((await extended.get('/user/1/relationships/posts')).ids).toEqual(visible.ids)
      expect(visible.body.meta).toMatchObject({ total: 1 })
    })
  })

  describe('fields', () => {
    it('limits the fields of primary and included resources', async () => {
      const response = await rest.get('/post/1?include=author&fields[post]=title,author&fields[user]=name')
      expect(response.one.attributes).toEqual({ title: 'One' })
      expect(Object.keys(response.one.relationships ?? {})).toEqual(['author'])
      expect(response.body.included).toMatchObject([{ type: 'user', attributes: { name: 'Ann' } }])
      expect(response.body.included?.[0]?.relationships).toBeUndefined()
    })

    it('merges repeated parameters, as include does', async () => {
      const query = (parts: string) => rest.get(`/post/1?${parts}`)
      const response = await query('include=author&include=tags&fields[post]=title&fields[post]=tags')
      const same = await query('include=author,tags&fields[post]=title,tags')
      expect(response.one.attributes).toEqual({ title: 'One' })
      expect(response.body.included).toEqual(same.body.included)
      const links = (await rest.get('/post?include=author&include=tags&page[limit]=1')).body.links
      expect((await rest.follow(links?.['next'])).body.included).toBeDefined()
      const repeated = await rest.get('/post?page[limit]=1&page[limit]=2')
      expect([repeated.status, repeated.errors[0]?.source?.parameter]).toEqual([400, 'page[limit]'])
    })

    it('returns only type, id and links for an empty fieldset', async () => {
      const response = await rest.get('/post/1?fields[post]=')
      expect(response.one).toEqual({ type: 'post', id: '1', links: { self: `${ENDPOINT}/post/1` } })
      expect(response.body.meta).toBeUndefined()
    })

    it('includes resources whose relationship the fieldset omits', async () => {
      const response = await rest.get('/post/1?include=author&fields[post]=title')
      expect(response.one.relationships).toBeUndefined()
      expect(response.body.included).toMatchObject([{ type: 'user', id: '1' }])
    })

    it('selects only the requested columns', async () => {
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
    ])('%s: rejects the parameter with 400', async (query) => {
      const response = await rest.get(`/post?${query}`)
      expect([response.status, response.errors[0]?.source?.parameter]).toEqual([
        400,
        query.slice(0, query.indexOf('=')),
      ])
    })
  })
})
