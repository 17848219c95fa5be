import { readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { createRestClient, json } from '../../../client/index.js'
import type { Api as Workspace } from '../../../fixtures/workspace/expected/client.js'
import { annotationsClient, type Blog, blogClient, kitchenSinkClient, URL } from './apis.js'

const rest = blogClient()
const sink = kitchenSinkClient()
const annotated = annotationsClient()
const workspace = createRestClient<Workspace>({ url: URL })
const readOnly = createRestClient<Blog>({ url: URL })
const names = { Post: 'posts', User: 'people' } as const
const mapped = createRestClient<Blog, string, typeof names>({ url: URL, modelNameMapping: names })
const status: string = 'DRAFT'
const both = { slug: 'a', title: 'A', author: 1, authorId: 1 }

/** Calls that do not compile and never run. */
export const mistakes = [
  // @ts-expect-error unknown model
  () => rest.pots.list(),
  // @ts-expect-error hidden model
  () => annotated.session.list(),
  // @ts-expect-error not in the model names of the server
  () => createRestClient<Blog, string, { Post: 'posts' }>({ url: URL, modelNameMapping: { Post: 'posts' } }).user,
  // @ts-expect-error a relation to such a model
  () => mapped.post.list({ include: ['tags'] }),
  // @ts-expect-error a filter through such a relation
  () => mapped.post.list({ filter: { tags: { name: 'a' } } }),
  // @ts-expect-error a mapping must be part of the type
  () => createRestClient<Blog>({ url: URL, modelNameMapping: { Post: 'posts' } }),
  // @ts-expect-error a Decimal type without the `decimal` option
  () => createRestClient<Blog, number>({ url: URL }),
  // @ts-expect-error `url` is required
  () => createRestClient<Blog>({}),

  // @ts-expect-error unknown field
  () => rest.post.list({ filter: { titel: 'A' } }),
  // @ts-expect-error unknown field of the related model
  () => rest.post.list({ filter: { author: { nam: 'A' } } }),
  // @ts-expect-error unknown field three relations away
  () => rest.post.list({ filter: { comments: { author: { profile: { boi: 'x' } } } } }),
  // @ts-expect-error a number instead of a string
  () => rest.post.list({ filter: { title: 1 } }),
  // @ts-expect-error a string instead of a number
  () => rest.post.list({ filter: { viewCount: '1' } }),
  // @ts-expect-error unknown enum value
  () => rest.post.list({ filter: { status: 'PUBLISH' } }),
  // @ts-expect-error a string instead of an enum
  () => rest.post.list({ filter: { status } }),
  // @ts-expect-error unknown operator
  () => rest.post.list({ filter: { title: { like: 'a' } } }),
  // @ts-expect-error `contains` requires a string
  () => rest.post.list({ filter: { viewCount: { contains: 1 } } }),
  // @ts-expect-error unknown field in `$field`
  () => rest.post.list({ filter: { title: { $field: 'slig' } } }),
  // @ts-expect-error a string field compared with a number field
  () => rest.post.list({ filter: { title: { gt: { $field: 'viewCount' } } } }),
  // @ts-expect-error a field of another resource
  () => rest.post.list({ filter: { author: { name: { $field: 'title' } } } }),
  // @ts-expect-error `contains` does not accept fields
  () => rest.post.list({ filter: { title: { contains: { $field: 'slug' } } } }),
  // @ts-expect-error `between` does not accept fields
  () => rest.post.list({ filter: { viewCount: { between: [0, { $field: 'viewCount' }] } } }),
  // @ts-expect-error enums cannot be compared with fields
  () => rest.post.list({ filter: { status: { $field: 'status' } } }),
  // @ts-expect-error write-only field
  () => rest.user.list({ filter: { email: { $field: 'password' } } }),
  // @ts-expect-error enums cannot be ordered
  () => rest.post.list({ filter: { status: { gt: 'DRAFT' } } }),
  // @ts-expect-error `title` is not nullable
  () => rest.post.list({ filter: { title: null } }),
  // @ts-expect-error `title` is not nullable
  () => rest.post.list({ filter: { title: { isNull: true } } }),
  // @ts-expect-error `post` is not nullable
  () => rest.comment.list({ filter: { post: null } }),
  // @ts-expect-error only equality accepts null
  () => rest.post.list({ filter: { viewCount: { gt: null } } }),
  // @ts-expect-error a path requires a Json field
  () => rest.profile.list({ filter: { 'bio.theme': 'dark' } }),
  // @ts-expect-error a path compares plain values
  () => rest.profile.list({ filter: { 'settings.theme': json({}) } }),
  // @ts-expect-error a path does not support `search`
  () => rest.profile.list({ filter: { 'settings.theme': { search: 'dark' } } }),
  // @ts-expect-error full-text search requires a string
  () => rest.post.list({ fullText: { fields: ['viewCount'], search: 'a' } }),
  // @ts-expect-error full-text search does not support relations
  () => rest.post.list({ fullText: { fields: ['author'], search: 'a' } }),
  // @ts-expect-error `search` is required
  () => rest.post.list({ fullText: { fields: ['title'] } }),
  // @ts-expect-error unknown field in `OR`
  () => rest.post.list({ filter: { OR: [{ titel: 'A' }, { title: 'A' }] } }),
  // @ts-expect-error unknown field in `NOT`
  () => rest.post.list({ filter: { NOT: { author: { nam: 'A' } } } }),
  // @ts-expect-error an expression requires a quantifier
  () => rest.post.list({ filter: { OR: [{ comments: { body: 'x' } }] } }),
  // @ts-expect-error `OR` combines conditions, not values
  () => rest.post.list({ filter: { title: { OR: ['a', 'b'] } } }),
  // @ts-expect-error `between` requires two values
  () => rest.post.list({ filter: { viewCount: { between: [1] } } }),
  // @ts-expect-error unknown quantifier
  () => rest.post.list({ filter: { comments: { any: { body: 'x' } } } }),
  // @ts-expect-error a to-one relation has no quantifiers
  () => rest.post.list({ filter: { author: { some: { name: 'x' } } } }),
  // @ts-expect-error `title` is not nullable
  () => rest.post.list({ filter: { NOT: { title: null } } }),
  // @ts-expect-error write-only field
  () => rest.user.list({ filter: { password: 'x' } }),
  // @ts-expect-error hidden field
  () => annotated.account.list({ filter: { notes: 'x' } }),
  // @ts-expect-error a Json value requires `json()`, because an object contains conditions
  () => rest.profile.list({ filter: { settings: { theme: 'dark' } } }),
  // @ts-expect-error a string instead of a list
  () => sink.scalars.list({ filter: { texts: 'a' } }),
  // @ts-expect-error `has` requires a list
  () => sink.scalars.list({ filter: { text: { has: 'a' } } }),
  // @ts-expect-error UUIDs have an order but no `contains`
  () => sink.scalars.list({ filter: { database: { contains: 'a' } } }),
  // @ts-expect-error `json()` requires a Json field
  () => rest.post.list({ filter: { title: json('a') } }),

  // @ts-expect-error unknown field
  () => rest.post.list({ sort: ['-titel'] }),
  // @ts-expect-error unknown field of the related model
  () => rest.post.list({ sort: ['author.nam'] }),
  // @ts-expect-error a to-many relation cannot be used in `sort`
  () => rest.post.list({ sort: ['comments.body'] }),
  // @ts-expect-error Json cannot be ordered
  () => rest.profile.list({ sort: ['settings'] }),
  // @ts-expect-error write-only field
  () => rest.user.list({ sort: ['password'] }),
  // @ts-expect-error `sort` is a list
  () => rest.post.list({ sort: '-title' }),

  // @ts-expect-error unknown relation
  () => rest.post.list({ include: ['autor'] }),
  // @ts-expect-error unknown relation of the related model
  () => rest.post.list({ include: ['author', 'comments.autor'] }),
  // @ts-expect-error unknown relation four levels deep
  () => rest.post.list({ include: ['comments.author.posts.tag'] }),
  // @ts-expect-error an attribute cannot be included
  () => rest.post.list({ include: ['title'] }),
  // @ts-expect-error hidden relation
  () => annotated.account.list({ include: ['sessions'] }),
  // @ts-expect-error unknown model
  () => rest.post.list({ fields: { author: ['name'] } }),
  // @ts-expect-error unknown model next to an existing one
  () => rest.post.list({ fields: { user: ['name'], author: ['name'] } }),
  // @ts-expect-error unknown field
  () => rest.post.list({ fields: { user: ['nam'] } }),
  // @ts-expect-error write-only field
  () => rest.post.list({ fields: { user: ['password'] } }),
  // @ts-expect-error unknown combination of page members
  () => rest.post.list({ page: { size: 10, offset: 20 } }),
  // @ts-expect-error unknown option
  () => rest.post.list({ where: { title: 'A' } }),
  // @ts-expect-error `get` has no filter
  () => rest.post.get(1, { filter: { title: 'A' } }),

  // @ts-expect-error not included
  async () => (await rest.post.get(1)).comments,
  // @ts-expect-error only the id is available without `include`
  async () => (await rest.post.get(1)).author?.name,
  // @ts-expect-error the relation is nullable
  async () => (await rest.post.get(1, { include: ['author'] })).author.name,
  // @ts-expect-error not in the fieldset
  async () => (await rest.post.get(1, { fields: { post: ['title'] } })).slug,
  // @ts-expect-error write-only field
  async () => (await rest.user.get(1)).password,
  // @ts-expect-error resources are read-only
  async () => ((await rest.post.get(1)).title = 'A'),

  // @ts-expect-error `title` is required
  () => rest.post.create({ slug: 'a' }),
  // @ts-expect-error unknown field
  () => rest.post.create({ slug: 'a', title: 'A', titel: 'A' }),
  // @ts-expect-error the database generates the id
  () => rest.post.create({ id: 1, slug: 'a', title: 'A' }),
  // @ts-expect-error read-only field
  () => rest.user.create({ email: 'a@b.c', password: '12345678', role: 'EDITOR' }),
  // @ts-expect-error a foreign key and its relation exclude each other
  () => rest.post.create({ slug: 'a', title: 'A', author: 1, authorId: 1 }),
  // @ts-expect-error also in a variable
  () => rest.post.create(both),
  // @ts-expect-error `post` is required
  () => rest.comment.create({ seq: 1, body: 'x' }),
  // @ts-expect-error `post` is not nullable
  () => rest.comment.create({ post: null, seq: 1, body: 'x' }),
  // @ts-expect-error to-many relation
  () => rest.post.create({ slug: 'a', title: 'A', tags: 'news' }),
  // @ts-expect-error to-one relation
  () => rest.post.create({ slug: 'a', title: 'A', author: [1] }),
  // @ts-expect-error creates cannot be nested
  () => rest.post.create({ slug: 'a', title: 'A', author: { name: 'Ann' } }),
  // @ts-expect-error incomplete foreign key
  () => sink.compoundLine.create({ tenant: 'a', day: new Date() }),
  // @ts-expect-error the relation of a required hidden foreign key is required
  () => annotated.secret.create({ key: 'k' }),
  // @ts-expect-error relationships require the `graph` option
  () => readOnly.post.create({ slug: 'a', title: 'A', author: 1 }),
  // @ts-expect-error `title` is not nullable
  () => rest.post.update(1, { title: null }),
  // @ts-expect-error unknown enum value
  () => rest.post.update(1, { status: 'PUBLISH' }),
  // @ts-expect-error a foreign key and its relation exclude each other
  () => rest.post.update(1, { author: null, authorId: null }),
  // @ts-expect-error read-only field
  () => annotated.account.update('a', { createdAt: new Date() }),
  // @ts-expect-error read-only relation
  () => annotated.account.update('a', { invoices: [] }),
  // @ts-expect-error `match` is required
  () => rest.post.upsert({ slug: 'a', title: 'A' }, {}),
  // @ts-expect-error `title` is not unique
  () => rest.post.upsert({ slug: 'a', title: 'A' }, { match: 'title' }),
  // @ts-expect-error incomplete unique criterion
  () => rest.comment.upsert({ postId: 1, seq: 1, body: 'x' }, { match: ['postId'] }),
  // The compiler must reject an upsert that the server can never match.
  // @ts-expect-error a server-set unique field has no value in the body
  () => workspace.document.upsert({ title: 'A', teamId: 1 }, { match: 'slug' }),
  // @ts-expect-error the model has no create
  () => annotated.account.create({ handle: 'abc', email: 'a@b.c', password: '12345678' }),
  // @ts-expect-error a view has no delete
  () => sink.personStats.delete(1),
  // @ts-expect-error unknown relation
  () => rest.post.related(1, 'autor'),
  // @ts-expect-error a to-one relation has no `add`
  () => rest.post.relationship(1, 'author').add([1]),
  // @ts-expect-error an include path begins with the relation
  () => rest.post.relationship(1, 'comments').get({ include: ['author'] }),
  // @ts-expect-error unknown relation of comments
  () => rest.post.relationship(1, 'comments').get({ include: ['comments.autor'] }),
  // @ts-expect-error a to-one relation has no `sort`
  () => rest.post.relationship(1, 'author').get({ sort: ['name'] }),
  // @ts-expect-error not an operation of the client
  () => rest.$operations([{ id: '1', method: 'delete' }]),
  // @ts-expect-error a required relation has no `remove`
  () => rest.post.relationship(1, 'comments').remove(['1_1']),
]

it('REST client: lists at least 50 calls that must not compile', () => {
  const text = readFileSync(new globalThis.URL(import.meta.url), 'utf8')
  expect(text.match(/^ +\/\/ @ts-expect-error /gm)?.length).toBeGreaterThanOrEqual(50)
})
