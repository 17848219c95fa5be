import { openApi, type OpenApiOptions } from '@routewright/runtime/openapi'
import { describe, expect, it } from 'vitest'

import type { OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { describeDatabases } from '../support/databases.js'
import { operationsOf, responseOf } from './support/described.js'
import { served } from './support/served.js'
import { validatorOf } from './support/validator.js'

/** Returns the media type of a path's request body. */
function contentTypeOf({ paths }: OpenApiDocument, path: string): string {
  const body = paths[path]?.post?.requestBody
  return Object.keys(body && 'content' in body ? body.content : {})[0] ?? ''
}

describeDatabases(
  'OpenAPI: endpoints',
  (db) => {
    const fetchServed = async (path: string, options: OpenApiOptions | undefined, init: RequestInit = {}) => {
      const { base, send } = served(db, { openapi: options && openApi(options) })
      return send(new Request(`${base}${path}`, init))
    }

    describe('mount root', () => {
      it('lists the collections with and without `openapi`', async () => {
        const resources = expect.objectContaining({ post: 'https://example.com/api/post' })
        const plain = await fetchServed('', undefined)
        expect(plain.headers.get('Content-Type')).toBe('application/vnd.api+json')
        expect(await plain.json()).toEqual({
          jsonapi: { version: '1.1' },
          links: { self: 'https://example.com/api' },
          meta: { resources },
        })
        const { links } = (await (await fetchServed('/', {})).json()) as { links: object }
        expect(links).toEqual({
          self: 'https://example.com/api',
          describedby: 'https://example.com/api/openapi.json',
        })
      })

      it.each<[string, string, RequestInit, number]>([
        ['query parameter (400)', '?sort=x', {}, 400],
        ['unsupported Accept header (406)', '', { headers: { Accept: 'text/html' } }, 406],
        ['POST (405)', '', { method: 'POST' }, 405],
      ])('%s: rejects the request', async (_what, path, init, status) => {
        expect((await fetchServed(path, undefined, init)).status).toBe(status)
      })
    })

    describe('GET /openapi.json', () => {
      it('responds with 404 if `openapi` is not set', async () => {
        expect((await fetchServed('/openapi.json', undefined)).status).toBe(404)
      })

      it('describes the requests and statuses of atomic operations at a custom path', async () => {
        const path = '/batch'
        const { base, send } = served(db, { openapi: openApi(), atomicOperations: path })
        const read = async (request: Request): Promise<OpenApiDocument> => (await send(request)).json() as never
        const document = await read(new Request(`${base}/openapi.json`))
        const validate = validatorOf(document)
        const schema = { $ref: '#/components/schemas/AtomicOperations' }
        const tag = { op: 'add', data: { type: 'tag', id: 'described' } }
        const type = contentTypeOf(document, path)
        expect(type).toBe('application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"')
        for (const [operations, status] of [
          [[tag], 200],
          [[{ op: 'remove', ref: { type: 'tag', id: 'described' } }], 204],
          [[{ op: 'update', data: { type: 'post', id: '0' } }], 404],
        ] as const) {
          const body = { 'atomic:operations': operations }
          expect(validate(schema, body)).toBe('')
          const init = { method: 'POST', headers: { 'Content-Type': type }, body: JSON.stringify(body) }
          const response = await send(new Request(`${base}${path}`, init))
          expect(response.status).toBe(status)
          const described = operationsOf(document).find((one) => one.path === path)
          expect(described && responseOf(described, status)).toBeDefined()
          if (status === 200)
            expect(validate({ $ref: '#/components/schemas/AtomicResults' }, await response.json())).toBe('')
        }
        expect(validate(schema, { 'atomic:operations': [] })).not.toBe('')
      })

      it('accepts and rejects the same atomic operations as the server', async () => {
        const { base, send } = served(db, { openapi: openApi(), atomicOperations: true })
        const document: OpenApiDocument = await (await send(new Request(`${base}/openapi.json`))).json()
        const validate = validatorOf(document)
        const sendOperations = async (operations: readonly object[], headers: object = {}) => {
          const body = { 'atomic:operations': operations }
          const init = {
            method: 'POST',
            headers: { 'Content-Type': contentTypeOf(document, '/operations'), ...headers },
            body: JSON.stringify(body),
          }
          const response = await send(new Request(`${base}/operations`, init))
          const text = await response.text()
          if (response.status === 200)
            expect(validate({ $ref: '#/components/schemas/AtomicResults' }, JSON.parse(text))).toBe('')
          return {
            status: response.status,
            text,
            isDescribed: validate({ $ref: '#/components/schemas/AtomicOperations' }, body) === '',
          }
        }
        const user = {
          op: 'add',
          data: {
            type: 'user',
            lid: 'u',
            attributes: { email: 'once@x.example', name: 'O', password: 'secret-of-once' },
          },
        }
        const tag = { type: 'tag', lid: 't' }
        const attributes = { slug: 'at-once', title: 'At once' }
        const post = {
          op: 'add',
          ref: { type: 'post', lid: 'p' },
          data: { type: 'post', lid: 'p', attributes, relationships: { author: { data: { type: 'user', lid: 'u' } } } },
        }
        const ref = { type: 'post', lid: 'p', relationship: 'tags' }
        const right = [
          user,
          { op: 'add', href: '/api/tag', data: { type: 'tag', id: 'other' } },
          { op: 'add', data: { ...tag, id: undefined, attributes: { name: 'at-once' } } },
          post,
          {
            op: 'update',
            data: { type: 'post', lid: 'p', attributes: { title: 'Changed' }, relationships: { tags: { data: [] } } },
          },
          { op: 'add', ref, data: { type: 'tag', id: 'other' } },
          { op: 'update', ref, data: [{ type: 'tag', id: 'other' }] },
          { op: 'remove', ref, data: [{ type: 'tag', id: 'other' }] },
          { op: 'update', ref: { ...ref, relationship: 'author' }, data: null },
          { op: 'update', ref: { ...ref, relationship: 'author' }, data: { type: 'user', lid: 'u' } },
          { op: 'remove', ref: { type: 'post', lid: 'p' } },
          { op: 'remove', href: '/api/tag/other' },
        ]
        const all = await sendOperations(right)
        expect(all).toMatchObject({ status: 200, isDescribed: true })
        const other = { op: 'add', data: { type: 'tag', id: 'minimal' } }
        const emptied = { op: 'remove', ref: { type: 'tag', id: 'minimal' } }
        const minimal = await sendOperations([other, emptied, user], { Prefer: 'return=minimal' })
        expect(minimal).toMatchObject({ status: 409, isDescribed: true })
        expect(
          await sendOperations([other, emptied, { ...other, data: { type: 'category', attributes: { name: 'M' } } }], {
            Prefer: 'return=minimal',
          }),
        ).toMatchObject({ status: 200, isDescribed: true })
        for (const wrong of [
          { op: 'add', data: { type: 'nothing' } },
          { op: 'add', data: { type: 'tag', attributes: { unknown: 1 } } },
          { op: 'add', data: { type: 'post', attributes: { slug: 's', title: 1 } } },
          { op: 'add', data: { type: 'post', attributes: {} } },
          { op: 'add', ref: { type: 'tag' }, href: '/api/tag', data: { type: 'tag', id: 'x' } },
          { op: 'update', data: { type: 'user', id: '1', attributes: { role: 'ADMIN' } } },
          { op: 'update', data: { type: 'post', id: '1', lid: 'p' } },
          { op: 'update', ref: { type: 'post', id: '1', lid: 'p' }, data: { type: 'post' } },
          { op: 'update', ref: { type: 'post', id: '1', relationship: 'odd' }, data: null },
          { op: 'add', ref: { type: 'post', id: '1', relationship: 'tags' }, data: [{ type: 'odd', id: '1' }] },
          { op: 'add', ref: { type: 'post', id: '1', relationship: 'tags' }, data: [{ type: 'tag' }] },
          { op: 'remove', ref: { type: 'tag' } },
          { op: 'remove', ref: { type: 'tag', id: 'x' }, data: null },
          { op: 'remove' },
          { op: 'odd', data: { type: 'tag', id: 'x' } },
        ]) {
          const { status, isDescribed } = await sendOperations([wrong])
          expect([wrong, status < 300, isDescribed]).toEqual([wrong, false, false])
        }
      })

      it('omits atomic operations if they are disabled', async () => {
        const { base, send } = served(db, { openapi: openApi(), atomicOperations: false })
        const document = await (await send(new Request(`${base}/openapi.json`))).text()
        expect(document).not.toContain('atomic:operations')
      })

      it('responds with 304 if If-None-Match matches', async () => {
        const { base, send } = served(db)
        const first = await send(new Request(`${base}/openapi.json`))
        const etag = first.headers.get('ETag') ?? ''
        expect(etag).toMatch(/^"[\da-f]{24}"$/)
        for (const ifNoneMatch of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
          const again = await send(new Request(`${base}/openapi.json`, { headers: { 'If-None-Match': ifNoneMatch } }))
          expect([again.status, await again.text(), again.headers.get('ETag')]).toEqual([304, '', etag])
        }
        const other = await send(new Request(`${base}/openapi.json`, { headers: { 'If-None-Match': '"x"' } }))
        expect(other.status).toBe(200)
      })

      it('responds to HEAD without a body and to POST with 405', async () => {
        const head = await fetchServed('/openapi.json', {}, { method: 'HEAD' })
        expect([head.status, await head.text()]).toEqual([200, ''])
        const post = await fetchServed('/openapi.json', {}, { method: 'POST' })
        expect([post.status, post.headers.get('Allow')]).toEqual([405, 'GET, HEAD'])
      })

      it('includes the info, servers, security schemes and extensions of the app', async () => {
        const document = await (
          await fetchServed('/openapi.json', {
            info: { title: 'Blog', version: '1.2.3' },
            servers: [{ url: 'https://blog.example' }],
            securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
            extend: (generated) => ({ ...generated, tags: [] }),
          })
        ).json()
        expect(document).toMatchObject({
          info: { title: 'Blog', version: '1.2.3' },
          servers: [{ url: 'https://blog.example' }],
          security: [{ bearer: [] }],
          tags: [],
        })
        expect(operationsOf(document).map((described) => responseOf(described, 401))).not.toContain(undefined)
      })
    })

    describe('docs page', () => {
      it('links only to files that are served, and has no inline script', async () => {
        const page = await fetchServed('/docs', { docs: true, info: { title: '<Blog>' } })
        const html = await page.text()
        expect(page.headers.get('Content-Security-Policy')).toContain("script-src 'self'")
        expect(html).toContain('<title>&#60;Blog&#62;</title>')
        expect(html).not.toMatch(/<script(?! src)/)
        for (const [, file] of html.matchAll(/(?:src|href)="(?!data:)([^"]+)"/g)) {
          const { status } = await fetchServed(`/${file}`, { docs: true })
          expect([file, status]).toEqual([file, 200])
        }
      })

      it('uses the configured path instead of /docs', async () => {
        expect((await fetchServed('/reference', { docs: '/reference' })).status).toBe(200)
        expect((await fetchServed('/docs', { docs: '/reference' })).status).toBe(404)
      })
    })

    it.each<[string, object, RegExp]>([
      ['unknown option', { titel: 'Blog' }, /Unknown option of openApi "titel"/],
      ['unknown security scheme', { security: [{ bearer: [] }] }, /security contains "bearer"/],
      ['descriptions that are a string', { descriptions: 'An article.' }, /descriptions must be an object\./],
      ['description outside of an object', { descriptions: { Post: 'x' } }, /descriptions\.Post must be an object\./],
      ['all exports of descriptions.ts', { descriptions: { descriptions: { Post: {} } } }, /Unknown key .* "Post"/],
      ['number as the description of a model', { descriptions: { Post: { description: 1 } } }, /must be a string\./],
      [
        'list of fields',
        { descriptions: { Post: { fields: ['x'] } } },
        /descriptions\.Post\.fields must be an object\./,
      ],
      ['number as the description of a field', { descriptions: { Post: { fields: { id: 1 } } } }, /fields\.id must be/],
      ['unsupported error status', { appErrors: [418] }, /appErrors must contain only .*, but contains 418/],
      ['docs path of a model', { docs: '/post' }, /"\/post" is taken/],
      ['docs path of a model in upper case', { docs: '/Post' }, /"\/Post" is taken/],
      ['docs path of the document', { docs: '/openapi.json' }, /"\/openapi.json" is taken/],
      ['docs path with a dot segment', { docs: '/..' }, /path of one segment/],
      ['docs path without a slash', { docs: 'docs' }, /path of one segment/],
    ])('%s: throws when the handler is created', (_what, options, message) => {
      expect(() => served(db, { openapi: openApi(options) })).toThrow(message)
    })

    it.each(['/docs', '/docs/health', '/openapi.json'])('%s: throws if a page uses the health path', (health) => {
      const options = { openapi: openApi({ docs: true }), health }
      expect(() => served(db, options)).toThrow(`"/${health.split('/')[1]}" is taken`)
    })
  },
  { only: ['SQLite'] },
)
