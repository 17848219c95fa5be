import { openApi } from '@routewright/runtime/openapi'
import { beforeAll, beforeEach, expect, it } from 'vitest'

import type { OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { fillVersions } from '../rest/support/versions.js'
import { fixtureRpc } from '../rpc/client.js'
import { describeDatabases } from '../support/databases.js'
import { type Described, operationsOf, statusesOf } from './support/described.js'
import { served } from './support/served.js'
import { type Call, contradiction, requestOf, type Send } from './support/rest-conformance.js'
import { type Validate, validatorOf } from './support/validator.js'

/** A call of an operation, and its expected response. */
interface Provoked extends Call {
  readonly operation: string
  readonly status: number
}

const account = (id?: string) => ({ data: { type: 'account', ...(id && { id }), attributes: { name: 'x' } } })
const bank = { data: { type: 'bank', id: '1', attributes: { city: 'Bern' } } }
const upsert = {
  data: { type: 'account', attributes: { name: 'one' } },
  meta: { operation: 'upsert', matchFields: ['name'] },
}

const PROVOKED: readonly Provoked[] = [
  { operation: 'getAccount', status: 200 },
  { operation: 'getAccount', status: 304, headers: { 'If-None-Match': '*' } },
  { operation: 'getAccount', status: 400, headers: { 'If-None-Match': 'x' } },
  { operation: 'getAccount', status: 412, headers: { 'If-Match': '"7"' } },
  { operation: 'getAccount', status: 200, query: [['include', 'bank,entries']] },
  { operation: 'listAccounts', status: 200 },
  { operation: 'getAccountBank', status: 304, headers: { 'If-None-Match': '*' } },
  { operation: 'getAccountBank', status: 412, headers: { 'If-Match': '"7"' } },
  { operation: 'getAccountBank', status: 200 },
  { operation: 'createAccount', status: 201, body: account() },
  { operation: 'createAccount', status: 412, body: upsert, headers: { 'If-None-Match': '*' } },
  { operation: 'createAccount', status: 400, body: upsert, headers: { 'If-Match': 'x' } },
  { operation: 'updateAccount', status: 200, body: account('1'), headers: { 'If-Match': '"1"' } },
  { operation: 'updateAccount', status: 412, body: account('1'), headers: { 'If-Match': '"7"' } },
  { operation: 'updateAccount', status: 400, body: account('1'), headers: { 'If-Match': '7' } },
  { operation: 'deleteAccount', status: 412, headers: { 'If-Match': '"7"' } },
  { operation: 'replaceAccountEntries', status: 200, body: { data: [] }, headers: { 'If-Match': '"1"' } },
  { operation: 'addToAccountHolders', status: 412, body: { data: [] }, headers: { 'If-Match': '"7"' } },
  { operation: 'replaceAccountBank', status: 200, body: { data: null } },
  { operation: 'updateBank', status: 428, body: bank },
  { operation: 'deleteBank', status: 428 },
  { operation: 'replaceBankAccounts', status: 428, body: { data: [] } },
  { operation: 'updateBank', status: 200, body: bank, headers: { 'If-Match': '*' } },
  { operation: 'updateAccountBank', status: 428, body: bank },
]

describeDatabases(
  'OpenAPI: versions',
  (db) => {
    let operations: ReadonlyMap<string, Described>
    let validate: Validate
    let send: Send
    let base: string

    beforeAll(async () => {
      ;({ send, base } = served(db, { atomicOperations: true }))
      const document: OpenApiDocument = await (await send(new Request(`${base}/openapi.json`))).json()
      operations = new Map(operationsOf(document).map((one) => [one.operation.operationId, one]))
      validate = validatorOf(document)
    })
    beforeEach(() => db.fill(fillVersions))

    it.each(PROVOKED)('$operation (case %#): responds with $status as described', async (provoked) => {
      const described = operations.get(provoked.operation)
      if (!described) throw new Error(`There is no operation ${provoked.operation}.`)
      const response = await send(requestOf(described, provoked, base))
      const captured = { status: response.status, headers: response.headers, text: await response.text() }
      expect(captured.status, captured.text).toBe(provoked.status)
      expect(contradiction(described, provoked, captured, validate)).toBe(undefined)
    })

    it('lists If-Match and If-None-Match for versioned models, required if configured', () => {
      const headersOf = (operation: string) =>
        operations
          .get(operation)
          ?.parameters.flatMap((one) => (one.in === 'header' ? [[one.name, one.required === true]] : []))
      expect(headersOf('updateBank')).toEqual([
        ['Prefer', false],
        ['If-Match', true],
      ])
      expect(headersOf('updateAccount')).toEqual([
        ['Prefer', false],
        ['If-Match', false],
      ])
      expect(headersOf('getAccount')).toEqual([['If-None-Match', false]])
      expect(headersOf('updateEntry')).toEqual([['Prefer', false]])
      expect(headersOf('getEntry')).toEqual([])
    })

    it('lists 412 and 428 in the RPC document and for atomic operations', async () => {
      const rpc = fixtureRpc(db, { openapi: openApi(), transactions: true })
      const document = (await rpc.fetch('/openapi.json')).body as unknown as OpenApiDocument
      const described = operationsOf(document)
      const statuses = (path: string, method: 'patch' | 'delete' | 'post') => {
        const found = described.find((one) => one.path === path && one.method === method)
        return found ? [...statusesOf(found)].filter((status) => /^4[12][28]$/.test(status)) : undefined
      }
      expect(statuses('/account/update', 'patch')).toEqual(['412', '422'])
      expect(statuses('/account/updateMany', 'patch')).toEqual(['422'])
      expect(statuses('/bank/delete', 'delete')).toEqual(['412', '422', '428'])
      expect(statuses('/bank/upsert', 'post')).toEqual(['422', '428'])
      expect(statuses('/entry/update', 'patch')).toEqual(['422'])
      expect(statuses('/$transaction/sequential', 'post')).toEqual(['412', '422', '428'])
      const atomic = operations.get('atomicOperations')
      expect(atomic && [...statusesOf(atomic)]).toEqual(expect.arrayContaining(['412', '428']))
    })
  },
  { fixture: 'versions', only: ['SQLite'] },
)
