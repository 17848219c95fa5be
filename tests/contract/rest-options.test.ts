import { expect } from 'vitest'

import { postResource } from '../../fixtures/blog/expected/post/resource.js'
import { ENDPOINT, type TestResponse } from '../rest/support/client.js'
import { changedRoutes } from './changed-routes.js'
import { describeContract } from './describe-contract.js'

const to = (type: string, id: string) => ({ data: { type, id } })
const hasLocation = (path: string) => (response: TestResponse) =>
  expect(response.headers.get('Location')).toBe(`${ENDPOINT}${path}`)

describeContract('options of the REST handler', ({ rule, rest }) => {
  rule('2.2', 'modelNameMapping: defaults to model names in lower case')
  rest('/post/1', 200, { data: { type: 'post', links: { self: `${ENDPOINT}/post/1` } } })

  rule('2.1', 'modelNameMapping: serves only mapped names if any is set', {
    options: { modelNameMapping: { Post: 'posts', User: 'users' } },
  })
  const author = { ...to('users', '1'), links: { related: `${ENDPOINT}/posts/1/author` } }
  rest('/posts/1?include=author&fields[users]=name', 200, {
    data: { type: 'posts', links: { self: `${ENDPOINT}/posts/1` }, relationships: { author } },
  })
  for (const name of ['post', 'Post', 'category', 'Category', 'user']) rest(`/${name}`, 404, 'unsupported-model')
  const attributes = { slug: 'new', title: 'New' }
  rest('POST /posts', { data: { type: 'posts', attributes } }, 201, hasLocation('/posts/6'))
  rest('POST /posts', { data: { type: 'post', attributes: {} } }, 409)

  rule('2.1', 'modelNameMapping: hides unmapped models, also as related resources', {
    options: { modelNameMapping: { Post: 'posts' } },
  })
  const hasNoRelationships = ({ one }: TestResponse) => {
    expect(one).not.toHaveProperty('relationships')
    expect(one.attributes).toMatchObject({ authorId: 1 })
  }
  rest('/posts/1', 200, hasNoRelationships)
  rest(['/posts/1/author', '/posts/1/relationships/tags'], 404)
  rest(['/posts?include=author', '/posts?filter[author][name]=Ann', '/posts?sort=author.name'], 400)
  rest('/posts?fields[user]=name', 400)
  const update = { data: { type: 'posts', id: '1', relationships: { author: to('user', '1') } } }
  rest('PATCH /posts/1', update, 422, { errors: [{ code: 'unknown-relationship' }] })
  rest('PATCH /posts/1/relationships/author', to('user', '1'), 404)

  const byUnique = { options: { externalIdMapping: { Post: 'slug', User: 'email', Comment: 'postId_seq' } } }
  rule('2.1', 'externalIdMapping: identifies resources and related resources by another unique field', byUnique)
  const lacksId = ({ one }: TestResponse) => {
    expect(one).toMatchObject({ id: 'one', links: { self: `${ENDPOINT}/post/one` }, attributes: { slug: 'one' } })
    expect(one.attributes).not.toHaveProperty('id')
  }
  rest('/post/one', 200, lacksId)
  rest('/post/1', 404)
  rest('/user/ann@example.org', 200, { data: { links: { self: `${ENDPOINT}/user/ann%40example.org` } } })
  const ann = to('user', 'ann@example.org')
  rest('/post/one', 200, { data: { relationships: { author: ann } } })
  rest('/post/five', 200, { data: { relationships: { author: { data: null } } } })
  rest('/post/one/relationships/author', 200, ann)
  rest('/user/ann@example.org/relationships/posts', 200, ['one', 'three', 'two'])
  rest('/post/one?include=author', 200, { included: [{ id: 'ann@example.org' }] })
  rule('2.1', 'externalIdMapping: filters and sorts by the mapped id', byUnique)
  rest('/post?filter[id]=two,four', 200, ['four', 'two'])
  rest('/post?filter[author]=ben@example.org', 200, ['four'])
  rest('/post?sort=-id', 200, ['two', 'three', 'one', 'four', 'five'])
  rule('2.1', 'externalIdMapping: writes by the mapped id', byUnique)
  const relationships = { author: to('user', 'ben@example.org') }
  const six = { type: 'post', id: 'six', attributes: { title: 'Six' }, relationships }
  rest('POST /post', { data: six }, 201, { data: { attributes: { authorId: 2 } } })
  const renamed = { type: 'post', id: 'six', attributes: { title: 'VI' } }
  rest('PATCH /post/six', { data: renamed }, 200, { data: { attributes: { title: 'VI' } } })
  const cat = to('user', 'cat@example.org')
  rest('PATCH /post/six/relationships/author', cat, 200, cat)
  const contains = ({ ids }: TestResponse) => expect(ids).toContain('six')
  rest('POST /user/ann@example.org/relationships/posts', { data: [{ type: 'post', id: 'six' }] }, 200, contains)
  rest('DELETE /post/six', 204)

  const duplicate = { data: { type: 'post', attributes: { slug: 'one', title: 'x' } } }
  rule('7.2', 'strict: returns errors in the format of JSON:API', { options: { strict: true } })
  const isStrict = ({ errors }: TestResponse) => {
    expect(errors).toMatchObject([{ status: '409', meta: { ormCode: 'P2002' } }])
    expect(errors[0]).not.toHaveProperty('ormCode')
  }
  rest('POST /post', duplicate, 409, isStrict)
  rule('7.2', 'strict: returns errors in the format of the contract without it')
  rest('POST /post', duplicate, 409, { errors: [{ status: 409, ormCode: 'P2002' }] })
  const { slug, ...fields } = postResource.fields
  for (const [name, wire] of Object.entries({ type_: 'postType', id_: 'postId' })) {
    rule('2.2', `strict: ${name} becomes the attribute "${wire}"`, {
      options: { strict: true },
      routes: changedRoutes({ Post: { fields: { ...fields, [name]: slug } } }),
    })
    // The column does not exist: only the name in the query matters.
    rest(`/post?filter[${name}]=x`, 400, { errors: [{ code: 'unknown-field' }] })
    rest(`/post?filter[${wire}$gt]=x&sort=nope`, 400, /"nope"/)
  }

  rule('2.2', 'endpoint: starts every link, regardless of the Host header', {
    options: { endpoint: 'https://other.example/base/' },
  })
  const isOther = ({ one, text }: TestResponse) => {
    expect(one.links?.self).toBe('https://other.example/base/post/1')
    expect(text).not.toContain('evil')
  }
  rest({ send: '/post/1', headers: { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' } }, 200, isOther)
})
