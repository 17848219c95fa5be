import { expect, it } from 'vitest'

import { SCHEMA_HEAD } from '../support/generate.js'
import { documentsOf } from './support/documents.js'

const HEAD = SCHEMA_HEAD.replace('./routes', '../src/routes')

it('describes upserts only by unique criteria whose fields a body can contain', async () => {
  const { rest } = await documentsOf(`${HEAD}
model Room {
  id       Int    @id @default(autoincrement())
  name     String @unique
  number   Int
  /// @api.serverSet
  tenantId Int
  /// @api.serverSet
  badge    String @unique

  @@unique([tenantId, number])
}

model Badge {
  id       Int    @id @default(autoincrement())
  number   Int
  /// @api.serverSet
  tenantId Int

  @@unique([tenantId, number])
}
`)
  const bodyOf = (path: string) => {
    const { paths, components } = JSON.parse(rest)
    const { schema } = paths[path].post.requestBody.content['application/vnd.api+json']
    return components.schemas[schema.$ref.split('/').at(-1)]
  }
  const { matchFields } = bodyOf('/room').properties.meta.properties
  expect(matchFields.items.enum).toEqual(['name'])
  expect(matchFields.description).toMatch(/: name\.$/)
  expect(JSON.stringify(bodyOf('/badge'))).not.toContain('matchFields')
})
