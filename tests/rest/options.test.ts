import { beforeEach, expect, it } from 'vitest'

import { postResource } from '../../fixtures/blog/expected/post/resource.js'
import type { Resource } from '../../runtime/schema/resource.js'
import { changedRoutes } from '../contract/changed-routes.js'
import { describeDatabases } from '../support/databases.js'
import { fillBlog } from './support/blog.js'
import { ENDPOINT } from './support/client.js'

describeDatabases('REST: options', (db) => {
  beforeEach(async () => void (await db.fill(fillBlog)))

  it.each([
    [undefined, ''],
    ['', ''],
    ['/', ''],
    ['api', '/api'],
    ['/api', '/api'],
    ['/api/', '/api'],
    ['//api//', '/api'],
    ['/v1/api', '/v1/api'],
    ['/%C3%BC', '/%C3%BC'],
    ['/post', '/post'],
  ])('prefix %j: mounts the handler only at "%s"', async (prefix, mount) => {
    const handler = db.routes.RestApiHandler({ endpoint: ENDPOINT })
    const context = { getOrm: () => db.orm, ...(prefix === undefined ? {} : { prefix }) }
    const get = async (path: string) => (await handler.fetch(new Request(`http://localhost${path}`), context)).status
    // The mount path itself lists the resources.
    for (const path of ['/post', '/post/1/relationships/author?include=author', '', '/'])
      expect([path, await get(mount + path)]).toEqual([path, 200])
    const outside = ['/nope/post', `/x${mount}/post`, `${mount}//post`, ...(mount ? [`${mount}x/post`] : [])]
    for (const path of outside) expect([path, await get(path)]).toEqual([path, 404])
  })

  it.each<[string, object, RegExp]>([
    ['missing endpoint', { endpoint: undefined }, /endpoint/],
    ['empty endpoint', { endpoint: '' }, /endpoint/],
    ['endpoint with a query', { endpoint: 'https://x?y' }, /endpoint/],
    ['endpoint that is not a URL', { endpoint: 'blog' }, /endpoint must be an absolute .*, but is "blog"/],
    ['endpoint without a host', { endpoint: '/api' }, /endpoint must be an absolute .*, but is "\/api"/],
    ['endpoint of another scheme', { endpoint: 'ftp://blog.example' }, /absolute http/],
    ['endpoint with an invalid port', { endpoint: 'https://blog.example:x' }, /absolute http/],
    ['endpoint with credentials', { endpoint: 'https://me:secret@blog.example' }, /credentials/],
    ['page size of 0', { pageSize: 0 }, /pageSize/],
    ['page size with a fraction', { pageSize: 1.5 }, /pageSize/],
    ['maxPageSize below pageSize', { pageSize: 50, maxPageSize: 10 }, /maxPageSize/],
    ['unknown model', { modelNameMapping: { Nope: 'nope' } }, /Nope.*Category, Comment, Post/],
    ['model name with a slash', { modelNameMapping: { Post: 'blog/posts' } }, /blog\/posts/],
    ['model name that JSON:API does not allow', { modelNameMapping: { Post: '_posts' } }, /_posts/],
    ['two models with the same name', { modelNameMapping: { Post: 'x', User: 'x' } }, /Post and User/],
    ['unknown unique', { externalIdMapping: { Post: 'title' } }, /"title".*id, slug/],
    ['unknown limit', { limits: { nope: 1 } }, /nope.*bodyBytes/],
    ['limit of 0', { limits: { depth: 0 } }, /limits\.depth/],
  ])('%s: throws when the handler is created', (_what, options, message) => {
    const make = () =>
      db.routes.RestApiHandler({ endpoint: ENDPOINT, ...options } as Parameters<typeof db.routes.RestApiHandler>[0])
    expect(make).toThrow(message)
  })

  const { fields, relations } = postResource
  const ofRelation = (name: string) => ({ Post: { relations: { ...relations, [name]: relations.author } } })
  it.each<[string, Readonly<Record<string, Partial<Resource>>>, RegExp]>([
    ['relation author_', ofRelation('author_'), /"Post.author_" is not a valid JSON:API relationship name/],
    ['relation type', ofRelation('type'), /"Post.type" is not a valid JSON:API relationship name/],
    ['relation id', ofRelation('id'), /"Post.id" is not a valid JSON:API relationship name/],
    ['model Tag_', { Tag: { model: 'Tag_' } }, /"tag_" is not a valid JSON:API type.*modelNameMapping/],
    [
      'field whose new name is taken',
      { Post: { fields: { ...fields, slug_: fields.slug } } },
      /"Post.slug_" would be called "slug", which is already in use/,
    ],
  ])('%s: throws in strict mode only', (_what, changes, message) => {
    const make = (strict: boolean) => () =>
      changedRoutes(changes)(db).RestApiHandler({ endpoint: ENDPOINT, strict } as never)
    expect(make(false)).not.toThrow()
    expect(make(true)).toThrow(message)
  })

  it('accepts an invalid type name in strict mode if it is mapped', () => {
    const options = { endpoint: ENDPOINT, strict: true, modelNameMapping: { Tag: 'tag' } }
    expect(() => changedRoutes({})(db).RestApiHandler(options as never)).not.toThrow()
  })
})
