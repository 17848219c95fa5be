import { beforeAll, beforeEach, expect, it } from 'vitest'

import type { OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { operationsOf } from './support/described.js'
import { PROVOCATIONS } from './support/provocations.js'
import { served } from './support/served.js'
import { contradiction, findMismatch, requestOf, type Send } from './support/rest-conformance.js'
import { validatorOf } from './support/validator.js'

type Json = Record<string, never> & { [name: string]: Json }

/** A wrong statement: its name, the operations that reveal it, and the change of the document. */
type Mutation = readonly [what: string, only: RegExp, tell: (document: Json) => void]

const at = (document: Json, path: string): Json => path.split(' ').reduce((json, name) => json[name] ?? {}, document)

function set(path: string, value: unknown): (document: Json) => void {
  const names = path.split(' ')
  const last = names.pop() ?? ''
  return (document) => Reflect.set(at(document, names.join(' ')), last, value)
}

function drop(path: string): (document: Json) => void {
  const names = path.split(' ')
  const last = names.pop() ?? ''
  return (document) => {
    const holder = at(document, names.join(' '))
    if (!Reflect.has(holder, last)) throw new Error(`There is no ${path}.`)
    Reflect.deleteProperty(holder, last)
  }
}

function without(path: string, element: string): (document: Json) => void {
  return (document) => {
    const list = at(document, path) as unknown as string[]
    if (!list.includes(element)) throw new Error(`${path} has no ${element}.`)
    list.splice(list.indexOf(element), 1)
  }
}

const SCHEMAS = 'components schemas'
const POST = `${SCHEMAS} Post properties`
const CREATED = `${SCHEMAS} PostCreateDocument properties data`
const CREATED_ATTRIBUTES = `${SCHEMAS} PostCreateAttributes`
const CODES = (response: string) => `${SCHEMAS} ${response}Code enum`

function withoutStatus(response: string, status: number): (document: Json) => void {
  return (document) => {
    const described = at(document, `components responses ${response}`)
    const lines = String(described['description']).split('\n')
    const others = lines.filter((line) => !line.startsWith(`- ${status}: `))
    if (others.length === lines.length) throw new Error(`${response} has no ${status}.`)
    Reflect.set(described, 'description', others.join('\n'))
  }
}

const MUTATIONS: readonly Mutation[] = [
  ['missing 404 of a read', /^getPost$/, withoutStatus('GetError', 404)],
  ['missing 422 of a list', /^listPosts$/, withoutStatus('ListError', 422)],
  ['missing 409 of a create', /^createPost$/, withoutStatus('CreateError', 409)],
  ['missing 422 of an update', /^updatePost$/, withoutStatus('UpdateError', 422)],
  ['missing 4XX of a list', /^listPosts$/, drop('paths /post get responses 4XX')],
  ['missing 5XX of a list', /^listPosts$/, drop('paths /post get responses 5XX')],
  [
    '202 instead of 201',
    /^createPost$/,
    (document) => {
      const responses = at(document, 'paths /post post responses')
      Reflect.set(responses, '202', responses['201'])
      Reflect.deleteProperty(responses, '201')
    },
  ],
  ['missing 200 of an upsert', /^createTag$/, drop('paths /tag post responses 200')],
  [
    'body of a 204',
    /^deletePost$/,
    set('paths /post/{id} delete responses 204 content', { 'application/vnd.api+json': { schema: {} } }),
  ],
  [
    'different media type',
    /^getPost$/,
    (document) => {
      const response = at(document, 'components responses PostResponse')
      Reflect.set(response, 'content', {
        'application/json': at(document, 'components responses PostResponse content application/vnd.api+json'),
      })
    },
  ],
  ['missing error code of a create', /^createPost$/, without(CODES('CreateError'), 'unknown-attribute')],
  ['missing error code of a list', /^listPosts$/, without(CODES('ListError'), 'unsupported-operator')],
  ['missing error code of a 5XX', /^getPost$/, without(CODES('ServerError'), 'database-timeout')],
  ['wrong resource type', /^getPost$/, set(`${POST} type const`, 'posts')],
  ['non-nullable attribute', /^listPosts$/, set(`${POST} attributes properties content type`, 'string')],
  [
    'non-nullable to-one relationship',
    /^listPosts$/,
    set(`${POST} relationships properties author`, { $ref: '#/components/schemas/PostToMany' }),
  ],
  ['missing enum value', /^listPosts$/, without(`${POST} attributes properties status enum`, 'DRAFT')],
  ['missing attribute', /^getPost$/, drop(`${POST} attributes properties slug`)],
  ['number typed as string', /^getPost$/, set(`${POST} attributes properties viewCount`, { type: 'string' })],
  ['date typed as number', /^getPost$/, set(`${POST} attributes properties updatedAt`, { type: 'number' })],
  ['missing relationship', /^getPost$/, drop(`${POST} relationships properties tags`)],
  ['missing link', /^getPost$/, drop(`${SCHEMAS} RelationshipLinks properties self`)],
  ['unknown required attribute', /^getPost$/, set(`${POST} attributes required`, ['content', 'nothing'])],
  ['non-nullable next link', /^listPosts$/, set(`${SCHEMAS} PageLinks properties next type`, 'string')],
  ['missing total', /^listPosts$/, drop(`${SCHEMAS} PageMeta properties total`)],
  [
    'missing included resource types',
    /^(list|get)Post/,
    set(`${SCHEMAS} IncludedResource oneOf`, [{ $ref: '#/components/schemas/Tag' }]),
  ],
  ['missing response headers', /^createPost$/, drop('paths /post post responses 201 headers')],
  [
    'unknown query parameter',
    /^listPosts$/,
    (document) => {
      const list = at(document, 'paths /post get parameters') as unknown as object[]
      list.splice(0, list.length, { name: 'search', in: 'query', schema: { type: 'string' } })
    },
  ],
  [
    'unsupported filter operator',
    /^listPosts$/,
    (document) => {
      const list = at(document, 'paths /post get parameters') as unknown as object[]
      list.splice(0, list.length, { name: 'filter[status$contains]', in: 'query', schema: { type: 'string' } })
    },
  ],
  [
    'unsupported sort field',
    /^listPosts$/,
    (document) => {
      Reflect.set(at(document, `${SCHEMAS} PostSort`), 'enum', ['comments'])
      const list = at(document, 'paths /post get parameters') as unknown as object[]
      list.splice(0, list.length, { $ref: '#/components/parameters/Post-sort' })
    },
  ],
  [
    'page limit above the maximum',
    /^listPosts$/,
    (document) => {
      Reflect.set(at(document, 'components parameters page-limit schema'), 'minimum', 1001)
      Reflect.set(at(document, 'components parameters page-limit schema'), 'maximum', 5000)
      const list = at(document, 'paths /post get parameters') as unknown as object[]
      list.splice(0, list.length, { $ref: '#/components/parameters/page-limit' })
    },
  ],
  ['optional required attribute', /^createPost$/, drop(`${CREATED_ATTRIBUTES} required`)],
  [
    'invalid attribute range',
    /^createPost$/,
    (document) => {
      at(document, `${CREATED_ATTRIBUTES} properties`)['viewCount'] = {
        type: 'integer',
        minimum: -9,
        maximum: -1,
      } as never
      at(document, CREATED_ATTRIBUTES)['required'] = ['slug', 'title', 'viewCount'] as never
    },
  ],
  [
    'unknown writable attribute',
    /^createPost$/,
    (document) => {
      at(document, `${CREATED_ATTRIBUTES} properties`)['nothing'] = { type: 'string' } as never
      at(document, CREATED_ATTRIBUTES)['required'] = ['slug', 'title', 'nothing'] as never
    },
  ],
  [
    'client-generated id',
    /^createPost$/,
    (document) => {
      at(document, `${CREATED} properties`)['id'] = { type: 'string' } as never
      at(document, CREATED)['required'] = ['type', 'id', 'attributes'] as never
    },
  ],
]

describeDatabases(
  'OpenAPI: mutations of the REST document',
  (db) => {
    let document: OpenApiDocument
    let send: Send
    let base: string

    beforeAll(async () => {
      ;({ send, base } = served(db))
      document = await (await send(new Request(`${base}/openapi.json`))).json()
    })

    beforeEach(() => db.fill(seedBlog))

    it('finds no contradiction in the unmodified document', async () => {
      for (const [, only] of MUTATIONS) expect(await findFirstMismatch(document, only)).toBeUndefined()
    }, 120_000)

    it.each(MUTATIONS)('%s: finds a contradiction', async (_what, only, mutate) => {
      const lying = structuredClone(document)
      mutate(lying as never)
      expect(await findFirstMismatch(lying, only)).toBeDefined()
    })

    /** Sends valid requests and requests that cause errors. */
    async function findFirstMismatch(document: OpenApiDocument, only: RegExp): Promise<string | undefined> {
      const validate = validatorOf(document)
      for (const described of operationsOf(document)) {
        const { operationId } = described.operation
        if (!only.test(operationId)) continue
        for (const provocation of PROVOCATIONS.filter(({ operation }) => operation === operationId)) {
          const response = await send(requestOf(described, provocation, base))
          const captured = { status: response.status, headers: response.headers, text: await response.text() }
          const mismatch = contradiction(described, provocation, captured, validate)
          if (mismatch !== undefined) return mismatch
        }
      }
      return findMismatch(document, send, { base, calls: 40, seed: 7, only })
    }
  },
  { only: ['SQLite'] },
)
