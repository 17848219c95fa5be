import { readFile } from 'node:fs/promises'

import { expect, it } from 'vitest'

import { preparedFixture } from '../../scripts/prepare-fixtures.js'

const PROVIDERS = ['sqlite', 'mysql'] as const

it('writes the same tables by hand for MySQL as the schema engine makes for SQLite', async () => {
  const [made, written] = await Promise.all(
    PROVIDERS.map(async (provider) => {
      return describeTables(await readFile(preparedFixture('blog', provider).tables, 'utf8'))
    }),
  )
  expect(made?.columns).toContain('User.email required')
  expect(made?.columns).toContain('_PostToTag.B required')
  expect(made?.uniques).toContain('Post(slug)')
  expect(made?.keys).toContain('Comment(postId, seq)')
  expect(made?.foreignKeys).toContain('Comment(postId) -> Post(id) on delete cascade on update cascade')
  expect(written).toEqual(made)
})

it("writes the tenants' tables by hand as the schema engine makes them", async () => {
  const [made, written] = await Promise.all(
    PROVIDERS.map(async (provider) =>
      describeTables(await readFile(preparedFixture('tenants', provider).tables, 'utf8')),
    ),
  )
  expect(made?.keys).toContain('Comment(documentId, seq)')
  expect(written).toEqual(made)
})

it("writes the workspace's tables by hand as the schema engine makes them", async () => {
  const [made, written] = await Promise.all(
    PROVIDERS.map(async (provider) =>
      describeTables(await readFile(preparedFixture('workspace', provider).tables, 'utf8')),
    ),
  )
  expect(made?.keys).toContain('Review(documentId, reviewerId)')
  expect(written).toEqual(made)
})

it("writes the versions' tables by hand as the schema engine makes them", async () => {
  const [made, written] = await Promise.all(
    PROVIDERS.map(async (provider) =>
      describeTables(await readFile(preparedFixture('versions', provider).tables, 'utf8')),
    ),
  )
  expect(made?.keys).toContain('Seat(row, number)')
  expect(written).toEqual(made)
})

it("writes the payments' tables by hand as the schema engine makes them", async () => {
  const [made, written] = await Promise.all(
    PROVIDERS.map(async (provider) =>
      describeTables(await readFile(preparedFixture('payments', provider).tables, 'utf8')),
    ),
  )
  expect(made?.uniques).toContain('Payment(reference)')
  expect(written).toEqual(made)
})

/** What a script says about columns, uniques and keys, without the spelling of one database. */
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
