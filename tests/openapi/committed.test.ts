import { mkdirSync, symlinkSync } from 'node:fs'
import path from 'node:path'

import { openApi } from '@routewright/runtime/openapi'
import { describe, expect, it } from 'vitest'

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

describe('the handlers that a module exports', () => {
  it('are asked for what they serve, to the last byte', async () => {
    const rest = blog.RestApiHandler({ endpoint, openapi: openApi() })
    const { documents } = await describeExports({ rest })
    const getOrm = () => Promise.reject(new Error('not asked'))
    const served = await rest.fetch(new Request('https://example.com/api/openapi.json'), { prefix: '/api', getOrm })
    expect(documents).toEqual([{ name: 'rest', text: await served.text() }])
  })

  it('are found among whatever else there is, each once, and those without a description are named', async () => {
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

  it('fail with what they answer, or what was thrown', async () => {
    const extend = () => {
      throw new Error('no such path')
    }
    const broken = blog.RestApiHandler({ endpoint, openapi: openApi({ extend }) })
    const routes = blog.defineRpcRoutes((app) => app.use(async (c) => c.text('Who are you?', 401)))
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

  it('of the RPC style say that they are at the root, unless `servers` says otherwise', async () => {
    const servers = [{ url: 'https://example.com/rpc' }]
    const { documents } = await describeExports({
      one: blog.RPCApiHandler({ openapi: openApi() }),
      two: blog.RPCApiHandler({ openapi: openApi({ servers }) }),
    })
    expect(documents.map(({ text }) => JSON.parse(text).servers)).toEqual([[{ url: '/' }], servers])
  })
})

describe('the place of a document', () => {
  const placesOf = (found: readonly (readonly [module: string, name: string])[], out?: string) => {
    const documents = found.flatMap(([module, name]) =>
      requestsFromArguments([module], out).map((request) => ({ name, text: '', request })),
    )
    return assignDocumentPaths(documents).map(({ file }) => displayPath(file))
  }

  it('is beside its module, by the name of its export, or in the folder of your choice', () => {
    const found = [
      ['src/api.ts', 'rest'],
      ['src/admin/api.ts', 'rest'],
      ['src/public.mts', 'default'],
      ['src/api.ts', 'a/b …'],
    ] as const
    expect(placesOf(found)).toEqual([
      'src/admin/openapi/rest.openapi.json',
      'src/openapi/a-b--.openapi.json',
      'src/openapi/public.openapi.json',
      'src/openapi/rest.openapi.json',
    ])
    expect(placesOf([['src/api.ts', 'rest']], 'docs/api')).toEqual(['docs/api/rest.openapi.json'])
  })

  it('tells modules apart that would share it, and no others', () => {
    const found = [
      ['src/one.ts', 'rest'],
      ['src/two.ts', 'Rest'],
      ['src/two.ts', 'rpc'],
    ] as const
    expect(placesOf(found)).toEqual([
      'src/openapi/one.rest.openapi.json',
      'src/openapi/rpc.openapi.json',
      'src/openapi/two.Rest.openapi.json',
    ])
  })

  it('is refused where the names of modules do not tell them apart either', () => {
    const found = [
      ['src/one/api.ts', 'rest'],
      ['src/two/api.ts', 'rest'],
    ] as const
    expect(() => placesOf(found, 'docs')).toThrow(
      '"rest" of src/one/api.ts and "rest" of src/two/api.ts would both be described in docs/api.rest.openapi.json.',
    )
    expect(() => placesOf([...placeTwice])).toThrow('"rest" of src/api.ts and "REST" of src/api.ts would both be')
  })
  const placeTwice = [
    ['src/api.ts', 'rest'],
    ['src/api.ts', 'REST'],
  ] as const

  it('comes once from each module that the blocks of a schema name', () => {
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

describe('a committed document', () => {
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

  it('is written whole, and then left alone however it is laid out', async () => {
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

  it('is shown with the part that each difference is in', async () => {
    const post = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } }
    const get = { parameters: [{ name: 'a' }, { name: 'b' }], responses: {} }
    const document = { openapi: '3.1.1', paths: { '/post': { get } }, components: { schemas: { Post: post } } }
    const folder = folderWith({ '.prettierrc': '{}', [NAME]: `${JSON.stringify(document, null, 2)}\n` })
    const changed = JSON.stringify(document).replace('"b"', '"c"').replace('"string"', '"integer"')
    const heads = (await compare(folder, { rest: changed })).drift.split('\n').filter((line) => line.startsWith('@@'))
    expect(heads.map((head) => head.replace(/^@@ .* @@ /, ''))).toEqual(['paths /post get', 'components schemas Post'])
  })

  it('differs by what it says, and by the order in which it does', async () => {
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
    [900, /\nopenapi\/rest\.openapi\.json: \d+ more lines of this difference are not shown\.\n$/],
    [5000, /^openapi\/rest\.openapi\.json: more than 2000 lines differ\.\n$/],
  ])('that differs in %i lines is shown as far as somebody would read', async (lines, shown) => {
    const many = Object.fromEntries(Array.from({ length: lines }, (_, i) => [`name${i}`, i]))
    const folder = folderWith({ [NAME]: `${JSON.stringify({ openapi: '3.1.1', m: 0 }, null, 2)}\n` })
    const { drift } = await compare(folder, { rest: text({ ...many, m: lines }) })
    expect(drift).toMatch(shown)
    expect(drift.split('\n').length).toBeLessThanOrEqual(202)
  })

  it('that no handler gives is an orphan where all modules are known, and stays where it is', async () => {
    const files = {
      [NAME]: text({}),
      'openapi/old.openapi.json': text({}),
      'openapi/v2.openapi.json': '{"openapi":"3.0.0"}',
    }
    const folder = folderWith({ ...files, 'openapi/notes.json': text({}), 'openapi/.routewright-1-0.tmp': '' })
    const { plan, drift } = await compare(folder, { rest: text({}) })
    expect(drift).toBe('openapi/old.openapi.json: no handler gives this document.\n')
    expect((await compare(folder, { rest: text({}) }, false)).drift).toBe('')
    await applyPlan(plan, () => undefined)
    expect(Object.keys(read(folder))).toContain('openapi/old.openapi.json')
  })

  it('is written over where a merge has left a conflict, and over nothing that is no document', async () => {
    const conflict = '{\n  "openapi": "3.1.1",\n<<<<<<< ours\n'
    expect((await compare(folderWith({ [NAME]: conflict }), { rest: text({}) })).plan.writes).toHaveLength(1)
    const folder = folderWith({ [NAME]: '{ "openapi": "3.0.3" }' })
    mkdirSync(path.join(folder, 'openapi/rpc.openapi.json'))
    symlinkSync('/dev/null', path.join(folder, 'openapi/own.openapi.json'))
    const refused = await compare(folder, { rest: text({}), rpc: text({}), own: text({}) }).catch(String)
    expect(refused).toMatch(/rest\.openapi\.json cannot be written: it is no OpenAPI 3\.1 document, and so not ours\./)
    expect(refused).toMatch(/rpc\.openapi\.json cannot be written: it is a folder\./)
    expect(refused).toMatch(/own\.openapi\.json cannot be written: it is no regular file\./)
  })
})
