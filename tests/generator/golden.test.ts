import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'

import { largeSchema } from '../../fixtures/large/schema.js'
import { generateAt, readTree } from '../support/generate.js'

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures')

const names = readdirSync(FIXTURES).filter((name) => existsSync(path.join(FIXTURES, name, 'expected')))

/** The notes of the generator on each fixture. */
const NOTES: Readonly<Record<string, readonly string[]>> = {
  annotations: [
    'Secret.value is required, has no default and is hidden: create fails unless a hook or your Prisma client sets it. Add "@api.serverSet" to its comment if one of them does.',
  ],
  'kitchen-sink': ['Totals has no routes, because it has no unique field or index whose fields are all exposed.'],
}

describe('expected files of fixtures', () => {
  it('include all known fixtures', () => {
    expect(names).toEqual(
      expect.arrayContaining(['annotations', 'blog', 'client-js', 'kitchen-sink', 'large', 'names']),
    )
  })

  it('include the schema of the large fixture as its script writes it', () => {
    const schema = readFileSync(path.join(FIXTURES, 'large/schema.prisma'), 'utf8')
    expect(schema).toBe(largeSchema(3).replace('"./routes"', '"./expected"'))
  })

  it.each(names)('%s: match the generated files', async (name) => {
    const folder = path.join(FIXTURES, name)
    const schema = ['schema.prisma', 'schema'].map((file) => path.join(folder, file)).find(existsSync)
    const { byPath, notes } = await generateAt(schema ?? folder)
    const expected = readTree(path.join(folder, 'expected'))
    // Missing files and additional files are both errors.
    expect([...byPath.keys()].sort()).toEqual([...expected.keys()])
    for (const [file, text] of expected) expect(byPath.get(file), file).toBe(text)
    expect(notes).toEqual(NOTES[name] ?? [])
  })
})
