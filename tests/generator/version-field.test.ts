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
  ])('on `%s` is read-only', async (field, name, properties) => {
    expect(await fieldIn(field, name)).toBe(properties)
  })

  it.each([
    ['a text', 'name String /// @api.version', 'field name: "@api.version" cannot be on this field.'],
    ['what may be empty', 'count Int? @default(1) /// @api.version', 'neither may be empty'],
    ['a list', 'counts Int[] /// @api.version', '"@api.version" cannot be on this field.'],
    [
      'a time that nobody sets',
      'at DateTime @default(now()) /// @api.version',
      '"@api.version" cannot be on this field.',
    ],
    ['a count without a beginning', 'count Int /// @api.version', 'Write @default(1).'],
    ['the id', 'count Int @default(1) @unique /// @api.version', 'Give the version a field of its own.'],
    ['what is hidden', 'count Int @default(1) /// @api.version @api.hidden', 'contradict each other'],
    ['finer times than are read', 'at DateTime @updatedAt @db.Timestamptz(6) /// @api.version', 'as @db.Timestamp(3)'],
    [
      'two fields',
      'a Int @default(1) /// @api.version\n  b Int @default(1) /// @api.version',
      'field b: "@api.version" is on "a" already.',
    ],
    ['other words', 'count Int @default(1) /// @api.version(always)', '"@api.version" does not know "always".'],
    ['a block', 'count Int @default(1)\n  /// @api.version\n  @@map("posts")', 'does nothing here'],
  ])('on %s', async (_what, fields, message) => {
    await expect(generateFrom(schema(fields))).rejects.toThrow(message)
  })
})
