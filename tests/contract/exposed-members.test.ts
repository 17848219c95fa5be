import { expect } from 'vitest'

import type { Operation } from '../../runtime/schema/resource.js'
import type { TestResponse } from '../rest/support/client.js'
import type { Database } from '../support/databases.js'
import { type Changes, changedRoutes } from './changed-routes.js'
import { describeContract } from './describe-contract.js'

const hidden = { hidden: true } as const
const to = (type: string, id: string) => ({ data: { type, id } })
const changed = (changes: Changes) => ({ routes: changedRoutes(changes) })
const withOperations = (model: string, ...operations: readonly Operation[]) => changed({ [model]: { operations } })

function omitting({ orm }: Database): unknown {
  return orm.$extends({
    query: {
      post: {
        $allOperations({ args, query }) {
          expect(args).not.toHaveProperty('omit.content')
          return query({ ...args, omit: { content: true, authorId: true } } as typeof args)
        },
      },
    },
  })
}

describeContract('exposed members', ({ rule, rest, rpc }) => {
  const rejectsListOf = 'rejects reading a model without `list` over a to-many relation with 403'
  rule('5, 7.1', rejectsListOf, withOperations('Post', 'get', 'create', 'update'))
  for (const path of ['/user/1/posts', '/user/1/relationships/posts']) rest(path, 403, 'forbidden')
  for (const path of ['/user/1?include=posts', '/post/1?include=author.posts']) rest(path, 403, 'forbidden include')
  rest('/post/1/relationships/author?include=posts', 403, 'forbidden include')
  for (const name of ['[posts][title]', '[posts][title][contains]', '[posts]', '[posts][]'])
    rest(`/user?filter${name}=1`, 403, `forbidden filter${name}`)

  const rejectsGetOf = 'rejects reading a model without `get` over a to-one relation with 403'
  rule('5, 7.1', rejectsGetOf, withOperations('User', 'list', 'create'))
  rest('/post/1/author', 403, 'forbidden')
  for (const path of ['/post/1', '/post/1/relationships/author'])
    rest(`${path}?include=author`, 403, 'forbidden include')
  rest('/post?filter[author][name]=Ann', 403, 'forbidden filter[author][name]')
  for (const sort of ['author.name', '-author.id']) rest(`/post?sort=${sort}`, 403, 'forbidden sort')

  rule('2.2', 'returns linkage from a foreign key if the target is unreadable', withOperations('User', 'create'))
  const isUnlinked = ({ one: { relationships } }: TestResponse) => {
    expect(relationships?.['author']?.data).toEqual({ type: 'user', id: '1' })
    expect(relationships?.['author']?.links).not.toHaveProperty('related')
  }
  rest('/post/1', 200, isUnlinked)
  rest('/post/1/relationships/author', 200, to('user', '1'))
  rest('/post?filter[author]=2', 200, ['4'])
  rule('2.2', 'omits linkage if it requires an unreadable model', withOperations('Profile', 'list', 'create'))
  const lacksProfile = ({ one }: TestResponse) => expect(one.relationships).not.toHaveProperty('profile')
  rest('/user/1', 200, lacksProfile)
  rest('/user/1/relationships/profile', 403)
  rest('/user?filter[profile]=1', 403)

  rule('4.1', 'responds with 204 if the changed members are unreadable', withOperations('Tag', 'get', 'update'))
  const isEmpty = ({ text }: TestResponse) => expect(text).toBe('')
  rest('POST /post/5/relationships/tags', { data: [{ type: 'tag', id: 'news' }] }, 204, isEmpty)
  rule('4.1', 'rejects an upsert that would update without `update`', withOperations('Post', 'list', 'get', 'create'))
  const meta = { operation: 'upsert', matchFields: ['slug'] }
  rest('POST /post', { data: { type: 'post', attributes: { slug: 'one', title: 'x' } }, meta }, 403)

  rule('2.2', 'returns linkage and filters by a hidden foreign key', changed({ 'Post.authorId': hidden }))
  const hasLinkage = ({ one }: TestResponse) => {
    expect(one.attributes ?? {}).not.toHaveProperty('authorId')
    expect(one.relationships?.['author']?.data).toEqual({ type: 'user', id: '1' })
  }
  rest('/post/1', 200, hasLinkage)
  rest('/post/1?fields[post]=author', 200, hasLinkage)
  rest('/post?filter[author]=2', 200, ['4'])
  rest('/post?filter[authorId]=2', 400)
  rest('PATCH /post/1/relationships/author', to('user', '2'), 200)
  const text = 'writes the foreign key of a hidden relation together with other relations'
  rule('2.2', text, changed({ 'Post.category': hidden }))
  const attributes = { slug: 'new', title: 'New', categoryId: 2 }
  const created = { data: { attributes: { categoryId: 2, authorId: 1 } } }
  rest('POST /post', { data: { type: 'post', attributes, relationships: { author: to('user', '1') } } }, 201, created)
  rule('7.1', 'names a missing relation if its foreign key is hidden', changed({ 'Profile.userId': hidden }))
  const profile = { data: { type: 'profile' } }
  for (const body of [profile, { data: { ...profile.data, relationships: { user: { data: null } } } }]) {
    rest('POST /profile', body, 422, 'missing-attribute /data/relationships/user')
    rest('POST /profile', body, 422, /^The relationship "user" is required\.$/)
  }
  rest('POST /profile', { data: { ...profile.data, relationships: { user: to('user', '2') } } }, 201)

  rule('2.2', 'omits fields that a client extension omits', { orm: omitting })
  const isOmitted = ({ one: { attributes, relationships } }: TestResponse) => {
    expect(attributes).not.toHaveProperty('content')
    expect(attributes).toHaveProperty('title')
    expect(relationships?.['author']).toHaveProperty('links')
    expect(relationships?.['author']).not.toHaveProperty('data')
  }
  rest('/post/5', 200, isOmitted)
  const lacksContent = ({ body }: { readonly body: unknown }) => {
    expect(body).toHaveProperty('data.author')
    expect(JSON.stringify(body)).not.toMatch(/"(content|password)"/)
  }
  rpc('post.findFirst', { include: { author: true }, omit: { content: false } }, 200, lacksContent)
})
