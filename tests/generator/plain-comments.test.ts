import { describe, expect, it } from 'vitest'

import { findMisplacedAnnotations } from '../../generator/model/annotations/misplaced-annotations.js'
import { schemaFiles } from '../../generator/schema/source-locations.js'
import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'

/** Returns the messages and notes on a schema, with locations relative to its folder. */
async function collectMessages(models: string | Readonly<Record<string, string>>) {
  const files = typeof models === 'string' ? { 'schema.prisma': models } : models
  const [first = '', ...others] = Object.keys(files)
  const schema = { ...files, [first]: `${files[first]}\n${SCHEMA_HEAD}` }
  try {
    const { notes } = await generateFrom(others.length > 0 ? schema : (schema[first] ?? ''))
    return { errors: [], notes: notes.map(withoutFolder) }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { errors: message.split('\n').map(withoutFolder), notes: [] }
  }
}

const withoutFolder = (line: string) => line.replace(/^(routewright: )?\S*?routewright-test-\w+\//, '$1')

describe('annotation in a // comment', () => {
  it.each(['api.hidden', 'api.readOnly', 'api.writeOnly', 'zod.url()', 'api.exposed'])(
    '@%s: is an error above and behind a field',
    async (annotation) => {
      const { errors } = await collectMessages(
        `model User {\n  id Int @id\n\n  // @${annotation}\n\n  url String @default("http://a")\n  /// What it is.\n  name String // Not shown. @${annotation}\n}`,
      )
      const word = annotation.replace('()', '')
      const message = `"@${word}" has no effect here, because Prisma ignores comments with two slashes. Write it after three slashes, or in backticks if it is only a mention.`
      expect(errors).toEqual([
        `routewright: schema.prisma:4: model User, field url: ${message}`,
        `routewright: schema.prisma:8: model User, field name: ${message}`,
      ])
    },
  )

  it('is an error above a model, on its brace line and above an enum', async () => {
    const { errors } = await collectMessages(
      '// @api.operations(list)\n// Those who write.\nmodel User { // @api.readOnly\n  id Int @id\n  role Role\n}\n// @api.hidden\nenum Role {\n  A // @api.hidden\n}',
    )
    expect(errors.map((line) => line.replace(', because', ': ').split(': ').slice(1, 4))).toEqual([
      ['schema.prisma:1', 'model User', '"@api.operations" has no effect here'],
      ['schema.prisma:3', 'model User', '"@api.readOnly" has no effect here'],
      ['schema.prisma:7', 'enum Role', '"@api.hidden" has no effect here'],
      ['schema.prisma:9', 'enum Role', '"@api.hidden" has no effect here'],
    ])
  })

  it('is reported with its schema file', async () => {
    const { errors } = await collectMessages({
      'base.prisma': 'model A {\n  id Int @id\n}',
      'deep/user.prisma': '\n\nmodel User {\r\n  id Int @id\r\n  // @api.hidden\r\n  name String\r\n}',
    })
    expect(errors).toEqual([expect.stringMatching(/^routewright: deep\/user\.prisma:5: model User, field name: /)])
  })

  it('is reported with model and field if the file is unknown', () => {
    const text = 'model A {\n  id Int @id // @api.hidden\n}'
    const { problems } = findMisplacedAnnotations(schemaFiles('/nowhere/schema.prisma', text)())
    expect(problems).toMatchObject([{ location: { model: 'A', field: 'id' } }])
    expect(problems[0]).not.toHaveProperty('at')
  })

  it.each(['bcrypt /// @api.hidden', 'name String /// @api.hidden', '/// @api.hidden'])(
    '%s: is an error behind // on a field line',
    async (comment) => {
      const { errors } = await collectMessages(`model User {\n  id Int @id\n  hash String // ${comment}\n}`)
      expect(errors).toEqual([expect.stringContaining('schema.prisma:3: model User, field hash: "@api.hidden"')])
    },
  )

  it('is an error behind prose on an attribute or brace line', async () => {
    const { errors } = await collectMessages(
      'model User { // ours, so @api.hidden\n  id Int @id\n  @@map("u") // see @api.hidden\n}',
    )
    expect(errors.map((line) => line.split(': ').slice(1, 3))).toEqual([
      ['schema.prisma:1', 'model User'],
      ['schema.prisma:3', 'model User'],
    ])
  })

  it.each([
    ['field', '  // token String /// @api.hidden'],
    ['relation field', '  // owner Owner? @relation(fields: [a], references: [b]) // @api.hidden'],
    ['field with a URL', '  // home String @default("http://x") /// @api.hidden'],
    ['list', '  // tags Tag[] /// @zod.max(3)'],
    ['comment', '  // /// @api.hidden'],
    ['// comment', '  // // @api.hidden'],
    ['model', '  // model Old { /// @api.hidden\n  // }'],
    ['field in a /* */ comment', '  /*\n  token String /// @api.hidden\n  */\n  // The end.\n\n  // The name.'],
    ['block attribute', '  // @@index([name]) /// @api.hidden'],
  ])('%s that is commented out: ignores the annotation', async (_, line) => {
    expect(await collectMessages(`model User {\n  id Int @id\n${line}\n  name String\n}`)).toEqual({
      errors: [],
      notes: [],
    })
  })

  it('causes a note above a commented-out field', async () => {
    const { errors, notes } = await collectMessages(
      'model User {\n  id Int @id\n  // @api.hidden\n  // nick String?\n  name String\n}',
    )
    expect(errors).toEqual([])
    expect(notes).toEqual([
      expect.stringMatching(/^schema\.prisma:3: model User, field name: "@api\.hidden" has no effect/),
    ])
  })

  it.each([
    '// Secret Token /// @api.hidden',
    '// the token? // @api.hidden',
    '// Hidden. See http://x /// @api.hidden',
  ])('%s: is an error behind prose', async (line) => {
    const { errors } = await collectMessages(`model Token {\n  id Int @id\n  ${line}\n  name String\n}`)
    expect(errors).toEqual([expect.stringContaining('model Token, field name: "@api.hidden"')])
  })

  it('causes a note with its location outside of any block', async () => {
    const { errors, notes } = await collectMessages(
      '// What has @api.hidden is internal.\n\nmodel User {\n  id Int @id\n}',
    )
    expect(errors).toEqual([])
    expect(notes).toEqual([expect.stringMatching(/^schema\.prisma:1: "@api\.hidden" has no effect here/)])
  })

  it('is ignored in backticks, strings and e-mail addresses', async () => {
    const { errors, notes } = await collectMessages(
      'model User {\n  id Int @id // see `@api.hidden`\n  // write to me@api.example.com\n  name String @default("// @api.hidden")\n}',
    )
    expect([errors, notes]).toEqual([[], []])
  })
})

describe('annotation in a /// comment without a target', () => {
  it.each([
    ['before an empty line above a model', '/// @api.hidden\n\nmodel User {\n  id Int @id\n}', 1],
    ['on the line of a brace', 'model User { /// @api.hidden\n  id Int @id\n}', 1],
    ['at the end of a model', 'model User {\n  id Int @id\n  /// @api.hidden\n}', 3],
    ['above another comment', 'model User {\n  id Int @id\n  /// @api.hidden\n\n  // why\n  name String\n}', 3],
    ['behind an attribute of the model', 'model User {\n  id Int @id\n  @@map("u") /// @api.hidden\n}', 3],
  ])('%s: is an error', async (_, models, line) => {
    const { errors } = await collectMessages(models)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatch(
      new RegExp(
        `^routewright: schema\\.prisma:${line}: .*"@api\\.hidden" has no effect here, because this comment does not belong`,
      ),
    )
  })

  it('is an error on an enum value', async () => {
    const { errors } = await collectMessages('enum Role {\n  A\n  B /// @api.hidden\n}')
    expect(errors).toEqual([
      'routewright: schema.prisma:3: enum Role: "@api.hidden" is not allowed on an enum value. Remove it.',
    ])
  })
})

describe('annotation in a /* */ comment', () => {
  it('applies to the field', async () => {
    const { byPath, notes } = await generateFrom(
      `${SCHEMA_HEAD}model User {\n  id Int @id\n  /* @api.hidden */\n  name String\n  /*\n   * Its // place. @api.readOnly\n   */\n  city String?\n}`,
    )
    expect(byPath.get('user/resource.ts')).toMatch(/name: \{[^}]*hidden: true/)
    expect(byPath.get('user/resource.ts')).toMatch(/city: \{[^}]*readOnly: true/)
    expect(notes).toEqual([
      'User.name is required, has no default and is hidden: create fails unless a hook or your Prisma client sets it. Add "@api.serverSet" to its comment if one of them does.',
    ])
  })
})
