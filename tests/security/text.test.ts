import { beforeAll, describe, expect, it } from 'vitest'

import { fillBlog } from '../rest/support/blog.js'
import { describeDatabases } from '../support/databases.js'
import { type Attack, callerOf, rpc } from './requests-of-both-styles.js'

const TEXTS: readonly (readonly [what: string, text: string])[] = [
  ['NUL', 'a\u0000b'],
  ['a high surrogate', 'a\ud800b'],
  ['a low surrogate', '\udc00'],
]

const inUrl = encodeURIComponent
const comment = (body: string) => ({
  data: { type: 'comment', attributes: { postId: 1, seq: 99, body } },
})

/** All requests that pass a caller's text to the database. */
const uses = (text: string): readonly Attack[] => [
  ['rest', 'POST', '/comment', comment(text)],
  ['rest', 'PATCH', '/post/1', { data: { type: 'post', id: '1', attributes: { title: text } } }],
  ['rest', 'POST', '/tag', { data: { type: 'tag', id: text } }],
  ['rest', 'PATCH', '/post/1/relationships/tags', { data: [{ type: 'tag', id: text }] }],
  ['rest', 'POST', '/profile', { data: { type: 'profile', attributes: { userId: 4, settings: { [text]: [text] } } } }],
  rpc('post', 'findMany', { where: { title: text } }),
  rpc('post', 'findMany', { where: { title: { contains: text } } }),
  rpc('post', 'findMany', { where: { author: { name: { in: [text] } } } }),
  rpc('tag', 'findUnique', { where: { name: text } }),
  rpc('tag', 'findMany', { cursor: { name: text } }),
  rpc('profile', 'findMany', { where: { settings: { equals: { [text]: text } } } }),
  rpc('post', 'update', { where: { id: 1 }, data: { title: text } }),
  rpc('post', 'update', {
    where: { id: 1 },
    data: { tags: { connectOrCreate: { where: { name: text }, create: { name: text } } } },
  }),
  rpc('tag', 'createMany', { data: [{ name: text }] }),
  rpc('profile', 'create', { data: { userId: 4, settings: { [text]: [text] } } }),
]

/** Requests with a text in the URL, which cannot contain unpaired surrogates. */
const usesInUrl = (text: string): readonly Attack[] => [
  ['rest', 'GET', `/tag/${text}`],
  ['rest', 'GET', `/tag/${text}/posts`],
  ['rest', 'DELETE', `/tag/${text}`],
  ['rest', 'GET', `/comment/1_${text}`],
  ['rest', 'GET', `/post?filter[title]=${text}`],
  ['rest', 'GET', `/post?filter[title$icontains]=${text}`],
  ['rest', 'GET', `/post?filter[tags]=${text}`],
  ['rest', 'GET', `/post?filter[author][name]=${text}`],
]

// S-28: text that a database cannot store is an error of the request, in writes and in filters.
describeDatabases('security: invalid text', (db) => {
  beforeAll(async () => {
    await db.fill(fillBlog)
  })

  describe.each(TEXTS)('%s', (_what, text) => {
    it.each(uses(text).map((attack) => [attack] as const))('%j: rejects with 400, 404 or 422', async (attack) => {
      const { status, text: body } = await callerOf(db)(attack)
      expect([400, 404, 422], body).toContain(status)
    })
  })

  it.each(
    ['%00', 'a%00b', '%ED%A0%80', '%FF', '%', inUrl('x'.repeat(10_000))].flatMap((text) =>
      usesInUrl(text).map((attack) => [text.slice(0, 9), attack] as const),
    ),
  )('%s in a URL, %j: responds without a 5xx', async (text, attack) => {
    const { status, text: body } = await callerOf(db)(attack)
    // Long text can be stored, but here no row contains it.
    expect(text.startsWith('x') ? [200, 404] : [400, 404, 422], body).toContain(status)
  })

  it('stores no invalid text', async () => {
    const [posts, tags, comments, profiles] = await Promise.all([
      db.orm.post.findMany({ select: { title: true } }),
      db.orm.tag.findMany(),
      db.orm.comment.findMany({ where: { seq: 99 } }),
      db.orm.profile.findMany({ where: { userId: 4 } }),
    ])
    expect(JSON.stringify([posts, tags])).not.toMatch(/\\u0000|\\ud|\ufffd/)
    expect([comments, profiles]).toEqual([[], []])
  })
})
