import { describe, expect, it } from 'vitest'

import { generateFrom, SCHEMA_HEAD } from '../support/generate.js'

/** Fields and their properties in the emitted resource. */
const FIELDS: Readonly<Record<string, readonly (readonly [field: string, properties: string])[]>> = {
  postgresql: [
    ['DateTime @db.Date', 'type: "DateTime", db: "Date"'],
    ['DateTime? @db.Time(3)', 'type: "DateTime", db: "Time(3)", optional: true'],
    ['DateTime @db.Timestamptz(6)', 'type: "DateTime", db: "Timestamptz(6)", inexact: true'],
    ['Decimal @db.Decimal(10, 2)', 'type: "Decimal", db: "Decimal(10, 2)"'],
    ['Decimal @db.Money', 'type: "Decimal", db: "Money"'],
    ['String @db.VarChar(200)', 'type: "String", db: "VarChar(200)"'],
    ['String @db.Uuid', 'type: "String", uuid: true'],
    ['Int @db.SmallInt', 'type: "Int", db: "SmallInt"'],
    ['String[] @db.Char(2)', 'type: "String", db: "Char(2)", list: true'],
    ['Json @db.Json', 'type: "Json", db: "Json"'],
    ['String', 'type: "String"'],
    ['DateTime @default(now())', 'type: "DateTime", hasDefault: true'],
    ['String @default(cuid())', 'type: "String", hasDefault: true'],
    ['String @default(uuid(7))', 'type: "String", hasDefault: true'],
    ['String @default("a")', 'type: "String", default: "a"'],
    ['Boolean @default(true)', 'type: "Boolean", default: true'],
    ['Boolean @default(false)', 'type: "Boolean", default: false'],
    ['Decimal @default(1.5)', 'type: "Decimal", hasDefault: true'],
    ['Int @default(autoincrement())', 'type: "Int", generated: true'],
    ['String @default(dbgenerated("x()"))', 'type: "String", generated: true'],
    ['DateTime @default(now()) @updatedAt', 'type: "DateTime", updatedAt: true'],
  ],
  mysql: [
    ['DateTime @db.Date', 'type: "DateTime", db: "Date"'],
    ['DateTime @db.DateTime(0)', 'type: "DateTime", db: "DateTime(0)"'],
    ['Decimal @db.Decimal(12, 4)', 'type: "Decimal", db: "Decimal(12, 4)"'],
    ['Int @db.UnsignedTinyInt', 'type: "Int", db: "UnsignedTinyInt"'],
    ['Boolean @db.TinyInt', 'type: "Boolean", db: "TinyInt"'],
    ['String @db.LongText', 'type: "String", db: "LongText"'],
  ],
  sqlserver: [
    ['String @db.NVarChar(Max)', 'type: "String", db: "NVarChar(Max)"'],
    ['DateTime @db.Date', 'type: "DateTime", db: "Date"'],
  ],
}

describe('native types and defaults in resource.ts', () => {
  it.each(Object.entries(FIELDS))('%s: emits db, default and generated properties', async (provider, fields) => {
    const lines = fields.map(([field], index) => `  f${index} ${field}`).join('\n')
    const head = SCHEMA_HEAD.replace('"sqlite"', `"${provider}"`)
    const { byPath } = await generateFrom(`${head}\nmodel Post {\n  id String @id\n${lines}\n}\n`)
    const text = byPath.get('post/resource.ts') ?? ''
    const emitted = fields.map(([field], index) => {
      const [, properties = ''] = new RegExp(`\\n {4}f${index}: \\{([^}]*)\\}`).exec(text) ?? []
      return [field, properties.replace(/\s+/g, ' ').replace(/,\s*$/, '').trim()]
    })
    expect(emitted).toEqual(fields)
  })
})
