import { openApi } from '@routewright/runtime/openapi'
import { beforeEach, expect, expectTypeOf, it } from 'vitest'

import { createRestClient, createRpcClient, type Fetch } from '../../client/index.js'
import { createRestQueries, createRpcQueries } from '../../client/query/index.js'
import type { Api } from '../../fixtures/workspace/expected/client.js'
import { graph } from '../../fixtures/workspace/expected/graph.js'
import { defineHooks } from '../../fixtures/workspace/expected/hooks.js'
import { abilityBuilder, withPolicies } from '../../fixtures/workspace/expected/policy.js'
import type { OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { fillWorkspace, type Workspace } from '../hooks/support/workspace.js'
import { operationsOf, responseOf } from '../openapi/support/described.js'
import { validatorOf } from '../openapi/support/validator.js'
import { describeDatabases } from '../support/databases.js'

const BASE = 'https://example.com/api'

/** Both handlers of a workspace whose documents are hidden from the caller, apart from the one with the title "Two". */
function handlers(db: Workspace, hiddenBy: 'policy' | 'hook') {
  const { can, cannot, build } = abilityBuilder()
  can('manage', 'all')
  cannot('read', 'Document', { title: { not: 'Two' } })
  const hooks = defineHooks({ Document: { where: () => ({ title: 'Two' }) } })
  const orm = hiddenBy === 'policy' ? db.orm.$extends(withPolicies(build())) : db.orm
  const options = { openapi: openApi(), ...(hiddenBy === 'hook' && { hooks }) }
  const serve = (handler: { fetch(request: Request, bindings: never): Promise<Response> }): Fetch => {
    return (request) => handler.fetch(request, { getOrm: () => orm, context: () => ({}), prefix: '/api' } as never)
  }
  return {
    rest: serve(db.routes.RestApiHandler({ endpoint: BASE, ...options })),
    rpc: serve(db.routes.RPCApiHandler({ ...options, transactions: true })),
  }
}

/** Forwards requests and collects the responses that the handler's OpenAPI document does not allow. */
async function compareWithDocument(fetch: Fetch, contradictions: string[]): Promise<Fetch> {
  const document: OpenApiDocument = await (await fetch(new Request(`${BASE}/openapi.json`))).json()
  const validate = validatorOf(document)
  const operations = operationsOf(document).map((described) => {
    const path = described.path.replaceAll('$', String.raw`\$`).replaceAll(/\{\w+\}/g, '[^/]+')
    return { described, path: new RegExp(`^/api${path}$`) }
  })
  return async (request) => {
    const response = await fetch(request)
    const { pathname } = new URL(request.url)
    const found = operations.find(({ described: { method }, path }) => {
      return method === request.method.toLowerCase() && path.test(pathname)
    })
    const [media] = Object.values((found && responseOf(found.described, response.status)?.content) ?? {})
    const violation = media ? validate(media.schema, await response.clone().json()) : 'is not in the document'
    if (violation !== '') contradictions.push(`${request.method} ${pathname}: ${violation}`)
    return response
  }
}

describeDatabases(
  'clients: required relation to a hidden row',
  (db) => {
    beforeEach(() => db.fill(fillWorkspace))

    it.each(['policy', 'hook'] as const)('%s: returns null in RPC results', async (hiddenBy) => {
      const contradictions: string[] = []
      const fetch = await compareWithDocument(handlers(db, hiddenBy).rpc, contradictions)
      const rpc = createRpcClient<Api>({ url: BASE, fetch })
      const of = { where: { id: 1 }, include: { document: true } } as const

      const [listed] = await rpc.comment.findMany(of)
      expectTypeOf(listed?.document).extract<null>().toBeNull()
      expectTypeOf(listed?.document?.title).toEqualTypeOf<string | undefined>()
      const selected = await rpc.comment.findUnique({
        where: { id: 1 },
        select: { document: { select: { title: true } } },
      })
      expectTypeOf(selected?.document).toEqualTypeOf<{ title: string } | null | undefined>()
      const updated = await rpc.comment.update({ ...of, data: { text: 'x' } })
      expectTypeOf(updated.document).extract<null>().toBeNull()
      const person = await rpc.person.findUniqueOrThrow({
        where: { id: 2 },
        select: { comments: { select: { document: true } } },
      })
      expectTypeOf(person.comments[0]?.document).extract<null>().toBeNull()
      const [call] = await rpc.$transaction([
        rpc.comment.findFirst.call({ where: { id: 1 }, include: { document: true } }),
      ])
      expectTypeOf(call?.document).extract<null>().toBeNull()

      const nested = person.comments[0]?.document
      expect([listed?.document, selected?.document, updated.document, nested, call?.document]).toEqual(
        Array(5).fill(null),
      )
      expect((await rpc.comment.findFirst({ where: { documentId: 1 } }))?.documentId).toBe(1)
      expect(contradictions).toEqual([])
    })

    it.each(['policy', 'hook'] as const)('%s: returns null in REST resources', async (hiddenBy) => {
      const contradictions: string[] = []
      const fetch = await compareWithDocument(handlers(db, hiddenBy).rest, contradictions)
      const rest = createRestClient<Api>({ url: BASE, graph, fetch })
      const included = { include: ['document'] } as const

      const [listed] = await rest.comment.list({ ...included, filter: { id: 1 } })
      expectTypeOf(listed?.document).extract<null>().toBeNull()
      expectTypeOf(listed?.document?.title).toEqualTypeOf<string | undefined>()
      const one = await rest.comment.get(1, included)
      expectTypeOf(one.document).extract<null>().toBeNull()
      const updated = await rest.comment.update(1, { text: 'y' }, included)
      expectTypeOf(updated.document).extract<null>().toBeNull()
      const person = await rest.person.get(2, { include: ['comments.document'] })
      expectTypeOf(person.comments[0]?.document).extract<null>().toBeNull()
      const related = await rest.comment.related(1, 'document')
      expectTypeOf(related).extract<null>().toBeNull()
      const { document } = person.comments[0] ?? {}
      expect([listed?.document, one.document, updated.document, document, related]).toEqual(Array(5).fill(null))

      // The foreign key is a field of the comment, so the linkage is built from it.
      const plain = await rest.comment.get(1)
      expectTypeOf(plain.document).extract<null>().toBeNull()
      expect(plain.document?.id).toBe('1')
      expect(contradictions).toEqual([])
    })
  },
  { fixture: 'workspace' },
)

it('TanStack queries: types a required relation to a hidden row as nullable', () => {
  const rpc = createRpcQueries(createRpcClient<Api>({ url: BASE }), { graph })
  const rest = createRestQueries(createRestClient<Api>({ url: BASE, graph }), { graph })
  const rows = rpc.comment.findMany.queryOptions({ include: { document: true } })
  const resources = rest.comment.list.queryOptions({ include: ['document'] })
  type Row = Awaited<ReturnType<typeof rows.queryFn>>[number]
  type Resource = Awaited<ReturnType<typeof resources.queryFn>>[number]
  expectTypeOf<Row['document']>().extract<null>().toBeNull()
  expectTypeOf<Resource['document']>().extract<null>().toBeNull()
})
