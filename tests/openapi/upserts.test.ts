import { expect, it } from 'vitest'

import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'
import { documentsOf } from './support/documents.js'

const HEAD = SCHEMA_HEAD.replace('./routes', '../src/routes')

const SCHEMA = `${HEAD}
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

model Key {
  id    String  @id @default(uuid())
  label String? @unique
}

model Serial {
  number Int    @id @default(autoincrement())
  text   String
}
`

it.each([
  ['room', ['name']],
  ['badge', []],
  ['key', ['id', 'label']],
  ['serial', []],
])('%s: describes and emits upserts only by unique criteria that a create can contain', async (type, names) => {
  const { rest } = await documentsOf(SCHEMA)
  const { paths, components } = JSON.parse(rest)
  const { requestBody, responses, description } = paths[`/${type}`].post
  const { schema } = requestBody.content['application/vnd.api+json']
  const { matchFields } = components.schemas[schema.$ref.split('/').at(-1)].properties.meta.properties ?? {}
  expect(matchFields?.items.enum ?? []).toEqual(names)
  if (names.length > 0) expect(matchFields.description).toMatch(new RegExp(`: ${names.join('; ')}\\.$`))

  const { byPath } = await generateFrom(SCHEMA)
  const emitted = byPath.get(`${type}/rest.ts`)
  const hasUpsert = [
    200 in responses,
    description.includes('matchFields'),
    emitted?.includes('calls.create, calls.update)'),
  ]
  expect(hasUpsert).toEqual(Array<boolean>(3).fill(names.length > 0))
})
