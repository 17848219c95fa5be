import { beforeAll, expect, it } from 'vitest'

import type { ApiHandler } from '../../runtime/http/api-handler.js'
import type { OpenApiDocument } from '../../runtime/openapi/document.js'
import { openApi } from '../../runtime/openapi/index.js'
import { describeDatabases } from '../support/databases.js'
import { isLong } from '../support/form.js'
import { seedBlog } from '../support/seed-blog.js'
import { liesOf, type Send } from './support/rpc-truth.js'

const BASE = 'https://example.com/api'

/** What stands in a document, what is to stand there instead, and what it makes of the document. */
const LIES: readonly (readonly [lie: string, from: string | RegExp, to: string])[] = [
  ['404 is not listed', /"404":\{"\$ref":"#\/components\/responses\/Error404"\},?/g, ''],
  ['409 is not listed', /"409":\{"\$ref":"#\/components\/responses\/Error409"\},?/g, ''],
  ['creating is a 200', /"201":/g, '"200":'],
  [
    'a row is never null',
    '"data":{"anyOf":[{"$ref":"#/components/schemas/Profile"},{"type":"null"}]}',
    '"data":{"$ref":"#/components/schemas/Profile"}',
  ],
  [
    'bio is never null',
    '"bio":{"type":["string","null"]},"avatar":{"$ref"',
    '"bio":{"type":"string"},"avatar":{"$ref"',
  ],
  [
    'rows have no user',
    '"user":{"$ref":"#/components/schemas/User"}},"additional',
    '"owner":{"type":"string"}},"additional',
  ],
  [
    'a filter has an operator more',
    /("StringNullableFilter":\{.*?"contains":\{"type":"string"\})/,
    '$1,"like":{"type":"string"}',
  ],
  ['userId is not needed', /"required":\["data"\],"additionalProperties":false\}/g, '"additionalProperties":false}'],
  ['select may be empty', /("ProfileSelect":\{.*?),"minProperties":1/, '$1'],
  [
    'select stands beside omit',
    /,"dependentSchemas":\{"select":\{"properties":\{"include":\{"not":\{\}\},"omit":\{"not":\{\}\}\}\}\}/g,
    '',
  ],
  [
    'findUnique needs no criterion',
    /("ProfileWhereUnique":\{.*?),"anyOf":\[\{"required":\["id"\]\},\{"required":\["userId"\]\}\]/,
    '$1',
  ],
  ['a fault has no issues', /"issues":\{.*?"minItems":1\}/g, '"faults":{"type":"string"}'],
  ['counts are strings', '"ProfileCounts":{"anyOf":[{"type":"integer"}', '"ProfileCounts":{"anyOf":[{"type":"string"}'],
  ['check answers a string', '"data":{"type":"boolean"}', '"data":{"type":"string"}'],
]

describeDatabases(
  'OpenAPI: lies in the RPC document',
  (db) => {
    let document: OpenApiDocument
    let send: Send

    beforeAll(async () => {
      await db.reset()
      await seedBlog(db)
      const handler = db.routes.RPCApiHandler({ openapi: openApi() }) as unknown as ApiHandler<unknown>
      send = async (request) => {
        let logged = ''
        const log = (message: string) => {
          logged += message
        }
        const response = await handler.fetch(request, { getOrm: () => db.orm, prefix: '/api', log })
        return { status: response.status, body: await response.json(), logged }
      }
      const { body } = await send(new Request(`${BASE}/openapi.json`))
      const { paths, ...others } = body as OpenApiDocument
      const ofProfiles = Object.entries(paths).filter(([path]) => path.startsWith('/profile/'))
      document = { ...others, paths: Object.fromEntries(ofProfiles) }
    })

    it.runIf(isLong)(
      'there are none',
      async () => {
        expect(await liesOf({ document, base: BASE, send, calls: 12, seed: 20_261_123 })).toEqual([])
      },
      120_000,
    )

    it.runIf(isLong).each(LIES)(
      '%s: found',
      async (_, from, to) => {
        const text = JSON.stringify(document)
        const changed = text.replace(from, to)
        expect(changed).not.toBe(text)
        const lies = await liesOf({ document: JSON.parse(changed), base: BASE, send, calls: 12, seed: 20_261_123 })
        expect(lies).not.toEqual([])
      },
      120_000,
    )
  },
  { only: ['SQLite'] },
)
