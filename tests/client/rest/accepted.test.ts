import { describe, expectTypeOf, it } from 'vitest'

import { json } from '../../../client/index.js'
import { annotationsClient, blogClient, kitchenSinkClient, tenantsClient } from './apis.js'

const rest = blogClient()
const sink = kitchenSinkClient()
const tenants = tenantsClient()
const annotated = annotationsClient()

describe('REST client: valid calls', () => {
  it('compiles filters with the values and operators of each type', () => {
    const all = [
      () => rest.post.list({ filter: { status: 'PUBLISHED', author: { name: { contains: 'a' } } } }),
      () => rest.post.list({ filter: { status: ['DRAFT', 'ARCHIVED'], id: ['1', 2, 3n] } }),
      () => rest.post.list({ filter: { publishedAt: { gte: new Date(), lt: '2026-01-01' }, viewCount: { gt: 1 } } }),
      () => rest.post.list({ filter: { publishedAt: null, author: null, category: { isNull: false } } }),
      () => rest.post.list({ filter: { author: 1, tags: ['a', 'b'], comments: { author: { role: 'EDITOR' } } } }),
      () => rest.post.list({ filter: { title: { icontains: ['a', 'b'], startsWith: 'A', search: 'x' } } }),
      () => rest.post.list({ fullText: { fields: ['title', 'content'], search: 'a' }, sort: ['id'] }),
      () => rest.post.list({ filter: { id: { lte: 30, ne: 2, not: { between: [4, 5] } } } }),
      () => rest.post.list({ filter: { title: { ne: ['a', 'b'], not: { contains: 'x' } }, status: { ne: 'DRAFT' } } }),
      () => rest.post.list({ filter: { author: { ne: 1 }, comments: { none: { author: 1 }, isEmpty: false } } }),
      () =>
        rest.post.list({ filter: { NOT: { author: null }, AND: [{ tags: 'a' }, { tags: { every: { name: 'b' } } }] } }),
      () => rest.post.list({ filter: { OR: [{ title: 'A' }, { author: { OR: [{ name: 'B' }, { id: 2 }] } }] } }),
      () => rest.category.list({ filter: { readers: { gt: 2n ** 60n }, adPrice: { lte: '12.50' } } }),
      () => rest.profile.list({ filter: { settings: json({ theme: 'dark' }), avatar: new Uint8Array([1]) } }),
      () => rest.profile.list({ filter: { settings: { isNull: true } } }),
      () =>
        rest.profile.list({ filter: { 'settings.theme': 'dark', 'settings.size.width': { gte: 10, ne: [12, '13'] } } }),
      () =>
        rest.user.list({ filter: { OR: [{ profile: { 'settings.theme': { icontains: 'd' } } }, { profile: null }] } }),
      () => sink.scalars.list({ filter: { texts: { has: 'a' }, ints: { hasEvery: [1, 2] }, ats: { isEmpty: true } } }),
      () => sink.scalars.list({ filter: { jsons: { hasSome: [json(1)] }, flag: true, color: 'RED', floatOpt: null } }),
      () => sink.scalars.list({ filter: { database: { gt: 'a' }, bigs: { has: [1n, 2n] }, decimal: 1.5 } }),
      () =>
        tenants.document.list({ filter: { project: { organisation: { slug: 'acme' } }, secret: { isNull: true } } }),
    ]
    expectTypeOf(all).toBeArray()
  })

  it('compiles sort, page and include options', () => {
    const column: 'title' | 'viewCount' = 'title'
    const all = [
      () => rest.post.list({ sort: ['-viewCount', 'author.name', '-category.parent.parent.name', 'author', 'id'] }),
      () => rest.post.list({ sort: [`-${column}` as const] }),
      () => rest.post.list({ page: { limit: 20, offset: 40 } }),
      () => rest.post.list({ page: { number: 3, size: 20 } }, { signal: new AbortController().signal }),
      () => rest.post.list({ include: ['comments.author.posts.tags.posts'] }),
      () => rest.post.pages({ include: ['author'], sort: ['title'] }),
    ]
    expectTypeOf(all).toBeArray()
  })

  it('compiles writes', () => {
    const all = [
      () => rest.post.create({ slug: 'a', title: 'A', author: 1, category: null, tags: ['a', { id: 'b' }] }),
      () => rest.post.create({ slug: 'a', title: 'A', authorId: 1, publishedAt: new Date(), status: 'DRAFT' }),
      () => rest.comment.create({ post: '1', seq: 1, body: 'x' }),
      () => rest.comment.create({ postId: 1, seq: 1, body: 'x', createdAt: '2026-01-01' }),
      () => rest.user.create({ email: 'a@b.c', password: '12345678' }),
      () => rest.tag.create({ name: 'a', posts: [1, 2] }),
      () => rest.profile.create({ user: 1, settings: { theme: 'dark' }, avatar: new Uint8Array([1]) }),
      () => rest.category.create({ name: 'a', adPrice: '1.5', readers: 10n }),
      () => rest.category.create({ name: 'a', adPrice: 1.5, readers: 10, parent: 1n }),
      () => sink.uuidKey.create({ name: 'a' }),
      () => sink.uuidKey.create({ id: '3f2504e0-4f89-11d3-9a0c-0305e82c3301', name: 'a' }),
      () => sink.compoundLine.create({ order: 'a_b_c' }),
      () => sink.compoundLine.create({ tenant: 'a', day: new Date(), number: 1n }),
      () => sink.scalars.update(1n, { texts: ['a'], jsonOpt: null, colors: ['RED'], decimals: ['1', 2] }),
      () => rest.post.update(1, { author: null, tags: [], viewCount: 3 }),
      async () => rest.post.update(1, { author: (await rest.post.get(2)).author, tags: await rest.tag.list() }),
      () => rest.post.update(1, {}),
      () => annotated.account.update('a', { password: 'new', balance: '1' }),
      () => annotated.secret.create({ key: 'k', account: 'a' }),
      () => rest.comment.upsert({ postId: 1, seq: 1, body: 'x' }, { match: ['postId', 'seq'] }),
      () => rest.user.upsert({ email: 'a@b.c', password: '12345678' }, { match: 'email', include: ['posts'] }),
      () => sink.namedKey.upsert({ a: 1, b: 'b', c: 1, email: 'e' }, { match: ['a', 'b'] }),
      () => rest.post.relationship(1, 'author').replace(null),
      () => rest.post.relationship(1, 'tags').add(['a']),
      () => rest.post.relationship(1, 'tags').get({ filter: { name: { startsWith: 'a' } }, sort: ['-name'] }),
    ]
    expectTypeOf(all).toBeArray()
  })
})
