import { describe, expect, it } from 'vitest'

import { OPTIONAL_FILES } from '../../generator/features.js'
import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'

const MODELS = `
/// A comment on a model.
model User {
  /// A comment on an id.
  id       Int     @id
  /// A comment on a hidden field. @api.hidden
  note     String
  /// A comment on a write-only field. @api.writeOnly
  password String
  /// @api.readOnly
  name     String
  /// A comment on a relation.
  tags     Tag[]
  /// A comment on a relation to a hidden model.
  logs     Log[]
}
model Tag {
  id     Int  @id
  user   User @relation(fields: [userId], references: [id])
  userId Int
}
/// A comment on a hidden model. @api.hidden
model Log {
  id     Int  @id
  user   User @relation(fields: [userId], references: [id])
  userId Int
}
`

async function emit(files: readonly string[], models: string): Promise<ReadonlyMap<string, string>> {
  const { byPath } = await generateFrom(SCHEMA_HEAD.replace('"./routes"', `"./routes"\n  ${optionOf(files)}`) + models)
  return byPath
}

const optionOf = (files: readonly string[]): string => `files = ${JSON.stringify(files)}\n  policy = "casl"`

describe('descriptions.ts', () => {
  it('contains the comments of exposed models, fields and relations', async () => {
    const text = (await emit(['descriptions'], MODELS)).get('descriptions.ts')
    expect(text?.slice(text.indexOf('export'))).toBe(`export const descriptions: SchemaDescriptions = {
  User: {
    description: "A comment on a model.",
    fields: {
      id: "A comment on an id.",
      password: "A comment on a write-only field.",
      tags: "A comment on a relation.",
    },
  },
};
`)
  })

  it('is empty if the schema has no comments', async () => {
    const text = (await emit(['descriptions'], 'model Item {\n  id Int @id\n}\n')).get('descriptions.ts')
    expect(text).toContain('export const descriptions: SchemaDescriptions = {\n};\n')
  })

  it('imports its type from the option runtimeImport', async () => {
    const head = SCHEMA_HEAD.replace('"./routes"', '"./routes"\n  files = ["descriptions"]\n  runtimeImport = "#api"')
    const { byPath } = await generateFrom(head + MODELS)
    expect(byPath.get('descriptions.ts')).toContain('import type { SchemaDescriptions } from "#api/openapi";\n')
  })
})

describe('comments of a schema', () => {
  const filesWithComments = async (files: readonly string[]) =>
    [...(await emit(files, MODELS))].filter(([, text]) => text.includes('A comment on')).map(([file]) => file)

  it('are in no generated file by default', async () => {
    expect(await filesWithComments([])).toEqual([])
  })

  it('are only in descriptions.ts with all optional files', async () => {
    expect(await filesWithComments(OPTIONAL_FILES)).toEqual(['descriptions.ts'])
  })
})
