import { readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

import { createRestClient, json } from '../../../client/index.js'
import { annotationsClient, type Blog, blogClient, kitchenSinkClient, URL } from './apis.js'

const rest = blogClient()
const sink = kitchenSinkClient()
const annotated = annotationsClient()
const readOnly = createRestClient<Blog>({ url: URL })
const names = { Post: 'posts', User: 'people' } as const
const mapped = createRestClient<Blog, string, typeof names>({ url: URL, modelNameMapping: names })
const status: string = 'DRAFT'
const both = { slug: 'a', title: 'A', author: 1, authorId: 1 }

/** What does not compile. None of it is ever called. */
export const mistakes = [
  // @ts-expect-error there is no such model
  () => rest.pots.list(),
  // @ts-expect-error the model is hidden
  () => annotated.session.list(),
  // @ts-expect-error the server does not serve it
  () => createRestClient<Blog, string, { Post: 'posts' }>({ url: URL, modelNameMapping: { Post: 'posts' } }).user,
  // @ts-expect-error nor what leads to it
  () => mapped.post.list({ include: ['tags'] }),
  // @ts-expect-error nor by way of it
  () => mapped.post.list({ filter: { tags: { name: 'a' } } }),
  // @ts-expect-error a mapping has to be said in the types
  () => createRestClient<Blog>({ url: URL, modelNameMapping: { Post: 'posts' } }),
  // @ts-expect-error the types say that Decimals are numbers, and nothing makes them
  () => createRestClient<Blog, number>({ url: URL }),
  // @ts-expect-error the url is missing
  () => createRestClient<Blog>({}),

  // @ts-expect-error there is no such field
  () => rest.post.list({ filter: { titel: 'A' } }),
  // @ts-expect-error there is no such field of the related model
  () => rest.post.list({ filter: { author: { nam: 'A' } } }),
  // @ts-expect-error nor further away
  () => rest.post.list({ filter: { comments: { author: { profile: { boi: 'x' } } } } }),
  // @ts-expect-error a number is no text
  () => rest.post.list({ filter: { title: 1 } }),
  // @ts-expect-error a text is no number
  () => rest.post.list({ filter: { viewCount: '1' } }),
  // @ts-expect-error there is no such status
  () => rest.post.list({ filter: { status: 'PUBLISH' } }),
  // @ts-expect-error not every text is a status
  () => rest.post.list({ filter: { status } }),
  // @ts-expect-error there is no such operator
  () => rest.post.list({ filter: { title: { like: 'a' } } }),
  // @ts-expect-error numbers contain nothing
  () => rest.post.list({ filter: { viewCount: { contains: 1 } } }),
  // @ts-expect-error there is no such field to compare with
  () => rest.post.list({ filter: { title: { $field: 'slig' } } }),
  // @ts-expect-error a text is compared with no number
  () => rest.post.list({ filter: { title: { gt: { $field: 'viewCount' } } } }),
  // @ts-expect-error nor with a field of another resource
  () => rest.post.list({ filter: { author: { name: { $field: 'title' } } } }),
  // @ts-expect-error a text contains no field
  () => rest.post.list({ filter: { title: { contains: { $field: 'slug' } } } }),
  // @ts-expect-error nor does it lie between two
  () => rest.post.list({ filter: { viewCount: { between: [0, { $field: 'viewCount' }] } } }),
  // @ts-expect-error enums are not compared with each other
  () => rest.post.list({ filter: { status: { $field: 'status' } } }),
  // @ts-expect-error what is written only is no field to compare with
  () => rest.user.list({ filter: { email: { $field: 'password' } } }),
  // @ts-expect-error enums have no order
  () => rest.post.list({ filter: { status: { gt: 'DRAFT' } } }),
  // @ts-expect-error a title is never null
  () => rest.post.list({ filter: { title: null } }),
  // @ts-expect-error a title is never null
  () => rest.post.list({ filter: { title: { isNull: true } } }),
  // @ts-expect-error a comment always has a post
  () => rest.comment.list({ filter: { post: null } }),
  // @ts-expect-error there is no condition of being no value
  () => rest.post.list({ filter: { viewCount: { gt: null } } }),
  // @ts-expect-error no path leads into a text
  () => rest.profile.list({ filter: { 'bio.theme': 'dark' } }),
  // @ts-expect-error a value in a Json field is plain
  () => rest.profile.list({ filter: { 'settings.theme': json({}) } }),
  // @ts-expect-error a path has no full-text search
  () => rest.profile.list({ filter: { 'settings.theme': { search: 'dark' } } }),
  // @ts-expect-error a number holds no words
  () => rest.post.list({ fullText: { fields: ['viewCount'], search: 'a' } }),
  // @ts-expect-error nor does a relation
  () => rest.post.list({ fullText: { fields: ['author'], search: 'a' } }),
  // @ts-expect-error what is searched for is needed
  () => rest.post.list({ fullText: { fields: ['title'] } }),
  // @ts-expect-error a name in an alternative has a typo
  () => rest.post.list({ filter: { OR: [{ titel: 'A' }, { title: 'A' }] } }),
  // @ts-expect-error and in what must not hold
  () => rest.post.list({ filter: { NOT: { author: { nam: 'A' } } } }),
  // @ts-expect-error an expression is told of how many members it is true
  () => rest.post.list({ filter: { OR: [{ comments: { body: 'x' } }] } }),
  // @ts-expect-error what joins is not in a quantifier of a parameter's value
  () => rest.post.list({ filter: { title: { OR: ['a', 'b'] } } }),
  // @ts-expect-error between two values
  () => rest.post.list({ filter: { viewCount: { between: [1] } } }),
  // @ts-expect-error no such quantifier
  () => rest.post.list({ filter: { comments: { any: { body: 'x' } } } }),
  // @ts-expect-error a relation to one has none
  () => rest.post.list({ filter: { author: { some: { name: 'x' } } } }),
  // @ts-expect-error what is never null is not compared with null
  () => rest.post.list({ filter: { NOT: { title: null } } }),
  // @ts-expect-error a password is not filtered by
  () => rest.user.list({ filter: { password: 'x' } }),
  // @ts-expect-error what is hidden is not filtered by
  () => annotated.account.list({ filter: { notes: 'x' } }),
  // @ts-expect-error a Json value is wrapped, because an object holds conditions
  () => rest.profile.list({ filter: { settings: { theme: 'dark' } } }),
  // @ts-expect-error a list is no value
  () => sink.scalars.list({ filter: { texts: 'a' } }),
  // @ts-expect-error only lists have values
  () => sink.scalars.list({ filter: { text: { has: 'a' } } }),
  // @ts-expect-error UUIDs are ordered and not searched
  () => sink.scalars.list({ filter: { database: { contains: 'a' } } }),
  // @ts-expect-error only Json is compared with Json
  () => rest.post.list({ filter: { title: json('a') } }),

  // @ts-expect-error there is no such field
  () => rest.post.list({ sort: ['-titel'] }),
  // @ts-expect-error nor at the author
  () => rest.post.list({ sort: ['author.nam'] }),
  // @ts-expect-error rows have no order by many
  () => rest.post.list({ sort: ['comments.body'] }),
  // @ts-expect-error Json has no order
  () => rest.profile.list({ sort: ['settings'] }),
  // @ts-expect-error a password is not sorted by
  () => rest.user.list({ sort: ['password'] }),
  // @ts-expect-error it is a list
  () => rest.post.list({ sort: '-title' }),

  // @ts-expect-error there is no such relation
  () => rest.post.list({ include: ['autor'] }),
  // @ts-expect-error nor of the comments
  () => rest.post.list({ include: ['author', 'comments.autor'] }),
  // @ts-expect-error nor four relations away
  () => rest.post.list({ include: ['comments.author.posts.tag'] }),
  // @ts-expect-error an attribute cannot be included
  () => rest.post.list({ include: ['title'] }),
  // @ts-expect-error what is hidden cannot be included
  () => annotated.account.list({ include: ['sessions'] }),
  // @ts-expect-error there is no such model
  () => rest.post.list({ fields: { author: ['name'] } }),
  // @ts-expect-error nor beside one that there is
  () => rest.post.list({ fields: { user: ['name'], author: ['name'] } }),
  // @ts-expect-error there is no such field
  () => rest.post.list({ fields: { user: ['nam'] } }),
  // @ts-expect-error a password is not shown
  () => rest.post.list({ fields: { user: ['password'] } }),
  // @ts-expect-error a page has no such member
  () => rest.post.list({ page: { size: 10, offset: 20 } }),
  // @ts-expect-error a query has no such member
  () => rest.post.list({ where: { title: 'A' } }),
  // @ts-expect-error one resource has no filter
  () => rest.post.get(1, { filter: { title: 'A' } }),

  // @ts-expect-error it was not included
  async () => (await rest.post.get(1)).comments,
  // @ts-expect-error it has an id and no name
  async () => (await rest.post.get(1)).author?.name,
  // @ts-expect-error it may be null
  async () => (await rest.post.get(1, { include: ['author'] })).author.name,
  // @ts-expect-error the fieldset does not have it
  async () => (await rest.post.get(1, { fields: { post: ['title'] } })).slug,
  // @ts-expect-error a password is never read
  async () => (await rest.user.get(1)).password,
  // @ts-expect-error a resource is not changed by assignment
  async () => ((await rest.post.get(1)).title = 'A'),

  // @ts-expect-error the title is missing
  () => rest.post.create({ slug: 'a' }),
  // @ts-expect-error there is no such field
  () => rest.post.create({ slug: 'a', title: 'A', titel: 'A' }),
  // @ts-expect-error the database makes the id
  () => rest.post.create({ id: 1, slug: 'a', title: 'A' }),
  // @ts-expect-error it is read-only
  () => rest.user.create({ email: 'a@b.c', password: '12345678', role: 'EDITOR' }),
  // @ts-expect-error a foreign key and its relation are the same
  () => rest.post.create({ slug: 'a', title: 'A', author: 1, authorId: 1 }),
  // @ts-expect-error in a variable as well
  () => rest.post.create(both),
  // @ts-expect-error a comment needs its post
  () => rest.comment.create({ seq: 1, body: 'x' }),
  // @ts-expect-error a comment's post is not nothing
  () => rest.comment.create({ post: null, seq: 1, body: 'x' }),
  // @ts-expect-error there are many tags
  () => rest.post.create({ slug: 'a', title: 'A', tags: 'news' }),
  // @ts-expect-error there is one author
  () => rest.post.create({ slug: 'a', title: 'A', author: [1] }),
  // @ts-expect-error related resources are not made
  () => rest.post.create({ slug: 'a', title: 'A', author: { name: 'Ann' } }),
  // @ts-expect-error all of the key, or the relation
  () => sink.compoundLine.create({ tenant: 'a', day: new Date() }),
  // @ts-expect-error what its hidden key is about must be given
  () => annotated.secret.create({ key: 'k' }),
  // @ts-expect-error a client without the graph writes no relationships
  () => readOnly.post.create({ slug: 'a', title: 'A', author: 1 }),
  // @ts-expect-error a title is never null
  () => rest.post.update(1, { title: null }),
  // @ts-expect-error there is no such status
  () => rest.post.update(1, { status: 'PUBLISH' }),
  // @ts-expect-error a foreign key and its relation are the same
  () => rest.post.update(1, { author: null, authorId: null }),
  // @ts-expect-error it is read-only
  () => annotated.account.update('a', { createdAt: new Date() }),
  // @ts-expect-error the relation is read-only
  () => annotated.account.update('a', { invoices: [] }),
  // @ts-expect-error an upsert says what it matches
  () => rest.post.upsert({ slug: 'a', title: 'A' }, {}),
  // @ts-expect-error a title is not unique
  () => rest.post.upsert({ slug: 'a', title: 'A' }, { match: 'title' }),
  // @ts-expect-error half of a unique criterion is none
  () => rest.comment.upsert({ postId: 1, seq: 1, body: 'x' }, { match: ['postId'] }),
  // @ts-expect-error the model is not created
  () => annotated.account.create({ handle: 'abc', email: 'a@b.c', password: '12345678' }),
  // @ts-expect-error a view is not deleted
  () => sink.personStats.delete(1),
  // @ts-expect-error there is no such relation
  () => rest.post.related(1, 'autor'),
  // @ts-expect-error members are not added to one
  () => rest.post.relationship(1, 'author').add([1]),
  // @ts-expect-error a path begins with the relation
  () => rest.post.relationship(1, 'comments').get({ include: ['author'] }),
  // @ts-expect-error there is no such relation of comments
  () => rest.post.relationship(1, 'comments').get({ include: ['comments.autor'] }),
  // @ts-expect-error one has no order
  () => rest.post.relationship(1, 'author').get({ sort: ['name'] }),
  // @ts-expect-error what looks like a change is none
  () => rest.$operations([{ id: '1', method: 'delete' }]),
  // @ts-expect-error a comment cannot be without its post
  () => rest.post.relationship(1, 'comments').remove(['1_1']),
]

it('REST client: lists at least 50 calls that must not compile', () => {
  const text = readFileSync(new globalThis.URL(import.meta.url), 'utf8')
  expect(text.match(/^ +\/\/ @ts-expect-error /gm)?.length).toBeGreaterThanOrEqual(50)
})
