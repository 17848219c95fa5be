import { readFile } from 'node:fs/promises'

import { expect, it } from 'vitest'

import { preparedFixture } from '../../scripts/prepare-fixtures.js'

const PROVIDERS = ['sqlite', 'mysql'] as const

it('handwritten MySQL tables: match the blog tables of the schema engine', async () => {
  const [generated, written] = await Promise.all(
    PROVIDERS.map(async (provider) => {
      return describeTables(await readFile(preparedFixture('blog', provider).tables, 'utf8'))
    }),
  )
  expect(generated?.columns).toContain('User.email required')
  expect(generated?.columns).toContain('_PostToTag.B required')
  expect(generated?.uniques).toContain('Post(slug)')
  expect(generated?.keys).toContain('Comment(postId, seq)')
  expect(generated?.foreignKeys).toContain('Comment(postId) -> Post(id) on delete cascade on update cascade')
  expect(written).toEqual(generated)
})

it('handwritten MySQL tables: match the tenants tables of the schema engine', async () => {
  const [generated, written] = await Promise.all(
    PROVIDERS.map(async (provider) =>
      describeTables(await readFile(preparedFixture('tenants', provider).tables, 'utf8')),
    ),
  )
  expect(generated?.keys).toContain('Comment(documentId, seq)')
  expect(written).toEqual(generated)
})

it('handwritten MySQL tables: match the workspace tables of the schema engine', async () => {
  const [generated, written] = await Promise.all(
    PROVIDERS.map(async (provider) =>
      describeTables(await readFile(preparedFixture('workspace', provider).tables, 'utf8')),
    ),
  )
  expect(generated?.keys).toContain('Review(documentId, reviewerId)')
  expect(written).toEqual(generated)
})

it('handwritten MySQL tables: match the versions tables of the schema engine', async () => {
  const [generated, written] = await Promise.all(
    PROVIDERS.map(async (provider) =>
      describeTables(await readFile(preparedFixture('versions', provider).tables, 'utf8')),
    ),
  )
  expect(generated?.keys).toContain('Seat(row, number)')
  expect(written).toEqual(generated)
})

it('handwritten MySQL tables: match the payments tables of the schema engine', async () => {
  const [generated, written] = await Promise.all(
    PROVIDERS.map(async (provider) =>
      describeTables(await readFile(preparedFixture('payments', provider).tables, 'utf8')),
    ),
  )
  expect(generated?.uniques).toContain('Payment(reference)')
  expect(written).toEqual(generated)
})

/** Returns the columns, unique constraints and keys of a script, without database-specific syntax. */
function describeTables(sql: string) {
  const text = sql.replace(/[`"]/g, '').replace(/^\s*--.*$/gm, '')
  const columns: string[] = []
  const keys: string[] = []
  const uniques: string[] = []
  const foreignKeys: string[] = []
  const addForeignKey = (table: string, clause: string) => {
    const key =
      /FOREIGN KEY (\(.*?\)) REFERENCES (\w+) ?(\(.*?\)) (ON DELETE .*? ON UPDATE (?:CASCADE|RESTRICT|SET NULL|NO ACTION))/.exec(
        clause,
      )
    if (key) foreignKeys.push(`${table}${key[1]} -> ${key[2]}${key[3]} ${key[4]?.toLowerCase()}`)
  }
  for (const [, table = '', body = ''] of text.matchAll(/CREATE TABLE (\w+) \(([\s\S]*?)^\)/gm)) {
    for (const line of body.split('\n').map((part) => part.trim())) {
      if (line === '') continue
      const key = /^PRIMARY KEY (\(.*?\))/.exec(line)
      const unique = /^UNIQUE INDEX \w+(\(.*?\))/.exec(line)
      if (key) keys.push(`${table}${key[1]}`)
      else if (unique) uniques.push(`${table}${unique[1]}`)
      else if (line.startsWith('CONSTRAINT')) addForeignKey(table, line)
      else if (!line.startsWith('INDEX')) {
        const [name] = line.split(' ')
        columns.push(`${table}.${name} ${line.includes('NOT NULL') ? 'required' : 'optional'}`)
        if (line.includes('PRIMARY KEY')) keys.push(`${table}(${name})`)
      }
    }
  }
  for (const [, table, key] of text.matchAll(/CREATE UNIQUE INDEX \w+ ON (\w+)(\(.*?\))/g))
    uniques.push(`${table}${key}`)
  for (const [, table = '', clause = ''] of text.matchAll(/ALTER TABLE (\w+) ADD CONSTRAINT \w+ (.*);/g)) {
    addForeignKey(table, clause)
  }
  return { columns: columns.sort(), keys: keys.sort(), uniques: uniques.sort(), foreignKeys: foreignKeys.sort() }
}
