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

describe('checkDocument', () => {
  it('accepts valid documents', () => {
    const linked = { ...post, relationships: { author: { data: author } } }
    expect(check({ data: linked, included: [{ ...author, attributes: {} }] })).not.toThrow()
    expect(check({ data: [author, { type: 'user', id: '2' }] })).not.toThrow()
    expect(check({ data: null })).not.toThrow()
  })

  it.each<[string, object]>([
    ['unknown member', { data: post, extra: 1 }],
    ['numeric id', { data: { ...post, id: 1 } }],
    ['attribute named id', { data: { ...post, attributes: { id: 1 } } }],
    ['empty relationship object', { data: { ...post, relationships: { author: {} } } }],
    ['included without data', { included: [] }],
    ['unescaped brackets in a link', { data: post, links: { self: 'https://blog.example/api/post?page[limit]=1' } }],
    ['resource as linkage', { data: { ...post, relationships: { author: { data: { ...author, attributes: {} } } } } }],
    ['duplicate resource', { data: [post, post] }],
    ['resource both included and primary', { data: post, included: [post] }],
    ['included resource without linkage', { data: post, included: [{ ...author, attributes: {} }] }],
    ['links without self', { data: post, links: {} }],
  ])('%s: throws', (_what, document) => {
    expect(check(JSON.parse(JSON.stringify(document)))).toThrow()
  })

  it('requires a string status in strict mode and a number otherwise', () => {
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
