import { beforeEach, expect, it } from 'vitest'

import { json, RestError, type RestResource } from '../../../client/index.js'
import { fillBlog } from '../../rest/support/blog.js'
import { describeDatabases } from '../../support/databases.js'
import { type Blog as Api, blogClient } from './apis.js'
import { fetchOf } from './serve.js'

/** The examples of docs/rest-client.md. Its code blocks are lines of this file. */
describeDatabases('docs/rest-client.md examples', (db) => {
  let rest: ReturnType<typeof blogClient>

  beforeEach(async () => {
    await db.fill(fillBlog)
    rest = blogClient(fetchOf(db))
  })

  it('lists posts with filter, sort, include, fields and page', async () => {
    const posts = await rest.post.list({
      filter: { status: 'PUBLISHED', author: { name: { contains: 'n' } } },
      sort: ['-viewCount'],
      include: ['author', 'comments.author'],
      fields: { user: ['name'] },
      page: { limit: 20 },
    })
    for (const post of posts) console.log(post.title, post.author?.name, post.comments.length)
    expect(posts.total).toBe(2)
  })

  it('filters by values, comparisons, null and relations', async () => {
    const some = await rest.post.list({
      filter: {
        status: ['PUBLISHED', 'ARCHIVED'], // any of them
        viewCount: { gte: 10, lt: 1000 }, // both
        publishedAt: { gt: new Date('2024-01-01') },
        category: null, // no category
        content: { isNull: false }, // any content
        author: 1, // by its id
        comments: { body: { icontains: 'nice' } }, // at least one comment
      },
    })
    const dark = await rest.profile.list({ filter: { settings: json({ theme: 'dark' }) } })
    expect([some.total, dark.total]).toEqual([0, 1])
  })

  it('searches full text on MySQL and rejects it on other databases', async () => {
    const foxes = () => rest.post.list({ fullText: { fields: ['title', 'content'], search: 'fox' } })
    if (db.provider === 'mysql') await db.execute('ALTER TABLE `Post` ADD FULLTEXT INDEX (`title`, `content`)')
    if (db.provider === 'mysql') expect((await foxes()).total).toBe(0)
    else await expect(foxes()).rejects.toThrow('Unknown parameter')
  })

  it('combines filters with OR, NOT, none and $field', async () => {
    const wanted = await rest.post.list({
      filter: {
        title: { ne: 'Draft' }, // any other title
        tags: { none: ['3', '4'] }, // without these tags
        OR: [{ viewCount: { between: [1, 10] } }, { category: { name: 'Physics' } }],
        NOT: { author: { name: 'Ann' }, comments: { some: { seq: { gt: 9 } } } }, // not both
      },
      sort: ['id'],
    })
    const edited = await rest.post.list({ filter: { updatedAt: { gt: { $field: 'publishedAt' } } } })
    expect(wanted.map(({ slug }) => slug)).toEqual(['one', 'two', 'four'])
    expect(edited.map(({ slug }) => slug)).toEqual(['one', 'four'])
  })

  it('iterates over pages by offset and by cursor', async () => {
    const first = await rest.post.list({ page: { limit: 2 } })
    const second = await first.next() // null after the last page
    const ids: string[] = []
    for await (const post of rest.post.each({ sort: ['title'] })) ids.push(post.id)
    const deep = await rest.post.list({ sort: ['-viewCount'], page: { after: '', size: 2 } }) // with cursors
    expect([first.total, second?.length, ids.length, deep.total]).toEqual([5, 2, 5, undefined])
    const walked: string[] = []
    const page = { after: '', size: 2, total: 'exact' } as const
    for await (const { total, length } of rest.post.pages({ sort: ['-viewCount'], page }))
      walked.push(`${total} ${length}`)
    expect(walked).toEqual(['5 2', '5 2', '5 1'])
    // @ts-expect-error A page has either an offset or a cursor.
    await expect(rest.post.list({ page: { after: '', offset: 2 } })).rejects.toThrow(RestError)
  })

  it('limits, sorts, filters and counts related resources', async () => {
    const posts = await rest.post.list({
      include: ['comments', 'comments.author'],
      lists: { comments: { limit: 2, sort: ['-seq'], filter: { seq: { gt: 0 } } } },
      relatedCount: ['tags'],
    })
    const latest = posts[0]?.comments.map(({ body }) => body)
    const { meta, links } = posts[0]?.$relationships['comments'] ?? {}
    expect([latest, meta?.['hasMore'], typeof links?.['next']]).toEqual([
      ['Third, anonymous.', 'Second.'],
      true,
      'string',
    ])
    expect(posts[0]?.$relationships['tags']?.meta).toEqual({ total: 2 })
    // @ts-expect-error `author` is not a list.
    await expect(rest.post.list({ relatedCount: ['author'] })).rejects.toThrow('cannot be counted')
    // @ts-expect-error Tags are not included.
    await expect(rest.post.list({ include: ['comments'], lists: { tags: { limit: 2 } } })).rejects.toThrow(
      'is not included',
    )
    const wrong = { filter: { nope: 1 } } as const
    // @ts-expect-error Unknown field of comments.
    await expect(rest.post.list({ include: ['comments'], lists: { comments: wrong } })).rejects.toThrow(RestError)
  })

  it('exposes attributes, relations and JSON:API members of a resource', async () => {
    const post = await rest.post.get(1, { include: ['comments'] })
    const { id, title, publishedAt } = post // a string, a string, and a Date or null
    const first = post.comments[0]?.body // included
    const author = post.author?.id // not included: its id
    const { $type, $links, $meta, $relationships, $document } = post // the JSON:API document
    expect([id, title, publishedAt, first, author, $type]).toEqual([
      '1',
      'One',
      new Date('2024-02-01T00:00:00Z'),
      'First!',
      '1',
      'post',
    ])
    expect([Object.keys($links), $meta, Object.keys($relationships).length]).toEqual([['self'], {}, 4])
    expect($document.included).toHaveLength(3)
  })

  it('types a function parameter with RestResource', async () => {
    function byline(post: RestResource<Api, 'Post', 'author'>) {
      return `${post.title}, by ${post.author?.name ?? 'nobody'}`
    }
    expect(byline(await rest.post.get(1, { include: ['author'] }))).toBe('One, by Ann')
  })

  it('creates, updates, upserts and deletes', async () => {
    const post = await rest.post.create({ slug: 'hello', title: 'Hello', author: 1, tags: ['news', 'tips'] })
    await rest.post.update(post.id, { publishedAt: new Date(), author: null })
    const saved = await rest.post.upsert({ slug: 'hello', title: 'Hello again' }, { match: 'slug' })
    if (saved.$created) console.log('The post is new.')
    await rest.comment.delete('1_1')
    expect(saved.$created).toBe(false)
  })

  it('reads and changes relationships', async () => {
    const comments = await rest.post.related(1, 'comments', { include: ['author'] })
    const tags = rest.post.relationship(1, 'tags')
    await tags.add(['tips'])
    await tags.remove(['news'])
    await tags.replace([])
    await rest.post.relationship(1, 'author').replace(null)
    const page = await rest.post.relationship(1, 'comments').get({ include: ['comments.author'], page: { limit: 5 } })
    expect(page.map(({ body }) => body)).toContain('First!')
    expect([comments.length, (await tags.get()).total]).toEqual([3, 0])
  })

  it('reports validation errors by field', async () => {
    const form = { email: 'nonsense', password: 'short' }
    let emailError: string | undefined
    try {
      await rest.user.create(form)
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      emailError = error.fields['email']?.[0]?.message
    }
    expect(emailError).toBe('Invalid email address')
  })
})
