import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import { openApi, type OpenApiOptions, type SchemaDescriptions } from '@routewright/runtime/openapi'

import type { ApiHandler } from '../../../runtime/http/handler-types.js'
import type { OpenApiDocument } from '../../../runtime/openapi/document-types.js'
import { preparedFixture, type Provider } from '../../../scripts/prepare-fixtures.js'
import type { FixtureName } from '../../support/fixtures.js'

/** The `info` of a well described API. */
export const INFO = {
  title: 'Blog',
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
  contact: { name: 'The editors', email: 'editors@example.com' },
} as const

/** An API to describe: a fixture and the options of its handlers. */
interface Api {
  readonly name: string
  readonly fixture: FixtureName
  readonly provider?: Provider
  readonly described?: OpenApiOptions
  readonly rest?: object
  readonly rpc?: object
}

/** Options for several operations per request. */
const AT_ONCE = { rest: { atomicOperations: true }, rpc: { transactions: true } } as const

const APIS: readonly Api[] = [
  { name: 'annotations', fixture: 'annotations' },
  { name: 'annotations-at-once', fixture: 'annotations', ...AT_ONCE },
  { name: 'blog', fixture: 'blog' },
  { name: 'blog-at-once', fixture: 'blog', ...AT_ONCE },
  { name: 'blog-mysql', fixture: 'blog', provider: 'mysql' },
  { name: 'blog-postgresql', fixture: 'blog', provider: 'postgresql' },
  {
    name: 'blog-options',
    fixture: 'blog',
    described: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } }, appErrors: [401, 403, 429] },
    rest: {
      strict: true,
      modelNameMapping: { Post: 'posts', User: 'users', Tag: 'tags' },
      externalIdMapping: { Post: 'slug' },
      computed: { Post: ['excerpt'] },
      pageSize: Infinity,
      limits: { includeDepth: 1 },
    },
    rpc: { computed: { Post: ['excerpt'] }, limits: { includeDepth: 1, rows: Infinity } },
  },
  { name: 'kitchen-sink', fixture: 'kitchen-sink' },
  { name: 'names', fixture: 'names' },
  { name: 'shards', fixture: 'shards' },
  { name: 'tenants', fixture: 'tenants' },
  { name: 'workspace', fixture: 'workspace' },
]

/**
 * Returns both documents of every served fixture, and of the blog with other options and databases, by names such as
 * `blog.rest`.
 */
export async function fixtureDocuments(): Promise<ReadonlyMap<string, OpenApiDocument>> {
  return new Map((await Promise.all(APIS.map(documentsOf))).flat())
}

type Handlers = Readonly<Record<'RestApiHandler' | 'RPCApiHandler', (options: object) => ApiHandler<unknown>>>

async function documentsOf({ name, fixture, provider, described, rest, rpc }: Api) {
  const { folder } = preparedFixture(fixture, provider)
  const load = (file: string): Promise<unknown> => import(pathToFileURL(join(folder, 'expected', file)).href)
  const { RestApiHandler, RPCApiHandler } = (await load('index.ts')) as Handlers
  const { descriptions } = (await load('descriptions.ts')) as { readonly descriptions: SchemaDescriptions }
  const openapi = openApi({ info: INFO, descriptions, ...described })
  const documents: [name: string, document: OpenApiDocument][] = [
    [`${name}.rest`, await documentOf(RestApiHandler({ endpoint: ENDPOINT, openapi, ...rest }))],
    [`${name}.rpc`, await documentOf(RPCApiHandler({ openapi, ...rpc }))],
  ]
  return documents
}

const ENDPOINT = 'https://blog.test/api'

async function documentOf(handler: ApiHandler<unknown>): Promise<OpenApiDocument> {
  const getOrm = () => {
    throw new Error('Descriptions need no client.')
  }
  const response = await handler.fetch(new Request(`${ENDPOINT}/openapi.json`), { getOrm, prefix: '/api' })
  return (await response.json()) as OpenApiDocument
}
