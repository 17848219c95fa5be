import { beforeAll, expect, it } from 'vitest'

import type { JsonSchema, OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { openApi } from '../../runtime/openapi/index.js'
import type { ApiHandler } from '../../runtime/http/handler-types.js'
import { type Database, describeDatabases } from '../support/databases.js'
import type { FixtureName } from '../support/fixtures.js'
import { isLong } from '../support/form.js'
import { seedBlog } from '../support/seed-blog.js'
import { operationsOf } from './support/described.js'
import { findMismatches, type Send } from './support/rpc-conformance.js'
import { served as servedInRest } from './support/served.js'
import { validatorOf } from './support/validator.js'

const BASE = 'https://example.com/api'

/** Fixtures and their expected errors. A model of `annotations` has a required field that no caller can write. */
const FIXTURES: ReadonlyMap<FixtureName, RegExp | undefined> = new Map<FixtureName, RegExp | undefined>([
  ['blog', undefined],
  ['annotations', /is required, and no caller can write it/],
  ['workspace', undefined],
  ['tenants', undefined],
  ['names', undefined],
])

for (const [fixture, ignoredLogs] of FIXTURES) {
  describeDatabases(
    `OpenAPI: RPC document of ${fixture}`,
    (db) => {
      beforeAll(async () => {
        await db.reset()
        if (fixture === 'blog') await seedBlog(db as unknown as Database)
      })

      it('describes the responses to generated valid requests', async () => {
        const send = served(db)
        const document = await documentOf(send)
        const mismatches = await findMismatches({
          document,
          base: BASE,
          send,
          calls: isLong ? 4 : 3,
          seed: 20_261_122,
          ...(ignoredLogs && { ignoredLogs }),
        })
        expect(mismatches).toEqual([])
      }, 300_000)
    },
    { fixture },
  )
}

describeDatabases(
  'OpenAPI: RPC document of kitchen-sink',
  (db) => {
    it.runIf(isLong)(
      'describes the responses to generated valid requests',
      async () => {
        const send = served(db)
        // The view does not exist, and the driver of the embedded database does not accept empty lists of bytes.
        const ignoredLogs = /PersonStats|bytea/
        const document = await documentOf(send)
        expect(await findMismatches({ document, base: BASE, send, calls: 4, seed: 20_261_122, ignoredLogs })).toEqual(
          [],
        )
      },
      300_000,
    )
  },
  { fixture: 'kitchen-sink', only: ['PGlite'] },
)

describeDatabases(
  'OpenAPI: RPC document',
  (db) => {
    it('lists exactly the routed operations, except for PUT, which is equivalent to PATCH', async () => {
      const send = served(db)
      const document = await documentOf(send)
      const described = operationsOf(document).map(({ method, path }) => `${method} ${path}`)
      expect(described.filter((one) => one.includes('/tag/')).sort()).toEqual(
        [
          ...READS.flatMap((name) => [`get /tag/${name}`, `post /tag/${name}`]),
          ...CREATES.map((name) => `post /tag/${name}`),
          ...UPDATES.map((name) => `patch /tag/${name}`),
          'delete /tag/delete',
          'delete /tag/deleteMany',
        ].sort(),
      )
    })

    it('describes the operations and results of transactions if they are enabled', async () => {
      expect(Object.keys((await documentOf(served(db))).paths)).not.toContain('/$transaction/sequential')
      const send = served(db, { transactions: true })
      const document = await documentOf(send)
      const path = document.paths['/$transaction/sequential']?.post
      const { requestBody } = path ?? {}
      const content = requestBody && 'content' in requestBody ? requestBody.content : {}
      const schema = content['application/json']?.schema ?? {}
      const validate = validatorOf(document)
      const operations = [
        { model: 'Tag', op: 'create', args: { data: { name: 'described' } } },
        { model: 'Tag', op: 'count' },
        { model: 'Tag', op: 'count', args: { select: { _all: true } } },
        { model: 'Tag', op: 'aggregate', args: { _min: { name: true } } },
        { model: 'Tag', op: 'groupBy', args: { by: ['name'], _count: true } },
        { model: 'Tag', op: 'findMany', args: { include: { posts: true } } },
        { model: 'Tag', op: 'findUnique', args: { where: { name: 'nothing' } } },
        { model: 'Tag', op: 'exists', args: { where: { name: 'described' } } },
        {
          model: 'Post',
          op: 'create',
          args: { data: { slug: 'described', title: 'Described' }, select: { id: true } },
        },
        {
          model: 'Post',
          op: 'updateMany',
          args: { where: { slug: 'described' }, data: { viewCount: 3 } },
        },
        { model: 'Post', op: 'delete', args: { where: { slug: 'described' } } },
      ]
      expect(validate(schema, operations)).toBe('')
      for (const wrong of [
        { model: 'Nothing', op: 'count' },
        { model: 'Tag', op: 'nothing' },
        { model: 'Tag', op: 'check', args: { operation: 'read' } },
        { model: 'Tag', op: 'create' },
        { model: 'Tag', op: 'create', args: { data: { unknown: 1 } } },
        { model: 'Tag', op: 'count', args: { data: { name: 'x' } } },
        { model: 'Tag', op: 'findMany', args: { where: { posts: { some: { title: 1 } } } } },
      ]) {
        expect([wrong, validate(schema, [wrong])]).not.toEqual([wrong, ''])
      }
      const { status, body } = await send(
        new Request(`${BASE}/$transaction/sequential`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(operations),
        }),
      )
      expect(status).toBe(200)
      const resultsSchema = document.components.responses['Results']?.content?.['application/json']?.schema ?? {}
      expect(validate(resultsSchema, body)).toBe('')
      for (const wrong of [{ unknown: 1 }, 'text', [[{ unknown: 1 }]], { count: 'x' }]) {
        expect([wrong, validate(resultsSchema, { data: [wrong] })]).not.toEqual([wrong, ''])
      }
    })

    it('assigns a unique, method-like id to each operation', async () => {
      const names = operationsOf(await documentOf(served(db))).map(({ operation }) => operation.operationId)
      expect(names).toContain('postFindMany')
      expect(names).toContain('postFindManyWithBody')
      expect(new Set(names).size).toBe(names.length)
    })

    it('omits hidden and write-only fields from reads, and read-only fields from writes', async () => {
      const document = await documentOf(served(db))
      for (const name of ['User', 'UserWhere', 'UserSelect', 'UserOmit', 'UserOrder', 'UserHaving']) {
        expect(members(document, name)).toContain('email')
        expect(members(document, name)).not.toContain('password')
      }
      expect(members(document, 'UserCreate')).toContain('password')
      expect(members(document, 'UserCreate')).not.toContain('role')
      expect(members(document, 'UserUpdate')).not.toContain('createdAt')
    })

    it('sets `servers` to the mount path unless configured', async () => {
      expect((await documentOf(served(db))).servers).toEqual([{ url: '/api' }])
      expect(
        (await documentOf(served(db, { openapi: openApi({ servers: [{ url: 'https://a.example' }] }) }))).servers,
      ).toEqual([{ url: 'https://a.example' }])
      expect((await served(db)(new Request(`${BASE}/openapi.json`, { method: 'POST' }))).status).toBe(405)
    })

    it('returns the same text on each request, and 404 without `openapi`', async () => {
      const [one, other] = [await documentOf(served(db)), await documentOf(served(db))]
      expect(JSON.stringify(one)).toBe(JSON.stringify(other))
      expect((await served(db, { openapi: undefined })(new Request(`${BASE}/openapi.json`))).status).toBe(404)
    })

    it('throws if the docs path is a model path', () => {
      expect(() => served(db, { openapi: openApi({ docs: '/post' }) })).toThrow('docs: "/post" is taken.')
    })
  },
  { only: ['SQLite'] },
)

/** Returns the names of the members that a schema accepts. */
const members = (document: OpenApiDocument, name: string): readonly string[] => {
  const of = (schema: JsonSchema): readonly string[] => {
    const { $ref, properties = {}, anyOf = [], allOf = [], propertyNames = {} } = schema
    const omitted = new Set(propertyNames.not?.enum)
    const all = [
      ...($ref === undefined ? [] : of(document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {})),
      ...Object.keys(properties),
      ...(propertyNames.$ref === undefined ? [] : (resolved(propertyNames).enum ?? []).map(String)),
      ...[...anyOf, ...allOf].flatMap(of),
    ]
    return all.filter((one) => !omitted.has(one))
  }
  const resolved = ({ $ref = '' }: JsonSchema) => document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}
  return [...new Set(of(document.components.schemas[name] ?? {}))]
}

describeDatabases(
  'OpenAPI: enabled preview features',
  (db) => {
    it('describes `search` in both styles and `_relevance` in the RPC style', async () => {
      const document = await documentOf(served(db))
      for (const name of ['StringFilter', 'StringNullableFilter', 'NestedStringFilter', 'StringHaving']) {
        expect([name, members(document, name)]).toEqual([name, expect.arrayContaining(['contains', 'search'])])
      }
      expect(members(document, 'UuidFilter')).not.toContain('search')
      expect(members(document, 'UniqueOnlyOrder')).toContain('_relevance')
      expect(members(document, 'UniqueOnlyRelevance')).toEqual(['fields', 'search', 'sort'])
      expect(members(document, 'UniqueOnlyFindManyArgs')).not.toContain('relationLoadStrategy')
      const { base, send } = servedInRest(db)
      expect(await (await send(new Request(`${base}/openapi.json`))).text()).toContain('"label$search"')
    })
  },
  { fixture: 'kitchen-sink', only: ['PGlite'] },
)

describeDatabases(
  'OpenAPI: relationLoadStrategy',
  (db) => {
    it('includes `relationLoadStrategy` in top-level reads if the database supports it', async () => {
      const document = await documentOf(served(db))
      const having = Object.keys(document.components.schemas).filter((name) =>
        members(document, name).includes('relationLoadStrategy'),
      )
      const expected = ['WordFindFirstArgs', 'WordFindManyArgs', 'WordFindUniqueArgs']
      expect(having.filter((name) => /^Word[A-Z]/.test(name))).toEqual(db.provider === 'sqlite' ? [] : expected)
    })
  },
  { fixture: 'names', only: ['SQLite', 'postgresql'] },
)

describeDatabases(
  'OpenAPI: disabled preview features',
  (db) => {
    it('omits `search`, `_relevance` and `relationLoadStrategy`', async () => {
      const { base, send } = servedInRest(db)
      const rest = await (await send(new Request(`${base}/openapi.json`))).text()
      expect(rest).not.toContain('$search')
      const document = await documentOf(served(db))
      expect(members(document, 'StringFilter')).not.toContain('search')
      expect(JSON.stringify(document)).not.toMatch(/_relevance|relationLoadStrategy/)
    })
  },
  { only: ['SQLite', 'PGlite'] },
)

const READS =
  'findMany findFirst findFirstOrThrow findUnique findUniqueOrThrow count aggregate groupBy exists check'.split(' ')
const CREATES = ['create', 'createMany', 'createManyAndReturn', 'upsert']
const UPDATES = ['update', 'updateMany', 'updateManyAndReturn']

/** Serves the RPC style of a fixture with its document, and collects the log of each request. */
function served<F extends FixtureName>(db: Database<F>, options: object = {}): Send {
  const routes = db.routes as unknown as { RPCApiHandler(options: object): ApiHandler<unknown> }
  const handler = routes.RPCApiHandler({
    openapi: openApi(),
    limits: { filterCost: 2000 },
    transactions: false,
    ...options,
  })
  return async (request) => {
    const logged: string[] = []
    const log = (message: string, error: unknown) => {
      logged.push(error instanceof Error ? `${message} ${error.message}` : message)
    }
    const response = await handler.fetch(request, { getOrm: () => db.orm, prefix: '/api', log })
    return { status: response.status, body: await response.json(), logged: logged.join('\n') }
  }
}

async function documentOf(send: Send): Promise<OpenApiDocument> {
  const { body } = await send(new Request(`${BASE}/openapi.json`))
  return body as OpenApiDocument
}
