import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, it } from 'vitest'

import { EXAMPLE, exampleTables, PROVIDERS } from '../../scripts/example-tables.js'
import { generateAt, readTree } from '../support/generate.js'
import { isLong } from '../support/form.js'

it('issue tracker schema: generates the committed routes', async () => {
  const { byPath, notes } = await generateAt(join(EXAMPLE, 'prisma/schema.prisma'))
  const committed = readTree(join(EXAMPLE, 'server/routes'))
  expect([...byPath.keys()].sort()).toEqual([...committed.keys()])
  for (const [file, text] of committed) expect(byPath.get(file), file).toBe(text)
  // Hooks set these fields.
  expect(notes.map((note) => note.split(' ')[0])).toEqual([
    'Attachment.uploaderId',
    'Comment.authorId',
    'Issue.authorId',
  ])
})

it.skipIf(!isLong).each(PROVIDERS)('%s: issue tracker schema generates the committed tables', async (provider) => {
  expect(await exampleTables(provider)).toBe(readFileSync(join(EXAMPLE, `prisma/${provider}.sql`), 'utf8'))
})
