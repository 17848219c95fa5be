import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'

import { openApi } from '@routewright/runtime/openapi'
import { describe, expect, it } from 'vitest'

import { defineRpcRoutes } from '../../fixtures/blog/expected/custom-routes.js'
import * as blog from '../../fixtures/blog/expected/index.js'
import { describeExports } from '../../generator/openapi/describe-exports.js'
import { describeDocumentDrift, hasDocumentDrift } from '../../generator/openapi/document-drift.js'
import { assignDocumentPaths } from '../../generator/openapi/document-paths.js'
import { compareDocuments, type DocumentPlan } from '../../generator/openapi/plan-documents.js'
import { requestsFromArguments, requestsFromSchema } from '../../generator/openapi/document-requests.js'
import { applyPlan } from '../../generator/output/apply.js'
import { displayPath } from '../../generator/output/report.js'
import { folderWith, read } from '../output/folders.js'

const endpoint = 'https://example.com/api'

describe('describeExports', () => {
  it('returns the exact text that the handler serves', async () => {
    const rest = blog.RestApiHandler({ endpoint, openapi: openApi() })
    const { documents } = await describeExports({ rest })
    const getOrm = () => Promise.reject(new Error('not asked'))
    const served = await rest.fetch(new Request('https://example.com/api/openapi.json'), { prefix: '/api', getOrm })
    expect(documents).toEqual([{ name: 'rest', text: await served.text() }])
  })

  it('returns each handler once and lists handlers without `openapi` as undescribed', async () => {
    const rpc = blog.RPCApiHandler({ openapi: openApi() })
    const plain = blog.RPCApiHandler()
    const other = { fetch: () => new Response('not asked') }
    const anything = new Proxy({}, { get: () => () => undefined })
    const found = await describeExports({
      anything,
      zero: 0,
      none: null,
      other,
      default: rpc,
      rpc,
      make: () => rpc,
      plain,
    })
    expect(found.documents.map(({ name }) => name)).toEqual(['rpc'])
    expect(found).toMatchObject({ undescribed: ['plain'], failed: [] })
    expect(found.exports).toEqual(['anything', 'default', 'make', 'none', 'other', 'plain', 'rpc', 'zero'])
  })

  it('returns the status and detail of documents that cannot be fetched', async () => {
    const extend = () => {
      throw new Error('no such path')
    }
    const broken = blog.RestApiHandler({ endpoint, openapi: openApi({ extend }) })
    const routes = defineRpcRoutes((app) => app.use(async (c) => c.text('Who are you?', 401)))
    const guarded = blog.RPCApiHandler({ routes, openapi: openApi() })
    const page = { fetch: async () => new Response('<html>'), drain: () => undefined }
    expect(await describeExports({ broken, guarded, page })).toMatchObject({
      documents: [],
      failed: [
        { name: 'broken', status: 500, detail: 'Error: no such path' },
        { name: 'guarded', status: 401, detail: 'Who are you?' },
        { name: 'page', status: 200, detail: '<html>' },
      ],
    })
  })

  it('sets the servers of RPC documents to "/" unless `servers` is configured', async () => {
    const servers = [{ url: 'https://example.com/rpc' }]
    const { documents } = await describeExports({
      one: blog.RPCApiHandler({ openapi: openApi() }),
      two: blog.RPCApiHandler({ openapi: openApi({ servers }) }),
    })
    expect(documents.map(({ text }) => JSON.parse(text).servers)).toEqual([[{ url: '/' }], servers])
  })
})

describe('OpenAPI document paths', () => {
  const documentPaths = (found: readonly (readonly [module: string, name: string])[], out?: string) => {
    const documents = found.flatMap(([module, name]) =>
      requestsFromArguments([module], out).map((request) => ({ name, text: '', request })),
    )
    return assignDocumentPaths(documents).map(({ file }) => displayPath(file))
  }

  it('places documents in an openapi folder next to the module or in the given folder', () => {
    const found = [
      ['src/api.ts', 'rest'],
      ['src/admin/api.ts', 'rest'],
      ['src/public.mts', 'default'],
      ['src/api.ts', 'a/b …'],
    ] as const
    expect(documentPaths(found)).toEqual([
      'src/admin/openapi/rest.openapi.json',
      'src/openapi/a-b--.openapi.json',
      'src/openapi/public.openapi.json',
      'src/openapi/rest.openapi.json',
    ])
    expect(documentPaths([['src/api.ts', 'rest']], 'docs/api')).toEqual(['docs/api/rest.openapi.json'])
  })

  it('adds the module name only if two documents would share a path', () => {
    const found = [
      ['src/one.ts', 'rest'],
      ['src/two.ts', 'Rest'],
      ['src/two.ts', 'rpc'],
    ] as const
    expect(documentPaths(found)).toEqual([
      'src/openapi/one.rest.openapi.json',
      'src/openapi/rpc.openapi.json',
      'src/openapi/two.Rest.openapi.json',
    ])
  })

  it('throws if the module names do not resolve the conflict', () => {
    const found = [
      ['src/one/api.ts', 'rest'],
      ['src/two/api.ts', 'rest'],
    ] as const
    expect(() => documentPaths(found, 'docs')).toThrow(
      '"rest" of src/one/api.ts and "rest" of src/two/api.ts would both be written to docs/api.rest.openapi.json.',
    )
    expect(() => documentPaths([...collidingExports])).toThrow(
      '"rest" of src/api.ts and "REST" of src/api.ts would both be',
    )
  })
  const collidingExports = [
    ['src/api.ts', 'rest'],
    ['src/api.ts', 'REST'],
  ] as const

  it('requests each module once across the generator blocks of a schema', () => {
    const block = (name: string, openapi: string | string[], format: string) => ({
      name,
      provider: 'routewright',
      output: `/app/src/${name}`,
      isCustomOutput: true,
      previewFeatures: [],
      config: { openapi, format },
      file: '/app/prisma/schema.prisma',
    })
    const blocks = [block('one', '../src/api.ts', 'none'), block('two', ['../src/api.ts', '../b.ts'], 'prettier')]
    expect(requestsFromSchema(blocks).map(({ module, format }) => [module, format])).toEqual([
      [path.resolve('/app/src/api.ts'), 'none'],
      [path.resolve('/app/b.ts'), 'prettier'],
    ])
  })
})

describe('Committed OpenAPI document', () => {
  const text = (members: object) => JSON.stringify({ openapi: '3.1.1', ...members })
  const compare = async (folder: string, served: Readonly<Record<string, string>>, areAll = true) => {
    const requests = requestsFromArguments([path.join(folder, 'api.ts')])
    const found = requests.flatMap((request) =>
      Object.entries(served).map(([name, served]) => ({ name, text: served, request })),
    )
    const plan: DocumentPlan = { ...(await compareDocuments(requests, found, areAll)), notes: [] }
    return { plan, drift: describeDocumentDrift(plan).replaceAll(`${displayPath(folder)}/`, '') }
  }
  const NAME = 'openapi/rest.openapi.json'

  it('writes a missing document and accepts any layout afterwards', async () => {
    const folder = folderWith({ '.prettierrc': '{ "tabWidth": 4 }' })
    const served = { rest: text({ tags: ['a', 'b'] }) }
    const { plan, drift } = await compare(folder, served)
    expect(drift).toBe(`${NAME}: this document is missing.\n`)
    await applyPlan(plan, () => undefined)
    expect(read(folder)[NAME]).toBe('{\n    "openapi": "3.1.1",\n    "tags": ["a", "b"]\n}\n')
    for (const committed of [
      read(folder)[NAME] ?? '',
      served.rest,
      JSON.stringify(JSON.parse(served.rest), null, '\r\n'),
    ]) {
      const again = await compare(folderWith({ [NAME]: committed }), served)
      expect([hasDocumentDrift(again.plan), again.drift]).toEqual([false, ''])
    }
  })

  it('labels each hunk of the diff with its part of the document', async () => {
    const post = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
    const get = { parameters: [{ name: 'a' }, { name: 'b' }], responses: {} }
    const document = { openapi: '3.1.1', paths: { '/post': { get } }, components: { schemas: { Post: post } } }
    const folder = folderWith({ '.prettierrc': '{}', [NAME]: `${JSON.stringify(document, null, 2)}\n` })
    const changed = JSON.stringify(document).replace('"b"', '"c"').replace('"string"', '"integer"')
    const heads = (await compare(folder, { rest: changed })).drift.split('\n').filter((line) => line.startsWith('@@'))
    expect(heads.map((head) => head.replace(/^@@ .* @@ /, ''))).toEqual(['paths /post get', 'components schemas Post'])
  })

  it('reports changed values and changed member order as drift', async () => {
    const folder = folderWith({ [NAME]: `${JSON.stringify({ openapi: '3.1.1', info: { title: 'A' } }, null, 2)}\n` })
    const { drift } = await compare(folder, { rest: text({ info: { title: 'B' } }) })
    expect(drift).toBe(
      `--- a/${NAME}\n+++ b/${NAME}\n@@ -1,6 +1,6 @@ info\n {\n   "openapi": "3.1.1",\n   "info": {\n-    "title": "A"\n+    "title": "B"\n   }\n }\n`,
    )
    const ordered = folderWith({ [NAME]: text({ a: 1, b: 2 }) })
    expect((await compare(ordered, { rest: text({ b: 2, a: 1 }) })).plan.writes).toHaveLength(1)
  })

  it.each([
    [150, new RegExp('"m": 150\\n')],
    [900, /\nopenapi\/rest\.openapi\.json: \d+ more lines of this diff are not shown\.\n$/],
    [5000, /^openapi\/rest\.openapi\.json: more than 2000 lines differ\.\n$/],
  ])('%i changed lines: prints a diff of limited length', async (lines, expected) => {
    const many = Object.fromEntries(Array.from({ length: lines }, (_, i) => [`name${i}`, i]))
    const folder = folderWith({ [NAME]: `${JSON.stringify({ openapi: '3.1.1', m: 0 }, null, 2)}\n` })
    const { drift } = await compare(folder, { rest: text({ ...many, m: lines }) })
    expect(drift).toMatch(expected)
    expect(drift.split('\n').length).toBeLessThanOrEqual(202)
  })

  it('reports a document without a handler if all modules are known, but keeps the file', async () => {
    const files = {
      [NAME]: text({}),
      'openapi/old.openapi.json': text({}),
      'openapi/v2.openapi.json': '{"openapi":"3.0.0"}',
    }
    const folder = folderWith({ ...files, 'openapi/notes.json': text({}), 'openapi/.routewright-1-0.tmp': '' })
    const { plan, drift } = await compare(folder, { rest: text({}) })
    expect(drift).toBe('openapi/old.openapi.json: no handler serves this document.\n')
    expect((await compare(folder, { rest: text({}) }, false)).drift).toBe('')
    await applyPlan(plan, () => undefined)
    expect(Object.keys(read(folder))).toContain('openapi/old.openapi.json')
  })

  it('overwrites merge conflicts but rejects targets that are not OpenAPI 3.1 documents', async () => {
    const conflict = '{\n  "openapi": "3.1.1",\n<<<<<<< ours\n'
    expect((await compare(folderWith({ [NAME]: conflict }), { rest: text({}) })).plan.writes).toHaveLength(1)
    const folder = folderWith({ [NAME]: '{ "openapi": "3.0.3" }' })
    mkdirSync(path.join(folder, 'openapi/rpc.openapi.json'))
    symlinkSync('/dev/null', path.join(folder, 'openapi/linked.openapi.json'))
    const error = await compare(folder, { rest: text({}), rpc: text({}), linked: text({}) }).catch(String)
    expect(error).toMatch(
      /rest\.openapi\.json cannot be written: it is not an OpenAPI 3\.1 document, so routewright did not write it\./,
    )
    expect(error).toMatch(/rpc\.openapi\.json cannot be written: it is a folder\./)
    expect(error).toMatch(/linked\.openapi\.json cannot be written: it is not a regular file\./)
  })
})
