import { beforeAll, expect, it } from 'vitest'

import type { OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { describeDatabases } from '../support/databases.js'
import type { FixtureName } from '../support/fixtures.js'
import { isLong } from '../support/form.js'
import { seedBlog } from '../support/seed-blog.js'
import { served } from './support/served.js'
import { findMismatch } from './support/rest-conformance.js'

const FIXTURES: readonly FixtureName[] = ['blog', 'annotations', 'workspace', 'tenants', 'names', 'kitchen-sink']

for (const fixture of FIXTURES) {
  describeDatabases(
    `OpenAPI: REST document of ${fixture}`,
    (db) => {
      beforeAll(async () => {
        await db.reset()
        if (fixture === 'blog') await seedBlog(db as never)
      })

      it('describes the responses to generated valid requests', async () => {
        const { base, send } = served(db)
        const document: OpenApiDocument = await (await send(new Request(`${base}/openapi.json`))).json()
        const mismatch = await findMismatch(document, send, {
          base,
          calls: isLong && fixture !== 'kitchen-sink' ? 10 : 6,
          seed: 20_261_122,
        })
        expect(mismatch).toBeUndefined()
      }, 120_000)
    },
    { fixture },
  )
}
