import { describe, expect, it } from 'vitest'

import { checkDocument } from './support/check-document.js'
import type { Body } from './support/documents.js'

const JSONAPI = { version: '1.1' }
const links = { self: 'https://blog.example/api/post/1' }
const post = { type: 'post', id: '1', attributes: { title: 'x' }, links }
const author = { type: 'user', id: '1' }
const check =
  (document: object, { strict = false, sparse = false } = {}) =>
  () =>
    checkDocument({ jsonapi: JSONAPI, links, ...document } as Body, { strict, sparse })

describe('the check of documents finds', () => {
  it('nothing wrong with what is in order', () => {
    const linked = { ...post, relationships: { author: { data: author } } }
    expect(check({ data: linked, included: [{ ...author, attributes: {} }] })).not.toThrow()
    expect(check({ data: [author, { type: 'user', id: '2' }] })).not.toThrow()
    expect(check({ data: null })).not.toThrow()
  })

  it.each<[string, object]>([
    ['a member that nobody knows', { data: post, extra: 1 }],
    ['an id that is a number', { data: { ...post, id: 1 } }],
    ['an attribute called id', { data: { ...post, attributes: { id: 1 } } }],
    ['an empty relationship', { data: { ...post, relationships: { author: {} } } }],
    ['included without data', { included: [] }],
    ['a link with brackets', { data: post, links: { self: 'https://blog.example/api/post?page[limit]=1' } }],
    [
      'linkage that is a resource',
      { data: { ...post, relationships: { author: { data: { ...author, attributes: {} } } } } },
    ],
    ['a resource that is there twice', { data: [post, post] }],
    ['a resource that is included and primary', { data: post, included: [post] }],
    ['an included resource that nothing leads to', { data: post, included: [{ ...author, attributes: {} }] }],
    ['links without self', { data: post, links: {} }],
  ])('%s', (_what, document) => {
    expect(check(JSON.parse(JSON.stringify(document)))).toThrow()
  })

  it('a status that is a number, where it follows JSON:API strictly', () => {
    const error = { code: 'not-found', status: 404, title: 'x', detail: 'y' }
    const failure = (status: unknown) => ({ links: undefined, errors: [{ ...error, status }] })
    const clean = (document: object): object => JSON.parse(JSON.stringify({ jsonapi: JSONAPI, ...document }))
    const run = (status: unknown, strict: boolean) => () =>
      checkDocument(clean(failure(status)) as Body, { strict, sparse: false })
    expect(run(404, false)).not.toThrow()
    expect(run('404', true)).not.toThrow()
    expect(run(404, true)).toThrow()
    expect(run('404', false)).toThrow()
  })
})
