import { beforeAll, beforeEach, expect, it } from 'vitest'

import type { OpenApiDocument } from '../../runtime/openapi/document.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { operationsOf } from './support/described.js'
import { PROVOCATIONS } from './support/provocations.js'
import { served } from './support/served.js'
import { contradiction, findLie, requestOf, type Send } from './support/truth.js'
import { validatorOf } from './support/validator.js'

type Json = Record<string, never> & { [name: string]: Json }

/** A lie: where it is told, by which operations it is found out, and how it is told. */
type Lie = readonly [what: string, only: RegExp, tell: (document: Json) => void]

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
const CODES = (response: string) =>
  `components responses ${response} content application/vnd.api+json schema properties errors items properties code enum`

const LIES: readonly Lie[] = [
  ['a status of a read is left out', /^getPost$/, drop('paths /post/{id} get responses 404')],
  ['a status of a list is left out', /^listPosts$/, drop('paths /post get responses 422')],
  ['a status of a write is left out', /^createPost$/, drop('paths /post post responses 409')],
  ['the status of what is unprocessable is left out', /^updatePost$/, drop('paths /post/{id} patch responses 422')],
  ['an outage is left out', /^listPosts$/, drop('paths /post get responses 5XX')],
  [
    'a success is another one',
    /^createPost$/,
    (document) => {
      const responses = at(document, 'paths /post post responses')
      Reflect.set(responses, '202', responses['201'])
      Reflect.deleteProperty(responses, '201')
    },
  ],
  ['an upsert that updates is left out', /^createTag$/, drop('paths /tag post responses 200')],
  [
    'a delete answers with a body',
    /^deletePost$/,
    set('paths /post/{id} delete responses 204 content', { 'application/vnd.api+json': { schema: {} } }),
  ],
  [
    'the media type is another one',
    /^getPost$/,
    (document) => {
      const response = at(document, 'components responses PostResponse')
      Reflect.set(response, 'content', {
        'application/json': at(document, 'components responses PostResponse content application/vnd.api+json'),
      })
    },
  ],
  ['an error code is left out', /^createPost$/, without(CODES('Create422'), 'unknown-attribute')],
  ['an error code of a query is left out', /^listPosts$/, without(CODES('List400'), 'unsupported-operator')],
  ['a code of an outage is left out', /^getPost$/, without(CODES('Error5XX'), 'database-timeout')],
  ['a wrong type of resource', /^getPost$/, set(`${POST} type const`, 'posts')],
  ['a null is lost', /^listPosts$/, set(`${POST} attributes properties content type`, 'string')],
  [
    'an empty to-one relationship is lost',
    /^listPosts$/,
    set(`${POST} relationships properties author properties data`, { $ref: '#/components/schemas/UserIdentifier' }),
  ],
  ['a value of an enum is lost', /^listPosts$/, without(`${POST} attributes properties status enum`, 'DRAFT')],
  ['an attribute is left out', /^getPost$/, drop(`${POST} attributes properties slug`)],
  ['a number is a text', /^getPost$/, set(`${POST} attributes properties viewCount`, { type: 'string' })],
  ['a date is a number', /^getPost$/, set(`${POST} attributes properties updatedAt`, { type: 'number' })],
  ['a relationship is left out', /^getPost$/, drop(`${POST} relationships properties tags`)],
  ['a link is left out', /^getPost$/, drop(`${SCHEMAS} RelationshipLinks properties self`)],
  ['an attribute is said to be there always', /^getPost$/, set(`${POST} attributes required`, ['content', 'nothing'])],
  ['the last page has a next one', /^listPosts$/, set(`${SCHEMAS} PageLinks properties next type`, 'string')],
  ['a total is left out', /^listPosts$/, drop(`${SCHEMAS} PageMeta properties total`)],
  [
    'what is included is left out',
    /^(list|get)Post/,
    set(`${SCHEMAS} IncludedResource oneOf`, [{ $ref: '#/components/schemas/Tag' }]),
  ],
  ['a header is left out', /^createPost$/, drop('paths /post post responses 201 headers')],
  [
    'a parameter too many',
    /^listPosts$/,
    (document) => {
      const list = at(document, 'paths /post get parameters') as unknown as object[]
      list.splice(0, list.length, { name: 'search', in: 'query', schema: { type: 'string' } })
    },
  ],
  [
    'an operator that a field has not',
    /^listPosts$/,
    (document) => {
      const list = at(document, 'paths /post get parameters') as unknown as object[]
      list.splice(0, list.length, { name: 'filter[status$contains]', in: 'query', schema: { type: 'string' } })
    },
  ],
  [
    'an order by what cannot be ordered by',
    /^listPosts$/,
    (document) => {
      at(document, 'components parameters Post-sort schema items')['enum'] = ['comments'] as never
      const list = at(document, 'paths /post get parameters') as unknown as object[]
      list.splice(0, list.length, { $ref: '#/components/parameters/Post-sort' })
    },
  ],
  [
    'a page is larger than it may be',
    /^listPosts$/,
    (document) => {
      Reflect.set(at(document, 'components parameters page-limit schema'), 'minimum', 1001)
      Reflect.set(at(document, 'components parameters page-limit schema'), 'maximum', 5000)
      const list = at(document, 'paths /post get parameters') as unknown as object[]
      list.splice(0, list.length, { $ref: '#/components/parameters/page-limit' })
    },
  ],
  ['an attribute that is required is not', /^createPost$/, drop(`${CREATED} properties attributes required`)],
  [
    'a rule is looser than it is',
    /^createPost$/,
    (document) => {
      at(document, `${CREATED} properties attributes properties`)['viewCount'] = {
        type: 'integer',
        minimum: -9,
        maximum: -1,
      } as never
      at(document, `${CREATED} properties attributes`)['required'] = ['slug', 'title', 'viewCount'] as never
    },
  ],
  [
    'an attribute that cannot be written',
    /^createPost$/,
    (document) => {
      at(document, `${CREATED} properties attributes properties`)['nothing'] = { type: 'string' } as never
      at(document, `${CREATED} properties attributes`)['required'] = ['slug', 'title', 'nothing'] as never
    },
  ],
  [
    'a client may choose an id',
    /^createPost$/,
    (document) => {
      at(document, `${CREATED} properties`)['id'] = { type: 'string' } as never
      at(document, CREATED)['required'] = ['type', 'id', 'attributes'] as never
    },
  ],
]

describeDatabases(
  'OpenAPI: a document that lies',
  (db) => {
    let document: OpenApiDocument
    let send: Send
    let base: string

    beforeAll(async () => {
      ;({ send, base } = served(db))
      document = await (await send(new Request(`${base}/openapi.json`))).json()
    })

    beforeEach(() => db.fill(seedBlog))

    it('is not what is served', async () => {
      for (const [, only] of LIES) expect(await lieIn(document, only)).toBeUndefined()
    }, 120_000)

    it.each(LIES)('is found out where %s', async (_what, only, tell) => {
      const lying = structuredClone(document)
      tell(lying as never)
      expect(await lieIn(lying, only)).toBeDefined()
    })

    /** By requests that reach errors, and by requests that are right. */
    async function lieIn(document: OpenApiDocument, only: RegExp): Promise<string | undefined> {
      const validate = validatorOf(document)
      for (const described of operationsOf(document)) {
        const { operationId } = described.operation
        if (!only.test(operationId)) continue
        for (const provocation of PROVOCATIONS.filter(({ operation }) => operation === operationId)) {
          const response = await send(requestOf(described, provocation, base))
          const answer = { status: response.status, headers: response.headers, text: await response.text() }
          const lie = contradiction(described, provocation, answer, validate)
          if (lie !== undefined) return lie
        }
      }
      return findLie(document, send, { base, calls: 40, seed: 7, only })
    }
  },
  { only: ['SQLite'] },
)
