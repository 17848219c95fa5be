import { beforeAll, beforeEach, expect, it } from 'vitest'

import { httpError } from '@routewright/runtime'
import { Prisma, type PrismaClient } from '../../fixtures/blog/client/client.js'
import type { ApiHandler } from '../../runtime/http/handler-types.js'
import type { OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { openApi } from '../../runtime/openapi/index.js'
import { describeDatabases } from '../support/databases.js'
import { seedBlog } from '../support/seed-blog.js'
import { type Described, operationsOf, responseOf, statusesOf } from './support/described.js'
import { type RpcProvocation, rpcProvocations } from './support/rpc-provocations.js'
import { requestOf } from './support/rpc-conformance.js'
import { validatorOf } from './support/validator.js'

const BASE = 'https://example.com/api'

describeDatabases(
  'OpenAPI: errors of the RPC document',
  (db) => {
    let document: OpenApiDocument
    let send: (request: Request) => Promise<Response>

    beforeAll(async () => {
      const handler: ApiHandler<PrismaClient> = db.routes.RPCApiHandler({ openapi: openApi() })
      send = (request) => {
        const getOrm = () => clientOf(db.orm, request)
        return handler.fetch(request, { getOrm, prefix: '/api', log: () => {} })
      }
      document = await (await send(new Request(`${BASE}/openapi.json`))).json()
    })

    beforeEach(() => db.fill(seedBlog))

    it('lists exactly the statuses and codes that each operation responds with', async () => {
      const validate = validatorOf(document)
      const problems: string[] = []
      const codes = new Map<string, Set<string>>()
      const operations = operationsOf(document).filter(({ path }) => path.startsWith('/post/'))
      for (const described of operations) {
        const listed = statusesOf(described)
        const reached = new Set<string>()
        const operation = described.path.split('/').at(-1) ?? ''
        for (const provocation of rpcProvocations(operation, described.requestBody !== undefined, listed)) {
          const response = await send(provoking(described, provocation))
          const body: { readonly code?: string } = await response.json()
          const what = `${described.method} ${described.path} ${provocation.status} ${provocation.headers?.['X-Fails'] ?? ''}`
          if (response.status !== provocation.status)
            problems.push(`${what}: is ${response.status} ${JSON.stringify(body)}`)
          if (provocation.code !== undefined && body.code !== provocation.code)
            problems.push(`${what}: has ${body.code}`)
          const declared = responseOf(described, response.status)
          const wrong = validate(declared?.content?.['application/json']?.schema ?? { not: {} }, body)
          if (wrong !== '') problems.push(`${what}: ${wrong}`)
          const status = listed.has(String(response.status)) ? String(response.status) : '5XX'
          reached.add(status)
          if (body.code !== undefined) codes.set(status, (codes.get(status) ?? new Set()).add(body.code))
        }
        const missed = [...listed].filter((status) => !reached.has(status))
        if (missed.length > 0)
          problems.push(`${described.method} ${described.path} does not reach ${missed.join(', ')}`)
      }
      expect(problems).toEqual([])
      const { description = '' } = document.components.schemas['ErrorStatus'] ?? {}
      const lines = [...description.matchAll(/^- (\d{3}): (.*)$/gm)]
      expect(lines.length).toBeGreaterThan(9)
      for (const [, status = '', text = ''] of lines) {
        const documented = [...text.matchAll(/`(P\d{4})`/g)].map(([, code = '']) => code)
        const observed = codes.get(status) ?? new Set()
        expect([status, documented.filter((code) => !observed.has(code))]).toEqual([status, []])
      }
    })
  },
  { only: ['SQLite'] },
)

function provoking(described: Described, { args, raw, headers = {} }: RpcProvocation): Request {
  const request = requestOf({ described, args }, BASE)
  for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
  if (raw === undefined) return request
  return new Request(request.url, {
    method: request.method,
    headers: { 'Content-Type': 'application/json' },
    body: raw,
  })
}

/** Returns a client whose calls fail as a header requests, or throws like an app that denies access. */
function clientOf(orm: PrismaClient, { headers }: Request): PrismaClient {
  const rejection = headers.get('X-Refused')
  if (rejection === '403') throw httpError(403, 'Not you.')
  if (rejection !== null) throw new Error('A bug.')
  const [code = '', status] = headers.get('X-Fails')?.split(' ') ?? []
  if (code === '') return orm
  const meta = status === '403' ? { reason: 'ACCESS_POLICY' } : {}
  const failure = new Prisma.PrismaClientKnownRequestError('It failed.', { code, clientVersion: '7.10.0', meta })
  const failing = orm.$extends({ query: { $allModels: { $allOperations: () => Promise.reject(failure) } } })
  return failing as unknown as PrismaClient
}
