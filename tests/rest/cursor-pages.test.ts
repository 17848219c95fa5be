import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'

import { type Database, describeDatabases } from '../support/databases.js'
import { runs } from '../support/form.js'
import { type TestResponse, ENDPOINT, MEDIA_TYPE, type RestClient, restClient } from './support/client.js'
import type { ResourceObject } from './support/documents.js'

const PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'
const ACCEPT = { Accept: `${MEDIA_TYPE}; profile="${PROFILE}"` }
const POSTS = 23

describeDatabases('REST: cursor pagination', (db) => {
  let rest: RestClient

  beforeAll(async () => {
    await db.reset()
    await fill(db)
    rest = restClient(db)
  })

  describe('traversal', () => {
    const FIELDS = ['id', '-id', 'title', 'viewCount', '-viewCount', 'publishedAt', '-publishedAt', 'updatedAt']
    const NULLABLE = ['content', '-content', 'author.name', '-author.name', 'author', '-author.profile.bio']
    const PATHS = ['category.parent.name', '-category.adPrice', 'category.readers', 'author.createdAt']
    const SORTS = fc.constantFrom(...FIELDS, ...NULLABLE, ...PATHS)
    const FILTERS = ['', 'filter[viewCount$gte]=2&', 'filter[author][id$gt]=1&']
    const OTHERS = ['fields[post]=slug&', 'include=author,category&']

    it('returns each row once, in the order of offset pages, in both directions', async () => {
      const sorts = fc.uniqueArray(SORTS, { maxLength: 3, selector: (sort) => sort.replace('-', '') })
      const more = fc.constantFrom(...FILTERS, ...OTHERS)
      const way = fc.constantFrom(['after', 'next'] as const, ['before', 'prev'] as const)
      const size = fc.integer({ min: 1, max: 7 })
      await fc.assert(
        fc.asyncProperty(sorts, more, size, way, async (by, other, limit, [side, link]) => {
          const query = `${other}${by.length > 0 ? `sort=${by.join(',')}&` : ''}`
          const whole = await rest.get(`/post?${query}page[limit]=100`)
          expect(whole.status, whole.text).toBe(200)
          const begin = await rest.get(`/post?${query}page[${side}]=&page[size]=${limit}`)
          expect(await walked(begin, link)).toEqual(whole.ids)
        }),
        { numRuns: runs(100) },
      )
    })

    it('paginates related resources and relationship linkage', async () => {
      for (const path of ['/user/1/posts', '/user/1/relationships/posts', '/tag/even/posts']) {
        const whole = await rest.get(`${path}?sort=-viewCount&page[limit]=100`)
        expect(whole.ids.length).toBeGreaterThan(3)
        const begin = await rest.get(`${path}?sort=-viewCount&page[size]=2`, ACCEPT)
        expect(await walked(begin, 'next')).toEqual(whole.ids)
      }
      expect((await rest.get('/user/99/posts?page[after]=')).status).toBe(404)
    })

    it('neither skips nor repeats rows if others are deleted or inserted between pages', async () => {
      const first = await rest.get('/comment?sort=-createdAt&page[after]=&page[size]=2')
      const deletedId = first.ids.at(-1) ?? ''
      const before = (await rest.get('/comment?sort=-createdAt&page[limit]=100')).ids
      expect((await rest.delete(`/comment/${deletedId}`)).status).toBe(204)
      const attributes = { postId: 1, seq: 900, body: 'New', createdAt: '2030-01-01T00:00:00Z' }
      const created = await rest.post('/comment', { data: { type: 'comment', attributes } })
      expect(created.status, created.text).toBe(201)
      const second = await rest.follow(first.body.links?.['next'])
      expect(await walked(second, 'next')).toEqual(before.slice(2))
      await rest.delete('/comment/1_900')
    })
  })

  describe('response', () => {
    it('includes the profile, the cursor of each item and pagination links', async () => {
      const response = await rest.get('/post?sort=title&page[size]=2&fields[post]=title', ACCEPT)
      expect(response.headers.get('Content-Type')).toBe(`${MEDIA_TYPE};profile="${PROFILE}"`)
      const cursors = response.many.map(cursorOf)
      const page = (way: string, cursor: string | undefined) =>
        `${ENDPOINT}/post?sort=title&fields%5Bpost%5D=title&page%5B${way}%5D=${cursor}&page%5Bsize%5D=2`
      expect(response.body.links).toEqual({
        self: `${ENDPOINT}/post?sort=title&page%5Bsize%5D=2&fields%5Bpost%5D=title`,
        first: page('after', ''),
        last: page('before', ''),
        prev: null,
        next: page('after', cursors[1]),
      })
      expect(response.body.meta).toBeUndefined()
      const around = await rest.get(`/post?sort=title&page[after]=${cursors[0]}&page[size]=1`)
      expect(around.ids).toEqual([response.ids[1]])
      const end = await rest.follow(response.body.links?.['last'])
      expect([end.ids.length, end.body.links?.['next']]).toEqual([2, null])
    })

    it('includes the total for page[total]=exact', async () => {
      const response = await rest.get('/post?page[after]=&page[size]=2&page[total]=exact&filter[viewCount$gte]=3')
      const { total } = (await rest.get('/post?filter[viewCount$gte]=3')).body.meta ?? {}
      expect(response.body.meta?.page).toEqual({ total })
      expect((await rest.follow(response.body.links?.['next'])).body.meta?.page).toEqual({ total })
    })

    it('returns a range between two cursors and reports whether it is truncated', async () => {
      const all = await rest.get('/post?page[after]=&page[size]=10')
      const between = (after: number, before: number, more = '') => {
        const [from, to] = [after, before].map((at) => cursorOf(all.many[at]))
        return rest.get(`/post?page[after]=${from}&page[before]=${to}${more}`)
      }
      const range = await between(1, 5)
      expect([range.ids, range.body.meta?.page]).toEqual([all.ids.slice(2, 5), undefined])
      const cut = await between(1, 5, '&page[size]=2')
      expect([cut.ids, cut.body.meta?.page]).toEqual([all.ids.slice(2, 4), { rangeTruncated: true }])
      const none = await between(1, 2)
      expect(none.ids).toEqual([])
      expect((await rest.follow(none.body.links?.['next'])).ids[0]).toBe(all.ids[2])
      expect((await rest.follow(none.body.links?.['prev'])).ids.at(-1)).toBe(all.ids[1])
    })

    it('links from a page after the end to the last row', async () => {
      const last = await rest.get('/post?sort=viewCount&page[before]=&page[size]=1')
      const empty = await rest.get(`/post?sort=viewCount&page[after]=${cursorOf(last.many[0])}`)
      expect([empty.ids, empty.body.links?.['next']]).toEqual([[], null])
      expect((await rest.follow(empty.body.links?.['prev'])).ids.at(-1)).toBe(last.ids[0])
    })

    it('uses cursors by default if `pagination` is "cursor"', async () => {
      const handler = restClient(db, { pagination: 'cursor', pageSize: 3 })
      expect((await handler.get('/post')).body.links?.['next']).toContain('page%5Bafter%5D=')
      expect((await handler.get('/post?page[offset]=3')).body.links?.['next']).toContain('page%5Boffset%5D=6')
      expect(() => restClient(db, { pagination: 'pages' as never })).toThrow('pagination must be "offset" or "cursor".')
    })
  })

  describe('invalid input', () => {
    it.each(['x', 'bnVsbA', 'W10', 'W251bGxd', '%00', 'a'.repeat(4000), 'eyJhIjoxfQ', '..', 'WyIiLDAsImEiXQ'])(
      'rejects the cursor with 400: %s',
      async (cursor) => void (await expectRejected(`/post?page[after]=${cursor}`, 'page[after]')),
    )

    it('rejects a cursor of another sort, filter or type with 400', async () => {
      const cursor = cursorOf((await rest.get('/post?sort=title&page[after]=&page[size]=1')).many[0])
      for (const path of ['/post?', '/post?sort=-title&', '/post?sort=title&filter[id]=1&', '/user?'])
        await expectRejected(`${path}page[before]=${cursor}`, 'page[before]')
    })

    it('rejects a forged cursor with invalid values with 400', async () => {
      const cursor = cursorOf((await rest.get('/post?sort=viewCount&page[after]=&page[size]=1')).many[0]) ?? ''
      const [list, inclusive] = JSON.parse(atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))) as [string, number]
      for (const values of [['1', 1], [{ gt: 0 }, 1], [1.5, 1], [null, 1], [1], [1, 1, 1], [1e99, 1], [[1], 1]]) {
        const forged = btoa(JSON.stringify([list, inclusive, ...values])).replace(/=+$/, '')
        expect((await rest.get(`/post?sort=viewCount&page[after]=${forged}`)).status, String(values)).toBe(400)
      }
    })

    it('rejects an oversized page with the error type of the profile', async () => {
      const { errors } = await rest.get('/post?page[after]=&page[size]=5000')
      expect(errors[0]).toMatchObject({
        source: { parameter: 'page[size]' },
        links: { type: `${PROFILE}/max-size-exceeded` },
        meta: { page: { maxSize: 1000 } },
      })
    })

    it.each(['https', 'http'])('%s: accepts the profile URL with and without a trailing slash', async (scheme) => {
      for (const url of [PROFILE, `${PROFILE}/`]) {
        const Accept = `application/vnd.api+json;profile="${url.replace('https', scheme)}"`
        const { body } = await rest.get('/post?page[size]=2', { Accept })
        expect([body.data].flat()[0]).toMatchObject({ meta: { page: { cursor: expect.any(String) } } })
      }
    })

    it('rejects a cursor for a sort through too many relations with 400', async () => {
      const through = 'author.name,-author.email,author.createdAt,category.name,-category.adPrice,category.readers'
      expect((await rest.get('/post?sort=author.name&page[after]=&page[size]=2')).status).toBe(200)
      const first = await rest.get(`/post?sort=${through}&page[after]=`)
      expect(first.status).toBe(200)
      const cursor = cursorOf(first.many[0])
      for (const query of [`page[after]=${cursor}`, `page[after]=${cursor}&page[before]=${cursor}`])
        await expectRejected(`/post?sort=${through}&${query}`, 'sort', 'limit-exceeded')
    })

    it('rejects a sort that cursors do not support with 400', async () => {
      const { links } = (await expectRejected('/post?sort=status&page[after]=', 'sort')) ?? {}
      expect(links).toEqual({ type: `${PROFILE}/unsupported-sort` })
    })

    const MIXED = ['page[after]=&page[offset]=1', 'page[before]=&page[limit]=1', 'page[after]=&page[number]=1']
    const TOTALS = ['page[total]=all', 'page[total]=estimated', 'page[total]=']
    it.each([...MIXED, ...TOTALS, 'page[after]=&page[size]=0', 'page[after]=&page[after]='])(
      '%s: rejects the query with 400',
      async (query) => {
        expect((await rest.get(`/post?${query}`)).status).toBe(400)
      },
    )
  })

  describe('page[total]=none', () => {
    it('omits the total and the last link', async () => {
      const first = await rest.get('/post?sort=title&page[limit]=10&page[total]=none')
      expect(first.body.meta).not.toHaveProperty('total')
      expect(first.body.links).toMatchObject({
        last: null,
        next: `${ENDPOINT}/post?sort=title&page%5Btotal%5D=none&page%5Boffset%5D=10&page%5Blimit%5D=10`,
      })
      expect(await walked(first, 'next')).toEqual((await rest.get('/post?sort=title&page[limit]=100')).ids)
      expect((await rest.get('/post?page[limit]=23&page[total]=none')).body.links?.['next']).toBeNull()
    })

    it('is the default if the option `total` is "none"', async () => {
      const handler = restClient(db, { total: 'none' })
      expect((await handler.get('/user/1/posts')).body.meta).not.toHaveProperty('total')
      expect((await handler.get('/user/1/posts?page[total]=exact')).body.meta).toHaveProperty('total')
    })
  })

  async function expectRejected(path: string, parameter: string, code: unknown = expect.any(String)) {
    const { status, errors } = await rest.get(path)
    expect([status, errors[0]?.code, errors[0]?.source]).toEqual([400, code, { parameter }])
    return errors[0]
  }

  /** Returns the ids of all pages, in the order of the list. */
  async function walked(begin: TestResponse, way: 'next' | 'prev'): Promise<readonly string[]> {
    const ids: string[][] = []
    for (let page = begin; ;) {
      expect(page.status, page.text).toBe(200)
      ids.push([...page.ids])
      const link = page.body.links?.[way]
      if (typeof link !== 'string' || ids.length > POSTS + 2) break
      page = await rest.follow(link)
    }
    return (way === 'next' ? ids : ids.toReversed()).flat()
  }
})

function cursorOf(resource: ResourceObject | undefined): string | undefined {
  return resource?.meta?.page?.cursor
}

/** Creates rows with equal and missing values in every field that they can be sorted by. */
async function fill(db: Database): Promise<void> {
  const { orm } = db
  for (const [index, name] of [null, 'Ann', 'Ann', 'Bob'].entries()) {
    const createdAt = new Date(Date.UTC(2024, 0, 1 + (index % 2), 0, 0, 0, 123))
    await orm.user.create({ data: { email: `${index}@example.com`, name, password: 'secret-1', createdAt } })
  }
  await orm.profile.create({ data: { userId: 2, bio: 'Writes' } })
  await orm.profile.create({ data: { userId: 3 } })
  await orm.category.create({ data: { name: 'Root', readers: 2n ** 60n } })
  await orm.category.create({ data: { name: 'Leaf', parentId: 1, adPrice: '10.25' } })
  await orm.tag.create({ data: { name: 'even' } })
  for (let index = 0; index < POSTS; index++) {
    await orm.post.create({
      data: {
        slug: `post-${index}`,
        title: `Title ${index % 5}`,
        content: index % 3 === 0 ? null : `Text ${index % 4}`,
        viewCount: index % 4,
        publishedAt: index % 4 === 1 ? null : new Date(Date.UTC(2024, 0, 1 + (index % 3), 0, 0, 0, 7)),
        author: index % 5 === 4 ? {} : { connect: { id: (index % 4) + 1 } },
        category: index % 3 === 2 ? {} : { connect: { id: (index % 2) + 1 } },
        ...(index % 2 === 0 ? { tags: { connect: { name: 'even' } } } : {}),
      },
    })
    await orm.comment.create({
      data: { postId: 1, seq: index + 1, body: 'Yes', createdAt: new Date(Date.UTC(2024, 0, 1 + (index % 7))) },
    })
  }
}
