import { createRequire } from 'node:module'

import { afterEach, describe, expect, it, vi } from 'vitest'

import { schemaFromDmmf, type SchemaDmmf } from '../../generator/schema/from-dmmf.js'
import { parseConfig, parseModels, requirePrisma, type SchemaFileTuple } from '../../generator/schema/parse-schema.js'
import { largeSchema } from '../../fixtures/large/schema.js'

const { getDMMF } = createRequire(import.meta.url)('@prisma/internals') as typeof import('@prisma/internals')
const wasm = requirePrisma('@prisma/prisma-schema-wasm') as typeof import('@prisma/prisma-schema-wasm')

const MODELS = `
model User {
  id    Int     @id @map("_id")
  /// The "first" name.
  name  String?
  email String  @unique
  posts Post[]
}
model Post {
  title    String
  language Language
  author   User     @relation(fields: [authorId], references: [id])
  authorId Int
  hidden   Int      @ignore
  draft    Boolean? @unique
  key      Int      @unique @map("_id")
  @@unique([title, language])
}
model Internal {
  id Int @id @map("_id")
  @@ignore
}
enum Language {
  DE
  EN
}
`

/** Models that do not have all methods. */
const UNEQUAL_MODELS = `
model Required {
  id   Int                   @id
  area Unsupported("circle")
}
model Optional {
  id   Int                    @id
  area Unsupported("circle")?
}
view Totals {
  sum Int
}
view Ranks {
  rank Int @unique
}
`

const schemaOf = (provider: string, models: string, features = '[]'): SchemaFileTuple[] => [
  [
    '/app/schema.prisma',
    `datasource db {\n  provider = "${provider}"\n}\n
generator client {\n  provider = "prisma-client"\n  previewFeatures = ${features}\n}\n`,
  ],
  ['/app/models.prisma', models],
]

/** Converts a schema from the result of `parseModels`, and from Prisma's complete DMMF. */
async function parse(files: SchemaFileTuple[]) {
  const config = parseConfig(files)
  const provider = config.datasources[0]?.provider ?? ''
  const convert = (dmmf: SchemaDmmf) => {
    const { models, enums } = schemaFromDmmf({ dmmf, provider, datamodel: '', schemaPath: '/app', files: [] })
    return { models, enums }
  }
  return { actual: convert(parseModels(files, config)), expected: convert(await getDMMF({ datamodel: files })) }
}

const SQL = ['postgresql', 'postgres', 'mysql', 'sqlite', 'sqlserver', 'cockroachdb']

describe('parseModels', () => {
  afterEach(() => vi.restoreAllMocks())

  it.each([...SQL, 'mongodb'])('%s: returns the models and methods of the complete DMMF', async (provider) => {
    const models =
      provider === 'mongodb'
        ? MODELS.replaceAll('@@ignore', '').replace('@unique @map', '@id @map')
        : provider === 'sqlserver'
          ? MODELS.replaceAll('Language\n', 'String\n').replace(/^enum.*\}/ms, '')
          : MODELS
    const { actual, expected } = await parse(schemaOf(provider, models))
    expect(actual).toEqual(expected)
  })

  it.each(['postgresql', 'mysql', 'sqlite', 'sqlserver', 'cockroachdb'])(
    '%s: returns the methods of views and of models with unsupported columns',
    async (provider) => {
      const { actual, expected } = await parse(schemaOf(provider, UNEQUAL_MODELS, '["views"]'))
      expect(actual).toEqual(expected)
    },
  )

  it('returns the methods of a view behind a comment', async () => {
    const models = MODELS.concat('/* sum */ view Totals {\n id Int @unique\n}\n')
    const { actual, expected } = await parse(schemaOf('postgresql', models, '["views"]'))
    expect(actual).toEqual(expected)
  })

  it('builds the types of the query language only for a schema with one model', async () => {
    const getDmmf = vi.spyOn(wasm, 'get_dmmf')
    const files = schemaOf('postgresql', MODELS)
    parseModels(files, parseConfig(files))
    expect(getDmmf.mock.calls.map(([params]) => params.match(/model \w+/g))).toEqual([['model Model']])
  })

  it('returns the models of a large schema', async () => {
    const { actual, expected } = await parse([['/app/schema.prisma', largeSchema(10)]])
    expect(actual).toEqual(expected)
  })
})
