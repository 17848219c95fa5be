import { describe, expect, it } from 'vitest'

import { REST_FEATURES, RPC_FEATURES } from '../../generator/features.js'
import type { Finding } from '../../generator/changes/change.js'
import { compareApis } from '../../generator/changes/compare/compare.js'
import { type ApiSnapshot, createApiSnapshot } from '../../generator/changes/api-snapshot.js'
import { readSchema } from '../../generator/load-schema.js'
import { SCHEMA_HEAD } from '../support/generate.js'

interface Setting {
  readonly options?: string
  readonly provider?: string
}

async function sideOf(
  models: string,
  { options = '', provider = 'postgresql' }: Setting = {},
  isBase = false,
): Promise<ApiSnapshot> {
  const head = SCHEMA_HEAD.replace('"sqlite"', `"${provider}"`).replace('"./routes"', `"./routes"\n${options}`)
  const [input] = await readSchema('/app/schema.prisma', [{ path: '/app/schema.prisma', text: head + models }])
  if (!input) throw new Error('There is no routes generator.')
  return createApiSnapshot(input, isBase)
}

const summarize = (findings: readonly Finding[]) => findings.map(({ kind, code, detail }) => [kind, code, detail])

async function changes(before: string, after: string, was: Setting = {}, is: Setting = {}) {
  return compareApis(await sideOf(before, was, true), await sideOf(after, is))
}

const USER = 'model User {\n  id Int @id\n  name String\n}\n'

describe('native types and providers', () => {
  it('reports a narrower column as breaking and a wider one as loosened', async () => {
    const typed = (type: string) => USER.replace('name String', `name String ${type}`)
    expect(summarize(await changes(typed('@db.VarChar(50)'), typed('@db.VarChar(20)')))).toEqual([
      ['breaking', 'column-narrower', '@db.VarChar(50) -> @db.VarChar(20)'],
    ])
    expect(summarize(await changes(typed('@db.VarChar(20)'), typed('')))).toEqual([
      ['loosened', 'column-wider', '@db.VarChar(20) -> String'],
    ])
    expect(summarize(await changes(typed('@db.Text'), typed('')))).toEqual([['harmless', 'no-consequence', undefined]])
    const priced = (type: string) => USER.replace('name String', `price Decimal ${type}`)
    expect(summarize(await changes(priced('@db.Decimal(10, 2)'), priced('@db.Decimal(8, 2)')))).toEqual([
      ['breaking', 'column-narrower', '@db.Decimal(10, 2) -> @db.Decimal(8, 2)'],
    ])
    const rounds = (to: string) => ['breaking', 'column-rounds', `@db.Decimal(10, 2) -> @db.Decimal(${to})`]
    expect(summarize(await changes(priced('@db.Decimal(10, 2)'), priced('@db.Decimal(9, 1)')))).toEqual([
      rounds('9, 1'),
    ])
    expect(summarize(await changes(priced('@db.Decimal(10, 2)'), priced('@db.Decimal(10, 1)')))).toEqual([
      rounds('10, 1'),
      ['loosened', 'column-wider', '@db.Decimal(10, 2) -> @db.Decimal(10, 1)'],
    ])
    expect(summarize(await changes(priced('@db.Decimal(10, 2)'), priced('')))).toEqual([
      ['loosened', 'column-wider', '@db.Decimal(10, 2) -> Decimal'],
    ])
    const sized = (type: string) => USER.replace('name String', `size Int ${type}`)
    expect(summarize(await changes(sized(''), sized('@db.SmallInt')))).toEqual([
      ['breaking', 'column-narrower', 'Int -> @db.SmallInt'],
    ])
  })

  it.each([
    ['Decimal', '@zod.min(0).max(999)', 'Decimal(6, 2)', 'Decimal(5, 2)', 'no-consequence'],
    ['Decimal', '@zod.min(0).max(999)', 'Decimal(6, 2)', 'Decimal(8, 2)', 'no-consequence'],
    ['Decimal', '@zod.min(0).max(999.999)', 'Decimal(6, 2)', 'Decimal(5, 2)', 'column-narrower'],
    ['Decimal', '@zod.max(999)', 'Decimal(6, 2)', 'Decimal(5, 2)', 'column-narrower'],
    ['Decimal', '@zod.min(0).max(9999)', 'Decimal(5, 2)', 'Decimal(6, 2)', 'column-wider'],
    ['String', '@zod.max(20)', 'VarChar(50)', 'VarChar(20)', 'no-consequence'],
    ['String', '@zod.max(20)', 'VarChar(50)', 'VarChar(10)', 'column-narrower'],
    ['String', '@zod.max(20).toUpperCase()', 'VarChar(50)', 'VarChar(20)', 'column-narrower'],
    ['String[]', '@zod.max(20)', 'VarChar(50)', 'VarChar(20)', 'column-narrower'],
    ['String', '@zod.max(20)', 'VarChar(50)', 'VarChar(20)', 'column-narrower', 'sqlserver'],
  ])('%s %s, @db.%s to @db.%s: reports only values that the rule accepts', async (...row) => {
    const [type, rule, from, to, code, provider = 'postgresql'] = row
    const typed = (column: string) => USER.replace('name String', `/// ${rule}\n  name ${type} @db.${column}`)
    const found = await changes(typed(from), typed(to), { provider }, { provider })
    expect(found.map((finding) => finding.code)).toEqual([code])
  })

  it.each([
    ['@db.Timestamp(3)', '@db.Timestamp(0)', 'column-rounds'],
    ['@db.Time', '@db.Time(0)', 'column-rounds'],
    ['@db.Time(0)', '@db.Time', 'no-consequence'],
    ['@db.DateTime(3)', '@db.DateTime', 'column-rounds', 'mysql'],
    ['@db.DateTime', '@db.DateTime(0)', 'no-consequence', 'mysql'],
    ['@db.Timestamp(3)', '@db.Timestamp', 'column-rounds', 'mysql'],
    ['', '@db.Time(3)', 'field-type', 'mysql'],
    ['', '@db.DateTime', 'column-rounds', 'mysql'],
    ['@db.DateTime', '@db.SmallDateTime', 'no-consequence', 'sqlserver'],
    ['@db.Time(6)', '@db.Time(0)', 'column-rounds'],
    ['', '@db.Timestamptz(0)', 'column-rounds'],
    ['@db.Timestamptz', '@db.Timestamptz(2)', 'column-rounds'],
    ['@db.Timestamp(0)', '@db.Timestamp(3)', 'no-consequence'],
    ['@db.Timestamptz(6)', '@db.Timestamptz(3)', 'no-consequence'],
  ])('DateTime %s to %s: reports whether values are rounded', async (from, to, code, provider = 'postgresql') => {
    const dated = (column: string) => USER.replace('name String', `on DateTime ${column}`)
    const found = await changes(dated(from), dated(to), { provider }, { provider })
    expect(found.map((finding) => finding.code)).toEqual([code])
  })

  it('describes the rounding of times', async () => {
    const dated = (column: string) => USER.replace('name String', `on DateTime ${column}`)
    const [finding] = await changes(dated('@db.Timestamp(3)'), dated('@db.Timestamp(0)'))
    expect(finding?.sentence).toContain('stores 0 decimal places of seconds instead of 3 (`@db.Timestamp(0)`)')
  })

  it.each([
    ['DateTime', '@db.Timestamptz(3)', '@db.Timestamptz(6)', [['breaking', 'cursor-sort-removed']]],
    ['DateTime', '@db.Timestamptz', '@db.Timestamptz(3)', [['loosened', 'cursor-sort-added']]],
    ['Float', '@db.DoublePrecision', '@db.Real', [['breaking', 'cursor-sort-removed']]],
    ['DateTime[]', '@db.Timestamptz(3)', '@db.Timestamptz(6)', [['harmless', 'no-consequence']]],
    [
      'DateTime',
      '@db.Timestamp(3) /// @api.writeOnly',
      '@db.Timestamp(6) /// @api.writeOnly',
      [['harmless', 'no-consequence']],
    ],
  ])('%s %s to %s: reports whether cursors support sorting by it', async (type, from, to, expected) => {
    const cursors = { options: '  rest = ["cursors"]' }
    const typed = (column: string) => USER.replace('name String', `value ${type} ${column}`)
    const found = await changes(typed(from), typed(to), cursors, cursors)
    expect(found.map(({ kind, code }) => [kind, code])).toEqual(expected)
    expect((await changes(typed(from), typed(to))).map(({ code }) => code)).toEqual(['no-consequence'])
  })

  it('does not report null for a Json field, whose values include null', async () => {
    const typed = (type: string) => USER.replace('name String', `data ${type}`)
    expect(summarize(await changes(typed('Json?'), typed('Json')))).toEqual([
      ['breaking', 'field-required', 'Json? -> Json'],
    ])
    expect(summarize(await changes(typed('Json'), typed('Json?')))).toEqual([
      ['loosened', 'field-optional', 'Json -> Json?'],
    ])
  })

  it('reports a changed value format of a readable field as breaking', async () => {
    const typed = (type: string, comment = '') => USER.replace('  name String', `  ${comment}\n  name String ${type}`)
    expect(summarize(await changes(typed(''), typed('@db.Uuid')))).toEqual([['breaking', 'field-type', 'text -> uuid']])
    expect(summarize(await changes(typed('@db.Uuid'), typed('')))).toEqual([['breaking', 'field-type', 'uuid -> text']])
    const hidden = '/// @api.writeOnly'
    expect(summarize(await changes(typed('@db.Uuid', hidden), typed('', hidden)))).toEqual([
      ['loosened', 'field-type', 'uuid -> text'],
    ])
  })

  it.each([
    ['', '@db.Date', 'breaking', 'date and time -> date'],
    ['@db.Date', '@db.Timestamp(3)', 'breaking', 'date -> date and time'],
    ['@db.Time(0)', '@db.Timestamptz(3)', 'breaking', 'time -> date and time'],
    ['@db.Timestamptz(3)', '@db.Timetz(3)', 'breaking', 'date and time -> time'],
    ['@db.Date', '@db.Time(0)', 'breaking', 'date -> time'],
    ['@db.Time(0)', '@db.Date', 'breaking', 'time -> date'],
    ['@db.Date /// @api.writeOnly', '@db.Timestamp(3) /// @api.writeOnly', 'loosened', 'date -> date and time'],
    ['@db.Time(3) /// @api.writeOnly', '@db.Date /// @api.writeOnly', 'breaking', 'time -> date'],
  ])('DateTime %s to %s: reports the stored parts', async (from, to, kind, detail) => {
    const dated = (type: string) => USER.replace('name String', `on DateTime ${type}`)
    expect(summarize(await changes(dated(from), dated(to)))).toEqual([[kind, 'field-type', detail]])
  })

  it('describes the stored parts of a DateTime before and after', async () => {
    const dated = (type: string) => USER.replace('name String', `on DateTime ${type}`)
    const [finding] = await changes(dated('@db.Date'), dated('@db.Time(0)'))
    expect(finding?.sentence).toBe(
      '`User.on` now contains times without a date instead of dates without a time (REST and RPC).',
    )
  })

  it('reports a field that becomes a list as breaking', async () => {
    expect(summarize(await changes(USER, USER.replace('String', 'String[]')))).toContainEqual([
      'breaking',
      'field-type',
      'String -> String[]',
    ])
  })

  it('reports a changed provider once, with the removed operations', async () => {
    const found = await changes(USER, USER, {}, { provider: 'mysql' })
    expect(summarize(found)).toEqual([
      ['breaking', 'database-changed', 'postgresql -> mysql'],
      ['breaking', 'operation-removed', 'createManyAndReturn'],
      ['breaking', 'operation-removed', 'updateManyAndReturn'],
    ])
  })
})

describe('changed onDelete', () => {
  const owned = (action: string) =>
    `model User {\n  id Int @id\n  posts Post[]\n}\nmodel Post {\n  id Int @id\n  userId Int?\n  user User? @relation(fields: [userId], references: [id], onDelete: ${action})\n}\n`

  it.each([
    ['Restrict', 'Cascade', 'loosened', 'delete-reaches'],
    ['SetNull', 'Cascade', 'breaking', 'delete-reaches'],
    ['Restrict', 'SetNull', 'loosened', 'delete-unties'],
    ['Cascade', 'SetNull', 'harmless', 'delete-unties'],
    ['Cascade', 'Restrict', 'breaking', 'delete-refused'],
  ])('%s to %s: reports the effect on related rows', async (from, to, kind, code) => {
    expect(summarize(await changes(owned(from), owned(to)))).toEqual([[kind, code, `${from} -> ${to}`]])
  })

  const LISTED = '/// @api.operations(list)\n'
  const TEAM = 'model Team {\n  id Int @id\n  users User[]\n}\n'
  const IN_TEAM = 'teamId Int\n  team Team @relation(fields: [teamId], references: [id], onDelete: Cascade)'
  const IN_PARENT =
    'parentId Int?\n  parent User? @relation("p", fields: [parentId], references: [id], onDelete: Cascade)\n  children User[] @relation("p")'

  it.each([
    ['no delete', '', '', 'no-consequence'],
    ['a cascade from a deletable model', TEAM, IN_TEAM, 'delete-refused'],
    ['a cascade from a model without deletes', LISTED + TEAM, IN_TEAM, 'no-consequence'],
    ['a cascade from a hidden model', `/// @api.hidden\n${TEAM}`, IN_TEAM, 'delete-refused'],
    ['a cascade from the model itself', '', IN_PARENT, 'no-consequence'],
  ])('%s: reports a refused delete only if callers can delete rows', async (_name, team, field, code) => {
    const schema = (action: string) => team + LISTED + owned(action).replace('posts Post[]', `posts Post[]\n  ${field}`)
    expect((await changes(schema('SetNull'), schema('Restrict'))).map((each) => each.code)).toEqual([code])
  })
})

describe('nullable required relation', () => {
  const owned = (model = '', relation = '', optional = '') =>
    `/// ${model}\nmodel User {\n  id Int @id\n  posts Post[]\n}\nmodel Post {\n  id Int @id\n  userId Int${optional}\n  /// ${relation}\n  user User${optional} @relation(fields: [userId], references: [id])\n}\n`
  const policy = { options: '  policy = "casl"' }

  it.each([
    ['nullable model', owned(), owned('@api.nullable'), {}, [['breaking', 'relation-nullable', undefined]]],
    ['nullable relation', owned(), owned('', '@api.nullable'), {}, [['breaking', 'relation-nullable', undefined]]],
    ['policy', owned(), owned(), policy, [['breaking', 'relation-nullable', undefined]]],
    ['policy and non-null relation', owned(), owned('', '@api.nonNull'), policy, []],
    [
      'model without @api.nullable',
      owned('@api.nullable'),
      owned(),
      {},
      [['harmless', 'relation-non-null', undefined]],
    ],
    ['@api.nullable moved to the relation', owned('@api.nullable'), owned('', '@api.nullable'), {}, []],
  ])('%s: reports the changed nullability', async (_name, before, after, is, findings) => {
    expect(summarize(await changes(before, after, {}, is))).toEqual(findings)
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

describe('generator options', () => {
  it('reports a removed style as breaking and an added one as exposure', async () => {
    const [both, one] = [{}, { options: '  styles = ["rest"]' }]
    expect(summarize(await changes(USER, USER, both, one))).toEqual([['breaking', 'style-removed', 'rpc']])
    expect(summarize(await changes(USER, USER, one, both))).toEqual([['exposure', 'style-added', 'rpc']])
  })

  it('reports a removed policy as the first exposure', async () => {
    const policy = { options: '  policy = "casl"' }
    const found = await changes(USER, USER.replace('}', '  apiKey String?\n}'), policy, {})
    expect(summarize(found)).toEqual([
      ['exposure', 'policy-removed', 'casl'],
      ['exposure', 'field-added', undefined],
    ])
    expect(found[0]?.sentence).toBe(
      'The block no longer generates `policy.ts`: if your app does not replace it, callers can read and write all rows that it hid.',
    )
    expect(await changes(USER, USER, {}, policy)).toEqual([])
  })

  it('names the argument of custom routes if a version is removed or moved', async () => {
    const fields = USER.replace('}', '  a Int @default(1)\n  b Int @default(1)\n}')
    const versioned = (name: string) => fields.replace(`  ${name} Int`, `  /// @api.version\n  ${name} Int`)
    const sentenceOf = async (code: string, after: string) =>
      (await changes(versioned('a'), after)).find((finding) => finding.code === code)?.sentence
    expect(await sentenceOf('version-removed', fields)).toContain('RPC custom routes no longer have the argument `a`)')
    const moved = 'RPC custom routes have the argument `b` instead)'
    expect(await sentenceOf('version-moved', versioned('b'))).toContain(moved)
  })

  it('names only the generated styles in sentences', async () => {
    const more = USER.replace('name String', 'name String?')
    const only = { options: '  styles = ["rpc"]' }
    const sentences = (await changes(USER, more, only, only)).map(({ sentence }) => sentence)
    expect(sentences.join('\n')).toContain('(RPC)')
    expect(sentences.join('\n')).not.toContain('REST')
  })

  it.each(
    [
      ...REST_FEATURES.map((feature) => ['rest', feature] as const),
      ...RPC_FEATURES.map((feature) => ['rpc', feature] as const),
    ].filter(([, feature]) => feature !== 'lifecycle'),
  )('reports an added feature as exposure and a removed one as breaking: %s = ["%s"]', async (style, feature) => {
    const enabled = { options: `  ${style} = ["${feature}"]` }
    const detail = `${style}.${feature}`
    expect(summarize(await changes(USER, USER, {}, enabled))).toEqual([['exposure', 'feature-added', detail]])
    expect(summarize(await changes(USER, USER, enabled, {}))).toEqual([['breaking', 'feature-removed', detail]])
  })

  it.each(['rest', 'rpc'])('does not report the feature lifecycle, which callers cannot use: %s', async (style) => {
    const enabled = { options: `  ${style} = ["lifecycle"]` }
    expect(await changes(USER, USER, {}, enabled)).toEqual([])
    expect(await changes(USER, USER, enabled, {})).toEqual([])
  })

  it('does not report conditional requests that a version field enables in any case', async () => {
    const versioned = USER.replace('name String', 'name String\n  /// @api.version\n  revision Int @default(1)')
    const enabled = { options: '  rest = ["conditionalRequests"]' }
    expect(await changes(versioned, versioned, {}, enabled)).toEqual([])
    expect(await changes(versioned, versioned, enabled, {})).toEqual([])
  })

  it('reads the option of earlier versions for nested routes', async () => {
    const nested = { options: '  rest = ["nestedRoutes"]' }
    const earlier = { options: '  nestedRoutes = "true"' }
    expect(await changes(USER, USER, earlier, nested)).toEqual([])
  })
})

describe('rules', () => {
  it.each([
    ['min(2)', 'regex(/^a/)'],
    ['trim().min(2)', 'min(2)'],
    ['min(2).max(5)', 'min(3).max(6)'],
  ])('%s to %s: reports a change in both directions once', async (from, to) => {
    const checked = (rule: string) => USER.replace('  name', `  /// @zod.${rule}\n  name`)
    const found = await changes(checked(from), checked(to))
    expect(found.map(({ kind, code }) => [kind, code])).toEqual([['breaking', 'rule-changed']])
  })
})

describe('removed default of a generated id', () => {
  it.each([
    ['id', '(REST `data.id` of a create; RPC `data`)'],
    ['number', '(REST attribute; RPC `data`)'],
  ])('%s: names the member that can now contain it', async (id, suffix) => {
    const schema = (value: string) => `model User {\n  ${id} Int @id ${value}\n}\n`
    const found = await changes(schema('@default(autoincrement())'), schema(''))
    expect(found.find(({ code }) => code === 'field-writable')?.sentence).toContain(suffix)
  })
})

describe('sentences', () => {
  it('describe the old and the new argument of an attribute', async () => {
    const schema = (name: string) => USER.replace('\n}', `\n  @@schema("${name}")\n}`)
    const setting = { provider: 'postgresql"\n  schemas  = ["core", "clinical"] // "' }
    const [finding] = await changes(schema('core'), schema('clinical'), setting, setting)
    expect(finding?.sentence).toBe('`User`: changed `@@schema("core")` to `@@schema("clinical")`. The API is the same.')
  })

  const typed = (field: string) => USER.replace('name String', field)
  const literal = (value: string) => typed(`data Json${value}`)

  it.each([
    [
      'one decimal place',
      typed('a Decimal @db.Decimal(9, 2)'),
      typed('a Decimal @db.Decimal(8, 1)'),
      'stores 1 decimal place instead of 2',
    ],
    ['a removed literal', literal('? @default("{}")'), literal('?'), 'get null instead of `"{}"`'],
    ['a changed literal', literal(' @default("{}")'), literal(' @default("[]")'), 'get `"[]"` instead of `"{}"`'],
  ])('describe %s', async (_name, before, after, expected) => {
    const [finding] = await changes(before, after)
    expect(finding?.sentence).toContain(expected)
  })
})

describe('edits of an enum without an effect', () => {
  const schema = (values: string) => `enum Status {\n  ${values}\n}\nmodel User {\n  id Int @id\n  status Status\n}\n`

  it.each([
    ['the stored value of `A`', 'A @map("a")\n  B', 'A @map("x")\n  B'],
    ['comments', 'A\n  B', '/// First.\n  A\n  B'],
    ['the name of the enum in the database', 'A\n  B', 'A\n  B\n\n  @@map("status")'],
  ])('%s: are reported as harmless', async (reason, before, after) => {
    expect(await changes(schema(before), schema(after))).toMatchObject([
      {
        kind: 'harmless',
        code: 'no-consequence',
        detail: 'Status',
        sentence: `\`Status\`: changed ${reason}. The API is the same.`,
      },
    ])
  })
})

describe('reordered values of an enum', () => {
  const schema = (values: string) => `enum Status {\n  ${values}\n}\nmodel User {\n  id Int @id\n  status Status\n}\n`

  it.each([
    ['postgresql', 'other', 'enum-order', 'After the migration, the sort order of fields with this type can change.'],
    ['mysql', 'other', 'enum-order', 'After the migration, the sort order of fields with this type can change.'],
    ['sqlite', 'harmless', 'no-consequence', 'The API is the same.'],
  ])('%s: reports whether the sort order can change', async (provider, kind, code, effect) => {
    const found = await changes(schema('A\n  B'), schema('B\n  A'), { provider }, { provider })
    expect(found).toMatchObject([{ kind, code, sentence: `\`Status\`: changed the order of values. ${effect}` }])
  })
})

describe('unique constraints', () => {
  const keyed = (comment: string, attribute = '') =>
    `model User {\n  id Int @id @default(autoincrement())\n  ${comment}\n  tenantId Int\n  name String\n  ${attribute}\n}\n`
  const [unique, serverSet] = ['@@unique([tenantId, name])', '/// @api.serverSet']
  const owned = (attribute = '') =>
    `model User {\n  id Int @id\n  teams Team[]\n}\nmodel Team {\n  id Int @id\n  /// @api.hidden\n  userId Int\n  user User @relation(fields: [userId], references: [id])\n  /// @api.readOnly\n  slug String?\n  ${attribute}\n}\n`
  const [rejected, permitted] = [
    ['breaking', 'duplicates-refused'],
    ['loosened', 'duplicates-taken'],
  ]
  const added = [['exposure', 'unique-added'], rejected]
  const removed = [['breaking', 'unique-removed'], permitted]
  const lookups = [
    ['exposure', 'unique-added'],
    ['breaking', 'unique-removed'],
  ]
  const compound = (attribute: string) => `model User {\n  a Int\n  b Int\n  ${attribute}\n}\n`
  const idAndUnique = (attribute: string) =>
    `model User {\n  id Int @id\n  a Int\n  b Int\n  c Int\n  ${attribute}\n}\n`

  it.each([
    ['added with a server-set field', keyed(serverSet), keyed(serverSet, unique), added],
    [
      'added with a hidden server-set field',
      keyed(`${serverSet} @api.hidden`),
      keyed(`${serverSet} @api.hidden`, unique),
      [rejected],
    ],
    ['added with a read-only field', keyed('/// @api.readOnly'), keyed('/// @api.readOnly', unique), added],
    ['removed with a server-set field', keyed(serverSet, unique), keyed(serverSet), removed],
    ['removed with a hidden field', keyed('/// @api.hidden', unique), keyed('/// @api.hidden'), [permitted]],
    [
      'added without writable fields',
      keyed(serverSet),
      keyed(serverSet, '@@unique([tenantId])'),
      [['exposure', 'unique-added']],
    ],
    ['narrowed to one field', keyed(serverSet, unique), keyed(serverSet, '@@unique([name])'), [...lookups, rejected]],
    ['added with one field', keyed(''), keyed('', '@@unique([name])'), added],
    ['added with the fields of the id', keyed(''), keyed('', '@@unique([id])'), []],
    ['added with a hidden key of a writable relation', owned(), owned('@@unique([userId, slug])'), [rejected]],
    ['added with the id', keyed(serverSet), keyed(serverSet, '@@unique([id, name])'), [['exposure', 'unique-added']]],
    [
      'id with its fields reordered',
      compound('@@id([a, b])'),
      compound('@@id([b, a])'),
      [
        ['breaking', 'id-changed'],
        ['breaking', 'unique-renamed'],
      ],
    ],
    [
      'unique with its fields reordered',
      idAndUnique('@@unique([a, b])'),
      idAndUnique('@@unique([b, a])'),
      [['breaking', 'unique-renamed']],
    ],
    [
      'named unique with its fields reordered',
      idAndUnique('@@unique([a, b], name: "pair")'),
      idAndUnique('@@unique([b, a], name: "pair")'),
      [],
    ],
    [
      'extended by a field',
      idAndUnique('@@unique([a, b])'),
      idAndUnique('@@unique([a, b, c])'),
      [['exposure', 'unique-added'], ['breaking', 'unique-removed'], permitted],
    ],
  ])('%s: reports whether duplicates are rejected', async (_name, before, after, findings) => {
    expect((await changes(before, after)).map(({ kind, code }) => [kind, code])).toEqual(findings)
  })

  it.each([
    ['server-set field', serverSet, '(RPC `findUnique`, `connect`)'],
    ['writable field', '', '(REST `matchFields` of an upsert; RPC `findUnique`, `connect`)'],
  ])('%s: names the styles in which rows can be looked up', async (_name, comment, styles) => {
    const found = await changes(keyed(comment), keyed(comment, unique))
    expect(found.find(({ code }) => code === 'unique-added')?.sentence).toBe(
      `A \`User\` can now be looked up by \`tenantId\` and \`name\` ${styles}.`,
    )
  })

  it.each([
    ['Order', 'An `Order`'],
    ['item', 'An `item`'],
    ['User', 'A `User`'],
  ])('%s: uses the matching article', async (name, subject) => {
    const named = (schema: string) => schema.replace('model User', `model ${name}`)
    const found = await changes(named(keyed('')), named(keyed('', unique)))
    expect(found.find(({ code }) => code === 'unique-added')?.sentence).toContain(`${subject} can now be looked up by`)
  })

  it('reports no lookup in a REST API if a field is server-set or only the order changes', async () => {
    const rest = { options: '  styles = ["rest"]' }
    const found = await changes(keyed(serverSet), keyed(serverSet, unique), rest, rest)
    expect(summarize(found)).toEqual([['breaking', 'duplicates-refused', undefined]])
    const [before, after] = [idAndUnique('@@unique([a, b])'), idAndUnique('@@unique([b, a])')]
    expect(await changes(before, after, rest, rest)).toEqual([])
  })
})

describe('version field', () => {
  const counted = (comment: string) => `model User {\n  id Int @id\n  /// ${comment}\n  count Int @default(1)\n}\n`

  it('reports removed and required versions as breaking, optional ones as loosened', async () => {
    const [read, may, must] = ['@api.readOnly', '@api.version', '@api.version(required)'].map(counted)
    if (read === undefined || may === undefined || must === undefined) throw new Error('There are three.')
    expect(summarize(await changes(may, read))).toEqual([['breaking', 'version-removed', undefined]])
    expect(summarize(await changes(must, may))).toEqual([['loosened', 'version-optional', undefined]])
    expect(summarize(await changes(may, must))).toEqual([['breaking', 'version-required', undefined]])
    const other = may
      .replace('  /// @api.version\n', '  /// @api.readOnly\n')
      .replace('}', '  /// @api.version\n  other Int @default(1)\n}')
    expect(summarize(await changes(may, other))).toContainEqual(['breaking', 'version-moved', 'count -> other'])
  })
})

describe('required versions of rows with the foreign key', () => {
  const schema = (version: string, relation = '') =>
    `model User {\n  id Int @id\n  ${relation}\n  posts Post[]\n}\nmodel Post {\n  id Int @id\n  ${version}\n  count Int @default(1)\n  userId Int?\n  user User? @relation(fields: [userId], references: [id])\n}\n`
  const [none, may, must] = ['/// @api.readOnly', '/// @api.version', '/// @api.version(required)'] as const
  const readOnly = '/// @api.readOnly'

  it.each([
    ['now required', schema(may), schema(must), ['breaking', 'relation-read-only']],
    ['added and required', schema(none), schema(must), ['breaking', 'relation-read-only']],
    ['no longer required', schema(must), schema(may), ['exposure', 'relation-writable']],
    ['removed', schema(must), schema(none), ['exposure', 'relation-writable']],
    ['required on a read-only relation', schema(may, readOnly), schema(must, readOnly), undefined],
  ])('%s: reports whether callers can write the other side', async (_name, before, after, expected) => {
    const found = await changes(before, after)
    const [finding] = found.filter(({ code }) => code.startsWith('relation-'))
    expect(finding && [finding.kind, finding.code]).toEqual(expected)
    expect(finding?.model).toBe(expected && 'User')
  })

  it('names the reason and the rejected requests', async () => {
    const found = await changes(schema(may), schema(must))
    expect(found.find(({ code }) => code === 'relation-read-only')?.sentence).toBe(
      '`User.posts` is now read-only, because changes to `Post` require a version: requests that write it are rejected ' +
        '(REST `relationships`: 403 or 405; RPC 428, except for nested `create` and `createMany`).',
    )
  })
})

describe('renames', () => {
  const renamed = async (before: string, after: string) => {
    const model = (field: string) => `model User {\n  id Int @id\n  ${field}\n}\n`
    return summarize(await changes(model(before), model(after))).map(([, code]) => code)
  }

  it('are detected if type, rule and exposure match', async () => {
    expect(await renamed('name String?', 'title String?')).toEqual(['field-renamed'])
    expect(await renamed('name String?', 'title String? @map("name")')).toEqual(['field-renamed'])
  })

  it('are not detected if type, rule or exposure differ', async () => {
    for (const other of [
      'title Int?',
      'title String',
      '/// @zod.max(3)\n  title String?',
      '/// @api.readOnly\n  title String?',
    ]) {
      expect(await renamed('name String?', other)).toEqual(expect.arrayContaining(['field-added', 'field-removed']))
    }
  })

  it('are not detected if two new fields match', async () => {
    expect(await renamed('name String?', 'title String?\n  nick String?')).not.toContain('field-renamed')
  })

  it('are not detected if the new name is secret-like', async () => {
    const codes = await renamed('name String?', 'passwordHash String?')
    expect(codes).toEqual(['field-added', 'field-removed'])
  })

  it('of models include other changes of the model', async () => {
    const found = await changes(USER, USER.replace('model User', 'model Person').replace('String', 'String?'))
    expect(summarize(found).map(([, code]) => code)).toEqual(
      expect.arrayContaining(['model-renamed', 'field-nullable']),
    )
    expect(summarize(found).map(([, code]) => code)).not.toContain('model-added')
  })
})

describe('new model', () => {
  it('is reported first if it has a secret-like field', async () => {
    const more = 'model A {\n  id Int @id\n}\nmodel Z {\n  id Int @id\n  apiKey String\n}\n'
    const found = await changes(USER, USER + more)
    expect(found.map(({ model }) => model)).toEqual(['Z', 'A'])
    expect(found[0]?.sentence).toContain('Names that resemble secrets: `apiKey`.')
  })

  it('is reported as harmless if it is hidden', async () => {
    const found = await changes(USER, `${USER}/// @api.hidden\nmodel A {\n  id Int @id\n}\n`)
    expect(summarize(found)).toEqual([['harmless', 'model-off-the-wire', undefined]])
  })
})
