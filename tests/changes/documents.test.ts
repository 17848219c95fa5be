import { openApi } from '@routewright/runtime/openapi'
import { describe, expect, it } from 'vitest'

import { RestApiHandler, RPCApiHandler } from '../../fixtures/blog/expected/index.js'
import { compareSummaries } from '../../generator/changes/documents/compare-documents.js'
import { summarizeDocument } from '../../generator/changes/documents/document-summary.js'
import { SCHEMA_HEAD } from '../support/generate.js'
import { repositoryWith } from './support/repository.js'

const endpoint = 'https://example.com'

interface Describing {
  fetch(request: Request, options: object): Promise<Response>
}

async function documentOf(handler: unknown): Promise<unknown> {
  const response = await (handler as Describing).fetch(new Request(`${endpoint}/openapi.json`), { getOrm: () => ({}) })
  return await response.json()
}

const rest = (options: object = {}) => documentOf(RestApiHandler({ endpoint, openapi: openApi(), ...options }))
const rpc = (options: object = {}) => documentOf(RPCApiHandler({ openapi: openApi(), ...options }))

async function changes(before: Promise<unknown>, after: Promise<unknown>, exposedModels: readonly string[] = []) {
  const [was, is] = [summarizeDocument(await before), summarizeDocument(await after)]
  const found = compareSummaries(was, is, (model) => model !== undefined && exposedModels.includes(model))
  return found.map(({ kind, code, model, detail }) => [kind, code, model, detail])
}

describe('compareSummaries', () => {
  it('returns no findings for equal documents', async () => {
    expect(await changes(rest(), rest())).toEqual([])
    expect(await changes(rpc(), rpc())).toEqual([])
  })

  it('reports a changed path per mapped model and removed endpoints of unmapped models', async () => {
    const names = { modelNameMapping: { Post: 'posts', User: 'user' } }
    const found = await changes(rest(), rest(names))
    expect(found.filter(([, code]) => code === 'path-changed')).toEqual([
      ['breaking', 'path-changed', 'Post', '/post -> /posts'],
    ])
    expect(found).toContainEqual(['breaking', 'endpoint-removed', 'Tag', 'listTags'])
    expect(await changes(rest(names), rest())).toContainEqual(['exposure', 'endpoint-added', 'Tag', 'listTags'])
  })

  it('reports a changed externalIdMapping as breaking', async () => {
    const found = await changes(rest(), rest({ externalIdMapping: { Post: 'slug' } }))
    expect(found).toEqual([['breaking', 'id-mapped', 'Post', 'IntFilter -> StringFilter']])
  })

  it('reports the changed path of a single operation, such as a custom route', () => {
    const summarize = (path: string) =>
      summarizeDocument({ paths: { [path]: { get: { operationId: 'summaryReports', tags: ['reports'] } } } })
    const [finding, ...others] = compareSummaries(
      summarize('/reports/summary'),
      summarize('/reports/overview'),
      () => false,
    )
    expect(others).toEqual([])
    expect(finding).toMatchObject({ kind: 'breaking', code: 'path-changed', model: 'reports' })
    expect(finding?.sentence).toContain('`/reports/overview` instead of `/reports/summary`')
  })

  it('reads the id filters and limits of documents in the previous form', () => {
    const schema = { $ref: '#/components/schemas/IntFilter' }
    const list = { operationId: 'listPosts', tags: ['Post'], parameters: [{ name: 'filter[id]', in: 'query', schema }] }
    const { ids, limits } = summarizeDocument({
      paths: { '/post': { get: list } },
      components: { responses: { 400: { description: 'Limits:\n\n- at most 12 levels of nesting\n' } } },
    })
    expect([...ids, ...limits]).toEqual([
      ['Post', 'IntFilter'],
      ['levels of nesting', 12],
    ])
  })

  it('reports lowered limits as breaking and raised limits as loosened', async () => {
    const small = { maxPageSize: 50, pageSize: 20 }
    expect(await changes(rest(), rest(small))).toEqual([
      ['breaking', 'limit-lowered', undefined, 'page[limit] 1000 -> 50'],
    ])
    expect(await changes(rest(small), rest())).toEqual([
      ['loosened', 'limit-raised', undefined, 'page[limit] 50 -> 1000'],
    ])
    const found = await changes(rpc(), rpc({ limits: { rows: 500, includeDepth: 9 } }))
    expect(found).toContainEqual(['breaking', 'limit-lowered', undefined, 'take 10000 -> 500'])
    expect(found).toContainEqual(['loosened', 'limit-raised', undefined, 'levels of included relations 5 -> 9'])
  })

  it('omits changes of models that the schema comparison reports', async () => {
    const names = { modelNameMapping: { Post: 'posts' } }
    const found = await changes(rest(), rest(names), ['Post', 'User', 'Tag', 'Comment', 'Category', 'Profile'])
    expect(found).toEqual([])
  })

  it('compares the committed documents of both commits', async () => {
    const schema =
      SCHEMA_HEAD.replace('"./routes"', '"./routes"\n  openapi = "./api.ts"') + 'model User {\n  id Int @id\n}\n'
    const text = async (document: Promise<unknown>) => JSON.stringify(await document)
    const repository = repositoryWith({
      'schema.prisma': schema,
      'openapi/rest.openapi.json': await text(rest()),
      'openapi/broken.openapi.json': '{ "openapi": "3.1.1", <<<<<<<',
    })
    repository.git('checkout', '-q', '-b', 'feature')
    repository.commit({ 'openapi/rest.openapi.json': await text(rest({ maxPageSize: 50, pageSize: 20 })) })
    const { code, out } = await repository.run('changes', '--fail-on', 'breaking')
    expect(code).toBe(1)
    expect(out).toContain(
      '`page[limit]` may be at most 50 instead of 1000: requests that exceed it are rejected (400).',
    )
    expect(out).toContain('    openapi/rest.openapi.json [limit-lowered page[limit] 1000 -> 50]\n')
    repository.write({ 'routewright.changes': 'limit-lowered page[limit] 1000 -> 50: nobody asks for more\n' })
    expect((await repository.run('changes', '--fail-on', 'breaking')).code).toBe(0)
  })
})
