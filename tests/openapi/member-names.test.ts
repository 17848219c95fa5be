import { expect, it } from 'vitest'

import type { JsonSchema, OpenApiDocument } from '../../runtime/openapi/document-types.js'
import { SCHEMA_HEAD } from '../support/generate.js'
import { documentsOf } from './support/documents.js'

const SCHEMA = `${SCHEMA_HEAD.replace('./routes', '../src/routes')}
enum Rank {
  HIGH
  LOW
}
model Item {
  id     Int    @id
  order  Rank
  where  Rank?
  fields Rank
  nested Part[]
}
model Part {
  id     Int  @id
  weight Int
  item   Item @relation(fields: [itemId], references: [id])
  itemId Int
}
`

it('names the schemas of fields and relations that have the names of parts of the RPC document', async () => {
  const { components }: OpenApiDocument = JSON.parse((await documentsOf(SCHEMA)).rpc)
  const schemaAt = (...path: readonly string[]): JsonSchema => {
    let schema: unknown = components.schemas
    for (const name of path) {
      const found: unknown = Reflect.get(Object(schema), name)
      const { $ref }: JsonSchema = Object(found)
      schema = $ref === undefined ? found : components.schemas[$ref.slice('#/components/schemas/'.length)]
    }
    return Object(schema)
  }
  for (const field of ['order', 'fields'])
    expect(schemaAt('ItemFields', 'properties', field), field).toEqual({ type: 'string', enum: ['HIGH', 'LOW'] })
  expect(schemaAt('ItemWindow', 'properties', 'where', 'properties', 'where')).toHaveProperty('anyOf')
  expect(schemaAt('ItemOrderBy', 'anyOf', '0').properties).toHaveProperty('where')
  expect(schemaAt('ItemUpdate', 'properties', 'nested', 'properties', 'update', 'anyOf', '0').required).toEqual([
    'where',
    'data',
  ])
})
