import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import type { Diagnostic } from '../../generator/errors.js'
import { loadSchema } from '../../generator/load-schema.js'
import { buildApiModel } from '../../generator/model/build-api-model.js'
import type { SchemaField, SchemaModel, SchemaSource } from '../../generator/schema/schema.js'
import { SCHEMA_HEAD } from '../support/generate.js'

/** Reads a schema with Prisma 7. */
async function read(models: string, head = SCHEMA_HEAD): Promise<SchemaSource> {
  const folder = mkdtempSync(path.join(tmpdir(), 'routewright-test-'))
  try {
    mkdirSync(path.join(folder, 'prisma'))
    writeFileSync(path.join(folder, 'prisma/schema.prisma'), head + models)
    const [input] = await loadSchema(path.join(folder, 'prisma/schema.prisma'))
    if (!input) throw new Error('the schema has no routes generator')
    input.schema.files()
    return input.schema
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const modelOf = ({ models }: SchemaSource, name: string) => models.find((model) => model.name === name)

describe('loadSchema', () => {
  it('reads type, column, comment and default of a field', async () => {
    const schema = await read(
      `model Post {
  id      String   @id @default(dbgenerated("gen_random_uuid()")) @db.Uuid
  /// In *bold*.
  /// @api.hidden
  title   String?  @map("title_text")
  state   State[]  @default([OPEN])
  changed DateTime @updatedAt
  both    DateTime @default(now()) @updatedAt
  gone    Unsupported("point")?
}
/// Where it stands.
enum State {
  OPEN @map("open")
  DONE
}`,
      SCHEMA_HEAD.replace('sqlite', 'postgresql'),
    )
    expect(schema).toMatchObject({ provider: 'postgresql', relationMode: undefined })
    expect(schema.enums).toEqual([{ name: 'State', comment: 'Where it stands.', values: ['OPEN', 'DONE'] }])
    const plain = { list: false, optional: false, nativeType: undefined, column: undefined, updatedAt: false }
    expect(modelOf(schema, 'Post')?.fields).toEqual([
      { ...plain, name: 'id', kind: 'scalar', type: 'String', nativeType: 'Uuid', defaultFrom: 'database' },
      {
        ...plain,
        name: 'title',
        comment: 'In *bold*.\n@api.hidden',
        kind: 'scalar',
        type: 'String',
        optional: true,
        column: 'title_text',
      },
      { ...plain, name: 'state', kind: 'enum', type: 'State', list: true, defaultFrom: 'client' },
      { ...plain, name: 'changed', kind: 'scalar', type: 'DateTime', updatedAt: true },
      { ...plain, name: 'both', kind: 'scalar', type: 'DateTime', updatedAt: true, defaultFrom: 'client' },
    ])
  })

  it('reads both ends of relations and self-relations', async () => {
    const schema = await read(`
model User {
  id      Int    @id
  posts   Post[]
  boss    User?  @relation("boss", fields: [bossId], references: [id])
  bossId  Int?
  reports User[] @relation("boss")
}
model Post {
  id       Int  @id
  author   User @relation(fields: [authorId], references: [id])
  authorId Int
  tags     Tag[]
}
model Tag {
  id    Int    @id
  posts Post[]
}`)
    const plain = { comment: undefined, list: false, optional: false, foreignKey: [], onDelete: undefined }
    expect(modelOf(schema, 'User')?.relations).toEqual([
      { ...plain, name: 'posts', target: 'Post', list: true, inverse: 'author' },
      { ...plain, name: 'boss', target: 'User', optional: true, foreignKey: [['bossId', 'id']], inverse: 'reports' },
      { ...plain, name: 'reports', target: 'User', list: true, inverse: 'boss' },
    ])
    expect(modelOf(schema, 'Post')?.relations).toEqual([
      { ...plain, name: 'author', target: 'User', foreignKey: [['authorId', 'id']], inverse: 'posts' },
      { ...plain, name: 'tags', target: 'Tag', list: true, inverse: 'posts' },
    ])
  })

  it('reads the primary key and unique criteria under their client names', async () => {
    const schema = await read(`
model Seat {
  row    Int
  number Int
  code   String @unique
  hall   String
  @@id([row, number])
  @@unique([hall, row], name: "place")
  @@unique([hall, number])
}`)
    expect(modelOf(schema, 'Seat')).toMatchObject({
      primaryKey: { name: 'row_number', fields: ['row', 'number'] },
      uniques: [
        { name: 'code', fields: ['code'] },
        { name: 'place', fields: ['hall', 'row'] },
        { name: 'hall_number', fields: ['hall', 'number'] },
      ],
    })
  })

  const constraint = { name: 'Seat_code_key', isDerived: true }
  it.each([
    ['@@unique([code])', [{ name: 'code', fields: ['code'], constraint }]],
    ['@@unique([code], name: "place")', [{ name: 'code', fields: ['code'], constraint }]],
    ['@@unique([id])', []],
  ])('%s: reads a unique criterion of one field once, under the name of the field', async (attribute, uniques) => {
    const schema = await read(`model Seat {\n  id Int @id\n  code String\n  ${attribute}\n}`)
    expect(modelOf(schema, 'Seat')?.uniques).toEqual(uniques)
  })

  it('reads the delegate methods of each model', async () => {
    const head = SCHEMA_HEAD.replace('sqlite', 'mysql').replace(
      '"./client"',
      '"./client"\n  previewFeatures = ["views"]',
    )
    const schema = await read(
      'model Post {\n  id Int @id\n}\nmodel Place {\n  id Int @id\n  at Unsupported("point")\n}\nview Sum {\n  id Int @unique\n}',
      head,
    )
    const reads = ['aggregate', 'count', 'findFirst', 'findFirstOrThrow', 'findMany', 'findUnique', 'findUniqueOrThrow']
    expect([...(modelOf(schema, 'Sum')?.methods ?? [])].sort()).toEqual([...reads, 'groupBy'])
    // MySQL cannot return rows that it wrote. Models with fields that no request can set have no create.
    expect(modelOf(schema, 'Post')?.methods).toEqual(expect.arrayContaining(['create', 'update', 'upsert', 'delete']))
    expect(modelOf(schema, 'Post')?.methods).not.toContain('createManyAndReturn')
    expect(modelOf(schema, 'Place')?.methods).toContain('update')
    expect(modelOf(schema, 'Place')?.methods).not.toContain('create')
  })

  it('reads the relation mode and the schema text', async () => {
    const text = 'model User {\n  id Int @id // the key\n}\n'
    const schema = await read(text, SCHEMA_HEAD.replace('"sqlite"', '"sqlite"\n  relationMode = "prisma"'))
    expect(schema.relationMode).toBe('prisma')
    expect(schema.files()).toEqual([
      { path: expect.stringMatching(/schema\.prisma$/), text: expect.stringContaining('// the key') },
    ])
  })
})

/** Returns a schema that Prisma does not know. */
function source(models: readonly SchemaModel[], more: Partial<SchemaSource> = {}): SchemaSource {
  return {
    provider: 'sqlite',
    relationMode: undefined,
    models,
    enums: [],
    path: '/schema.prisma',
    files: () => [],
    locate: () => undefined,
    ...more,
  }
}

const column = (name: string, more: Partial<SchemaField> = {}): SchemaField => ({
  name,
  comment: undefined,
  kind: 'scalar',
  type: 'String',
  list: false,
  optional: false,
  nativeType: undefined,
  column: undefined,
  defaultFrom: undefined,
  defaultValue: undefined,
  updatedAt: false,
  ...more,
})

const table = (name: string, more: Partial<SchemaModel> = {}): SchemaModel => ({
  name,
  table: undefined,
  comment: undefined,
  fields: [column('id')],
  relations: [],
  primaryKey: { name: 'id', fields: ['id'] },
  uniques: [],
  methods: ['count', 'findMany', 'findUnique'],
  ...more,
})

describe('buildApiModel with a custom schema source', () => {
  it('sorts models by name and limits operations to methods and annotations', () => {
    const problems: Diagnostic[] = []
    const api = buildApiModel(
      source([
        table('Tag', { methods: ['count', 'findMany', 'findUnique', 'create', 'update', 'upsert', 'delete'] }),
        table('Note', { comment: 'A note.\n@api.operations(list)' }),
        table('Key', { comment: '@api.hidden' }),
      ]),
      (problem) => problems.push(problem),
    )
    expect(problems).toEqual([])
    expect(
      api.models.map(({ name, documentation, operations, prismaOperations }) => [
        name,
        documentation,
        operations,
        prismaOperations,
      ]),
    ).toEqual([
      ['Note', 'A note.', ['list'], ['findMany', 'count']],
      [
        'Tag',
        '',
        ['list', 'get', 'create', 'update', 'delete'],
        ['findMany', 'findUnique', 'count', 'create', 'update', 'upsert', 'delete'],
      ],
    ])
  })

  it('distinguishes client defaults, database defaults and @updatedAt', () => {
    const fields = [
      column('id', { defaultFrom: 'database' }),
      column('state', { defaultFrom: 'client' }),
      column('changedAt', { type: 'DateTime', updatedAt: true }),
      column('touchedAt', { type: 'DateTime', updatedAt: true, defaultFrom: 'client' }),
      column('title'),
    ]
    const [model] = buildApiModel(source([table('Note', { fields })]), () => undefined).models
    expect(
      model?.fields.map(({ name, hasDefault, generated, updatedAt }) => ({ name, hasDefault, generated, updatedAt })),
    ).toEqual([
      { name: 'id', hasDefault: true, generated: true, updatedAt: false },
      { name: 'state', hasDefault: true, generated: false, updatedAt: false },
      { name: 'changedAt', hasDefault: true, generated: false, updatedAt: true },
      { name: 'touchedAt', hasDefault: true, generated: false, updatedAt: true },
      { name: 'title', hasDefault: false, generated: false, updatedAt: false },
    ])
  })

  it('marks a relation as dependent if its foreign key is required', () => {
    const author = (optional: boolean) => ({
      name: 'author',
      comment: undefined,
      target: 'User',
      list: false,
      optional,
      foreignKey: [['authorId', 'id']] as const,
      onDelete: undefined,
      inverse: 'posts',
    })
    const posts = {
      name: 'posts',
      comment: undefined,
      target: 'Post',
      list: true,
      optional: false,
      foreignKey: [],
      onDelete: undefined,
      inverse: 'author',
    }
    const dependent = (optional: boolean) => {
      const post = table('Post', {
        fields: [column('id'), column('authorId', { optional })],
        relations: [author(optional)],
      })
      const { models } = buildApiModel(source([table('User', { relations: [posts] }), post]), () => undefined)
      return models.find(({ name }) => name === 'User')?.relations[0]?.dependent
    }
    expect(dependent(false)).toBe(true)
    expect(dependent(true)).toBe(false)
  })
})
