import { describe, expect, it } from 'vitest'

import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'

const schema = (fields: string) => `${SCHEMA_HEAD.replace('"sqlite"', '"postgresql"')}
model Post {
  id Int @id
  ${fields}
}
`

/** The lines of a field in the emitted resource, joined. */
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

  it.each([
    ['string field', 'name String /// @api.version', 'field name: "@api.version" cannot be on this field.'],
    ['optional field', 'count Int? @default(1) /// @api.version', 'neither may be empty'],
    ['list field', 'counts Int[] /// @api.version', '"@api.version" cannot be on this field.'],
    [
      'DateTime without @updatedAt',
      'at DateTime @default(now()) /// @api.version',
      '"@api.version" cannot be on this field.',
    ],
    ['Int without a default', 'count Int /// @api.version', 'Write @default(1).'],
    ['unique field', 'count Int @default(1) @unique /// @api.version', 'Give the version a field of its own.'],
    ['hidden field', 'count Int @default(1) /// @api.version @api.hidden', 'contradict each other'],
    ['microsecond timestamps', 'at DateTime @updatedAt @db.Timestamptz(6) /// @api.version', 'as @db.Timestamp(3)'],
    [
      'two version fields',
      'a Int @default(1) /// @api.version\n  b Int @default(1) /// @api.version',
      'field b: "@api.version" is on "a" already.',
    ],
    ['unknown argument', 'count Int @default(1) /// @api.version(always)', '"@api.version" does not know "always".'],
    [
      'annotation above a block attribute',
      'count Int @default(1)\n  /// @api.version\n  @@map("posts")',
      'does nothing here',
    ],
  ])('%s: rejects the schema', async (_what, fields, message) => {
    await expect(generateFrom(schema(fields))).rejects.toThrow(message)
  })
})
