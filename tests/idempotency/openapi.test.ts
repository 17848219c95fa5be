import { expect, it } from 'vitest'

import type { OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { openApi } from '../../runtime/openapi/index.js'
import { operationsOf, statusesOf } from '../openapi/support/described.js'
import { describeDatabases } from '../support/databases.js'
import { appOf, type AppOptions, fillPayments, keyed, payment } from './support.js'

describeDatabases(
  'idempotency: OpenAPI document',
  (db) => {
    const documentOf = async (style: 'rest' | 'rpc', options: AppOptions = {}): Promise<OpenApiDocument> => {
      const described = { [style]: { ...options[style], openapi: openApi() } }
      return (await appOf(db, { ...options, ...described }).send('GET', `/${style}/openapi.json`)).body
    }
    const WITHOUT = { rest: { idempotency: undefined }, rpc: { idempotency: undefined } }
    const isReadInRpc = (path: string) => /\/(find|count|aggregate|groupBy|exists|check)\w*$/.test(path)

    it.each(['rest', 'rpc'] as const)('%s: describes the header of writes only', async (style) => {
      const document = await documentOf(style)
      const text = JSON.stringify(document)
      expect(JSON.stringify(await documentOf(style, WITHOUT))).not.toMatch(/idempotency/i)
      expect(text).toContain('"Idempotency-Key"')
      const operations = operationsOf(document)
      expect(operations.length).toBeGreaterThan(20)
      for (const { method, path, operation, responses } of operations) {
        const writes = method.toLowerCase() !== 'get' && !isReadInRpc(path)
        const refs = JSON.stringify(operation.parameters ?? [])
        expect([method, path, /dempotencyKey"/.test(refs)]).toEqual([method, path, writes])
        if (writes) expect([...statusesOf({ responses })]).toEqual(expect.arrayContaining(['400', '409', '422']))
      }
    })

    it.each(['rest', 'rpc'] as const)('%s: marks the header as required except for deletes', async (style) => {
      const document = await documentOf(style, { idempotency: { required: true } })
      for (const { method, operation } of operationsOf(document)) {
        const refs = JSON.stringify(operation.parameters ?? [])
        if (method.toLowerCase() === 'delete') expect(refs).not.toContain('requiredIdempotencyKey')
        else if (refs.includes('dempotencyKey')) expect(refs).toContain('requiredIdempotencyKey')
      }
      expect(document.components.parameters?.['requiredIdempotencyKey']).toMatchObject({ required: true, in: 'header' })
    })

    it('lists the error codes of the responses', async () => {
      await db.reset()
      await fillPayments(db)
      const { components } = await documentOf('rest')
      const { description = '' } = components.responses['CreateError'] ?? {}
      const codesOf = (status: number) => description.split('\n').find((line) => line.startsWith(`- ${status}: `))
      const app = appOf(db, { idempotency: { responseBytes: 10 } })
      await app.pay('a', 'one')
      const malformed = await app.send('POST', '/rest/payment', payment('a'), { 'Idempotency-Key': 'one' })
      for (const { status, body } of [await app.pay('a', 'one'), await app.pay('b', 'one'), malformed]) {
        expect(codesOf(status)).toContain(`\`${body.errors[0].code}\``)
      }
      expect(codesOf(409)).toContain('`idempotency-key-in-use`')
      const pattern = JSON.stringify(components.parameters?.['idempotencyKey'])
      const { schema } = JSON.parse(pattern)
      expect(keyed('a "key" \\ of ours')['Idempotency-Key']).toMatch(new RegExp(schema.pattern))
      expect('one').not.toMatch(new RegExp(schema.pattern))
    })
  },
  { fixture: 'payments', only: ['SQLite'] },
)
