import { describe, expect, it } from 'vitest'

import type { Finding } from '../../generator/changes/change.js'
import { compareApis } from '../../generator/changes/compare/compare.js'
import { type ApiSnapshot, createApiSnapshot } from '../../generator/changes/api-snapshot.js'
import { readSchema } from '../../generator/load-schema.js'
import { SCHEMA_HEAD } from '../support/generate.js'

interface Setting {
  readonly options?: string
  readonly provider?: string
}

async function sideOf(models: string, { options = '', provider = 'postgresql' }: Setting = {}): Promise<ApiSnapshot> {
  const head = SCHEMA_HEAD.replace('"sqlite"', `"${provider}"`).replace('"./routes"', `"./routes"\n${options}`)
  const [input] = await readSchema('/app/schema.prisma', [{ path: '/app/schema.prisma', text: head + models }])
  if (!input) throw new Error('There is no routes generator.')
  return createApiSnapshot(input, false)
}

const told = (findings: readonly Finding[]) => findings.map(({ kind, code, detail }) => [kind, code, detail])

async function changes(before: string, after: string, was: Setting = {}, is: Setting = {}) {
  return compareApis(await sideOf(before, was), await sideOf(after, is))
}

const USER = 'model User {\n  id Int @id\n  name String\n}\n'

describe('what SQLite cannot show', () => {
  it('a column that is narrower breaks, one that is wider asks less, and one of another name is nothing', async () => {
    const typed = (type: string) => USER.replace('name String', `name String ${type}`)
    expect(told(await changes(typed('@db.VarChar(50)'), typed('@db.VarChar(20)')))).toEqual([
      ['breaking', 'column-narrower', '@db.VarChar(50) -> @db.VarChar(20)'],
    ])
    expect(told(await changes(typed('@db.VarChar(20)'), typed('')))).toEqual([
      ['loosened', 'column-wider', '@db.VarChar(20) -> String'],
    ])
    expect(told(await changes(typed('@db.Text'), typed('')))).toEqual([['harmless', 'no-consequence', undefined]])
    const priced = (type: string) => USER.replace('name String', `price Decimal ${type}`)
    expect(told(await changes(priced('@db.Decimal(10, 2)'), priced('@db.Decimal(8, 2)')))).toEqual([
      ['breaking', 'column-narrower', '@db.Decimal(10, 2) -> @db.Decimal(8, 2)'],
    ])
    expect(told(await changes(priced('@db.Decimal(10, 2)'), priced('')))).toEqual([
      ['loosened', 'column-wider', '@db.Decimal(10, 2) -> Decimal'],
    ])
    const sized = (type: string) => USER.replace('name String', `size Int ${type}`)
    expect(told(await changes(sized(''), sized('@db.SmallInt')))).toEqual([
      ['breaking', 'column-narrower', 'Int -> @db.SmallInt'],
    ])
  })

  it('a text that must be a UUID breaks, and so does one that need not be any more, where it is read', async () => {
    const typed = (type: string, comment = '') => USER.replace('  name String', `  ${comment}\n  name String ${type}`)
    const dated = (type: string) => USER.replace('name String', `on DateTime ${type}`)
    expect(told(await changes(dated(''), dated('@db.Date')))).toEqual([
      ['breaking', 'field-type', 'date and time -> date'],
    ])
    expect(told(await changes(dated('@db.Date'), dated('@db.Timestamp(3)')))).toEqual([
      ['breaking', 'field-type', 'date -> date and time'],
    ])
    expect(told(await changes(typed(''), typed('@db.Uuid')))).toEqual([['breaking', 'field-type', 'text -> uuid']])
    expect(told(await changes(typed('@db.Uuid'), typed('')))).toEqual([['breaking', 'field-type', 'uuid -> text']])
    const hidden = '/// @api.writeOnly'
    expect(told(await changes(typed('@db.Uuid', hidden), typed('', hidden)))).toEqual([
      ['loosened', 'field-type', 'uuid -> text'],
    ])
  })

  it('a list in place of a value breaks', async () => {
    expect(told(await changes(USER, USER.replace('String', 'String[]')))).toContainEqual([
      'breaking',
      'field-type',
      'String -> String[]',
    ])
  })

  it('another database is said once, with the operations that it takes away', async () => {
    const found = await changes(USER, USER, {}, { provider: 'mysql' })
    expect(told(found)).toEqual([
      ['breaking', 'database-changed', 'postgresql -> mysql'],
      ['breaking', 'operation-removed', 'createManyAndReturn'],
      ['breaking', 'operation-removed', 'updateManyAndReturn'],
    ])
  })
})

describe('what a deleted row does to others', () => {
  const owned = (action: string) =>
    `model User {\n  id Int @id\n  posts Post[]\n}\nmodel Post {\n  id Int @id\n  userId Int?\n  user User? @relation(fields: [userId], references: [id], onDelete: ${action})\n}\n`

  it.each([
    ['Restrict', 'Cascade', 'loosened', 'delete-reaches'],
    ['SetNull', 'Cascade', 'breaking', 'delete-reaches'],
    ['Restrict', 'SetNull', 'loosened', 'delete-unties'],
    ['Cascade', 'SetNull', 'harmless', 'delete-unties'],
    ['Cascade', 'Restrict', 'breaking', 'delete-refused'],
  ])('%s, then %s', async (from, to, kind, code) => {
    expect(told(await changes(owned(from), owned(to)))).toEqual([[kind, code, `${from} -> ${to}`]])
  })
})

describe('a required relation that can be null', () => {
  const owned = (model = '', relation = '', optional = '') =>
    `/// ${model}\nmodel User {\n  id Int @id\n  posts Post[]\n}\nmodel Post {\n  id Int @id\n  userId Int${optional}\n  /// ${relation}\n  user User${optional} @relation(fields: [userId], references: [id])\n}\n`
  const policy = { options: '  policy = "casl"' }

  it.each([
    ['a nullable model', owned(), owned('@api.nullable'), {}, [['breaking', 'relation-nullable', undefined]]],
    ['a nullable relation', owned(), owned('', '@api.nullable'), {}, [['breaking', 'relation-nullable', undefined]]],
    ['a policy', owned(), owned(), policy, [['breaking', 'relation-nullable', undefined]]],
    ['a policy and a non-null relation', owned(), owned('', '@api.nonNull'), policy, []],
    ['a nullable model no more', owned('@api.nullable'), owned(), {}, [['harmless', 'relation-non-null', undefined]]],
    ['another place of the same word', owned('@api.nullable'), owned('', '@api.nullable'), {}, []],
  ])('%s', async (_name, before, after, is, findings) => {
    expect(told(await changes(before, after, {}, is))).toEqual(findings)
  })

  it('is reported by its foreign key if it becomes optional', async () => {
    const codes = (await changes(owned('@api.nullable'), owned('', '', '?'))).map(({ code }) => code)
    expect(codes).not.toContain('relation-non-null')
    expect(codes).toContain('field-nullable')
  })

  it('names the relation and both styles', async () => {
    expect((await changes(owned(), owned('@api.nullable')))[0]).toMatchObject({
      model: 'Post',
      member: 'user',
      sentence:
        '`Post.user` is null in responses if its `User` is hidden from the caller (REST `data: null`; RPC `null`).',
    })
  })
})

describe('options of the generator', () => {
  it('a style that goes breaks, and one that comes exposes', async () => {
    const [both, one] = [{}, { options: '  styles = ["rest"]' }]
    expect(told(await changes(USER, USER, both, one))).toEqual([['breaking', 'style-removed', 'rpc']])
    expect(told(await changes(USER, USER, one, both))).toEqual([['exposure', 'style-added', 'rpc']])
  })

  it('sentences name the styles that there are', async () => {
    const more = USER.replace('name String', 'name String?')
    const only = { options: '  styles = ["rpc"]' }
    const sentences = (await changes(USER, more, only, only)).map(({ sentence }) => sentence)
    expect(sentences.join('\n')).toContain('(RPC)')
    expect(sentences.join('\n')).not.toContain('REST')
  })

  it('nested routes open a way, and close one', async () => {
    const nested = { options: '  nestedRoutes = "true"' }
    expect(told(await changes(USER, USER, {}, nested))).toEqual([['exposure', 'nested-routes', 'on']])
    expect(told(await changes(USER, USER, nested, {}))).toEqual([['breaking', 'nested-routes', 'off']])
  })
})

describe('a version', () => {
  const counted = (comment: string) => `model User {\n  id Int @id\n  /// ${comment}\n  count Int @default(1)\n}\n`

  it('that goes breaks those who name it, and one that need not be named asks less', async () => {
    const [read, may, must] = ['@api.readOnly', '@api.version', '@api.version(required)'].map(counted)
    if (read === undefined || may === undefined || must === undefined) throw new Error('There are three.')
    expect(told(await changes(may, read))).toEqual([['breaking', 'version-removed', undefined]])
    expect(told(await changes(must, may))).toEqual([['loosened', 'version-optional', undefined]])
    expect(told(await changes(may, must))).toEqual([['breaking', 'version-required', undefined]])
    const other = may
      .replace('  /// @api.version\n', '  /// @api.readOnly\n')
      .replace('}', '  /// @api.version\n  other Int @default(1)\n}')
    expect(told(await changes(may, other))).toContainEqual(['breaking', 'version-moved', 'count -> other'])
  })
})

describe('a rename', () => {
  const renamed = async (before: string, after: string) => {
    const model = (field: string) => `model User {\n  id Int @id\n  ${field}\n}\n`
    return told(await changes(model(before), model(after))).map(([, code]) => code)
  }

  it('is one where the rest fits', async () => {
    expect(await renamed('name String?', 'title String?')).toEqual(['field-renamed'])
    expect(await renamed('name String?', 'title String? @map("name")')).toEqual(['field-renamed'])
  })

  it('is none where the type, the rule or the exposure is another one', async () => {
    for (const other of [
      'title Int?',
      'title String',
      '/// @zod.max(3)\n  title String?',
      '/// @api.readOnly\n  title String?',
    ]) {
      expect(await renamed('name String?', other)).toEqual(expect.arrayContaining(['field-added', 'field-removed']))
    }
  })

  it('is none where two fields fit', async () => {
    expect(await renamed('name String?', 'title String?\n  nick String?')).not.toContain('field-renamed')
  })

  it('never hides that something is called like a secret now', async () => {
    const codes = await renamed('name String?', 'passwordHash String?')
    expect(codes).toEqual(['field-added', 'field-removed'])
  })

  it('of a model keeps what else has changed in it', async () => {
    const found = await changes(USER, USER.replace('model User', 'model Person').replace('String', 'String?'))
    expect(told(found).map(([, code]) => code)).toEqual(expect.arrayContaining(['model-renamed', 'field-nullable']))
    expect(told(found).map(([, code]) => code)).not.toContain('model-added')
  })
})

describe('a new model', () => {
  it('comes first where a field of it is called like a secret', async () => {
    const more = 'model A {\n  id Int @id\n}\nmodel Z {\n  id Int @id\n  apiKey String\n}\n'
    const found = await changes(USER, USER + more)
    expect(found.map(({ model }) => model)).toEqual(['Z', 'A'])
    expect(found[0]?.sentence).toContain('Called like secrets: `apiKey`.')
  })

  it('that nobody can identify is not on the wire', async () => {
    const found = await changes(USER, `${USER}/// @api.hidden\nmodel A {\n  id Int @id\n}\n`)
    expect(told(found)).toEqual([['harmless', 'model-off-the-wire', undefined]])
  })
})
