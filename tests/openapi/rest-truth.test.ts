import { beforeAll, expect, it } from 'vitest'

import type { OpenApiDocument } from '../../runtime/openapi/document.js'
import { describeDatabases } from '../support/databases.js'
import type { FixtureName } from '../support/fixtures.js'
import { isLong } from '../support/form.js'
import { seedBlog } from '../support/seed-blog.js'
import { served } from './support/served.js'
import { findLie } from './support/truth.js'

const FIXTURES: readonly FixtureName[] = ['blog', 'annotations', 'workspace', 'tenants', 'names', 'kitchen-sink']

for (const fixture of FIXTURES) {
  describeDatabases(
    `OpenAPI: the REST document of ${fixture}`,
    (db) => {
      beforeAll(async () => {
        await db.reset()
        if (fixture === 'blog') await seedBlog(db as never)
      })

      it('says what is answered, to every request that it says is right', async () => {
        const { base, send } = served(db)
        const document: OpenApiDocument = await (await send(new Request(`${base}/openapi.json`))).json()
        const lie = await findLie(document, send, {
          base,
          calls: isLong && fixture !== 'kitchen-sink' ? 10 : 6,
          seed: 20_261_122,
        })
        expect(lie).toBeUndefined()
      }, 120_000)
    },
    { fixture },
  )
}
