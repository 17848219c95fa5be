import { beforeAll, expect, it } from 'vitest'

import type { ApiHandler } from '../../runtime/http/handler-types.js'
import type { OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { openApi } from '../../runtime/openapi/index.js'
import { describeDatabases } from '../support/databases.js'
import { isLong } from '../support/form.js'
import { seedBlog } from '../support/seed-blog.js'
import { findMismatches, type Send } from './support/rpc-conformance.js'

const BASE = 'https://example.com/api'

/** Wrong statements: their name, the original text in the document, and its replacement. */
const MUTATIONS: readonly (readonly [lie: string, from: string | RegExp, to: string])[] = [
  ['missing 404', /, 404(?=[,.])/g, ''],
  ['missing 409', /, 409(?=[,.])/g, ''],
  ['200 instead of 201', /"201":/g, '"200":'],
  [
    'non-nullable row',
    '"data":{"anyOf":[{"$ref":"#/components/schemas/Profile"},{"type":"null"}]}',
    '"data":{"$ref":"#/components/schemas/Profile"}',
  ],
  ['non-nullable bio', '"bio":{"type":["string","null"]},"avatar":{"$ref"', '"bio":{"type":"string"},"avatar":{"$ref"'],
  [
    'missing relation user',
    '"user":{"$ref":"#/components/schemas/User"}},"unevaluated',
    '"owner":{"type":"string"}},"unevaluated',
  ],
  ['unknown filter operator', /("StringOperators":\{.*?"contains":\{"type":"string"\})/, '$1,"like":{"type":"string"}'],
  ['optional data', /("ProfileCreateArgs":\{.*?),"required":\["data"\]/, '$1'],
  ['empty select', /("ProfileSelect":\{.*?),"minProperties":1/, '$1'],
  [
    'select combined with omit',
    /,"dependentSchemas":\{"select":\{"propertyNames":\{"not":\{"enum":\["include","omit"\]\}\}\}\}/g,
    '',
  ],
  [
    'findUnique without a unique field',
    /("ProfileWhereUnique":\{.*?),"anyOf":\[\{"required":\["id"\]\},\{"required":\["userId"\]\}\]/,
    '$1',
  ],
  ['missing issues of an error', /"issues":\{.*?"minItems":1\}/g, '"faults":{"type":"string"}'],
  [
    'counts typed as strings',
    '"ProfileCounts":{"anyOf":[{"type":"integer"}',
    '"ProfileCounts":{"anyOf":[{"type":"string"}',
  ],
  ['check result typed as string', '"data":{"type":"boolean"}', '"data":{"type":"string"}'],
]

describeDatabases(
  'OpenAPI: mutations of the RPC document',
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
      'finds no contradiction in the unmodified document',
      async () => {
        expect(await findMismatches({ document, base: BASE, send, calls: 16, seed: 20_261_123 })).toEqual([])
      },
      120_000,
    )

    it.runIf(isLong).each(MUTATIONS)(
      '%s: finds a contradiction',
      async (_, from, to) => {
        const text = JSON.stringify(document)
        const changed = text.replace(from, to)
        expect(changed).not.toBe(text)
        const mismatches = await findMismatches({
          document: JSON.parse(changed),
          base: BASE,
          send,
          calls: 16,
          seed: 20_261_123,
        })
        expect(mismatches).not.toEqual([])
      },
      120_000,
    )
  },
  { only: ['SQLite'] },
)
