import { describe, expect, it } from 'vitest'

import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'

const schema = (fields: string) => `${SCHEMA_HEAD.replace('"sqlite"', '"postgresql"')}
model Post {
  id Int @id
  ${fields}
}
`

/** Returns the lines of a field in the emitted resource, joined. */
async function fieldIn(fields: string, name: string): Promise<string> {
  const { byPath } = await generateFrom(schema(fields))
  const [, properties = ''] =
    new RegExp(`\\n {4}${name}: \\{([^}]*)\\}`).exec(byPath.get('post/resource.ts') ?? '') ?? []
  return properties.replace(/\s+/g, ' ').replace(/, $/, '').trim()
}

describe('@api.version', () => {
  it.each([
    ['count Int @default(1) /// @api.version', 'count', 'type: "Int", default: 1, readOnly: true, version: true'],
    [
      'count Int @default(1) /// Ours. @api.version(required)',
      'count',
      'type: "Int", default: 1, readOnly: true, version: "required"',
    ],
    [
      'count Int @default(1) /// @api.version (see the wiki)',
      'count',
      'type: "Int", default: 1, readOnly: true, version: true',
    ],
    [
      'at DateTime @updatedAt /// @api.version @api.readOnly',
      'at',
      'type: "DateTime", updatedAt: true, readOnly: true, version: true',
    ],
    [
      'at DateTime @updatedAt @db.Timestamptz(3) /// @api.version',
      'at',
      'type: "DateTime", db: "Timestamptz(3)", updatedAt: true, readOnly: true, version: true',
    ],
  ])('`%s`: emits a read-only version field', async (field, name, properties) => {
    expect(await fieldIn(field, name)).toBe(properties)
  })

  // A change of the members would not specify their versions.
  it.each([
    ['@api.version(required)', 'GET'],
    ['@api.version', 'GET, PATCH, PUT, POST'],
  ])('%s: emits `%s` for the members of a relation', async (annotation, methods) => {
    const { byPath } = await generateFrom(`${SCHEMA_HEAD}
model Customer {
  id      Int      @id
  rentals Rental[]
}
model Rental {
  id         Int      @id
  /// ${annotation}
  version    Int      @default(1)
  customer   Customer @relation(fields: [customerId], references: [id])
  customerId Int
}
`)
    expect(byPath.get('customer/rest.ts')).toMatch(new RegExp(`^//   ${methods} +/:id/relationships/rentals$`, 'm'))
  })

  it.each([
    ['string field', 'name String /// @api.version', 'field name: "@api.version" is not allowed on this field.'],
    ['optional field', 'count Int? @default(1) /// @api.version', 'The field must be required.'],
    ['list field', 'counts Int[] /// @api.version', '"@api.version" is not allowed on this field.'],
    [
      'DateTime without @updatedAt',
      'at DateTime @default(now()) /// @api.version',
      '"@api.version" is not allowed on this field.',
    ],
    ['Int without a default', 'count Int /// @api.version', 'Add @default(1).'],
    ['unique field', 'count Int @default(1) @unique /// @api.version', 'Use a separate field for the version.'],
    ['hidden field', 'count Int @default(1) /// @api.version @api.hidden', 'cannot be combined'],
    [
      'microsecond timestamps',
      'at DateTime @updatedAt @db.Timestamptz(6) /// @api.version',
      'for example @db.Timestamp(3)',
    ],
    [
      'two version fields',
      'a Int @default(1) /// @api.version\n  b Int @default(1) /// @api.version',
      'field b: "@api.version" is already on "a".',
    ],
    [
      'unknown argument',
      'count Int @default(1) /// @api.version(always)',
      'unknown argument "always" for "@api.version".',
    ],
    [
      'annotation above a block attribute',
      'count Int @default(1)\n  /// @api.version\n  @@map("posts")',
      'has no effect here',
    ],
  ])('%s: rejects the schema', async (_what, fields, message) => {
    await expect(generateFrom(schema(fields))).rejects.toThrow(message)
  })
})
