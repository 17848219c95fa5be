import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import fc from 'fast-check'
import * as prettier from 'prettier'
import { describe, expect, it } from 'vitest'

import { layOut } from '../../generator/emit/format-layout.js'
import { isLong, runs } from '../support/form.js'
import { generateAt, generateFrom, SCHEMA_HEAD } from '../support/generate.js'
import { folderWith } from './folders.js'

const FIXTURES = join(import.meta.dirname, '../../fixtures')
const NAMES = isLong
  ? ['annotations', 'blog', 'kitchen-sink', 'large', 'names', 'native-types', 'payments', 'tenants', 'workspace']
  : ['tenants']

/** Asserts that each file of a model has the same layout as with prettier, and returns the files whose layout is not supported. */
async function unsupportedFiles(files: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const unsupported: string[] = []
  for (const [path, text] of files) {
    if (!path.includes('/')) continue
    const laidOut = layOut(text)
    if (laidOut === undefined) unsupported.push(path)
    else expect(laidOut, path).toBe(await prettier.format(text, { parser: 'typescript' }))
  }
  return unsupported
}

/** Generates the unformatted files of a fixture. */
async function generateFixture(name: string): Promise<ReadonlyMap<string, string>> {
  const source = ['schema.prisma', 'schema'].map((file) => join(FIXTURES, name, file)).find(existsSync) ?? ''
  const folder = folderWith({})
  const copy = join(folder, source.endsWith('.prisma') ? 'schema.prisma' : 'schema')
  cpSync(source, copy, { recursive: true })
  const block = source.endsWith('.prisma') ? copy : join(copy, 'main.prisma')
  writeFileSync(block, readFileSync(block, 'utf8').replace(/provider += "routewright"/, '$&\n  format = "none"'))
  return (await generateAt(copy)).byPath
}

const name = fc.stringMatching(/^[a-z][A-Za-z0-9]{0,28}[a-z]$/)
const rule = fc.constantFrom(
  'min(3)',
  'max(100, "is much too long for this column of the table")',
  'regex(/^[a-z0-9-]+(\\/[A-Z]{2,3})?$/)',
  'toLowerCase()',
  'startsWith("https://example.com/")',
  'trim()',
)
const field = fc.oneof(
  fc.constantFrom('Int', 'Int?', 'DateTime @default(now())', 'Boolean @default(true)', 'Decimal', 'Bytes?'),
  fc.constantFrom('String @default("a text that is so long that it does not fit, in no layout of its line")'),
  fc.array(rule, { maxLength: 4 }).map((rules) => `String /// @zod${rules.map((call) => `.${call}`).join('')}`),
  fc.constantFrom('Kind', 'Kind @default(SECOND)', 'Float @default(0.5) /// @api.readOnly', 'String /// @api.hidden'),
)

/** A schema with two related models, with long and short names. */
const schema = fc
  .record({ names: fc.uniqueArray(name, { minLength: 4, maxLength: 4 }), fields: fc.array(field, { maxLength: 6 }) })
  .filter(({ names }) => !names.some((each) => /^(id|f\d|is|do|kind)$/i.test(each)))
  .map(({ names: [first = '', second = '', many = '', one = ''], fields }) => {
    const [owner, member] = [`A${first}`, `B${second}`]
    const lines = fields.map((type, index) => {
      const [column = '', comment = ''] = type.split(' ///')
      return comment === '' || comment === ' @zod' ? `f${index} ${column}` : `///${comment}\n  f${index} ${column}`
    })
    return `${SCHEMA_HEAD}
enum Kind {
  FIRST
  SECOND
  THIRD_AND_MUCH_LONGER_THAN_THE_OTHERS
  LAST_ONE
}
model ${owner} {
  id Int @id @default(autoincrement())
  ${many}Many ${member}[]
  ${lines.join('\n  ')}
}
model ${member} {
  ${one}Id Int
  number Int
  ${one}One ${owner} @relation(fields: [${one}Id], references: [id], onDelete: Cascade)
  @@id([${one}Id, number])
}
`
  })

describe('layout of the files of a model', () => {
  it.each(NAMES)('%s: equals the layout of prettier', async (fixture) => {
    expect(await unsupportedFiles(await generateFixture(fixture))).toEqual(
      fixture === 'annotations' ? ['account/input.ts'] : [],
    )
  })

  it('equals the layout of prettier for any schema', async () => {
    await fc.assert(
      fc.asyncProperty(schema, async (text) => {
        const unsupported = await unsupportedFiles((await generateFrom(text)).byPath)
        // Rules and texts can have many forms. Routes cannot.
        expect(unsupported.filter((path) => !path.endsWith('/resource.ts'))).toEqual([])
      }),
      { numRuns: runs(60) },
    )
  })

  it.each([
    ['a string with quotes', 'const a = "a \\"b\\"";'],
    ['a string in single quotes', "const a = 'b';"],
    ['a number in another notation', 'const a = 1e6;'],
    ['a key in quotes', 'const a = { "b": 1 };'],
    ['a nested array', 'const a = [["b"], ["c"]];'],
    ['wide characters', 'const a = "日本";'],
    ['brackets that are not balanced', 'const a = f(b;'],
    ['a template literal', 'const a = `b`;'],
    ['trailing spaces in a comment', '// a '],
    ['a string that does not fit', `const a = "${'b'.repeat(80)}";`],
    ['an object that does not fit as the last argument', `call("${'a'.repeat(60)}", { b: "${'c'.repeat(20)}" });`],
    ['a chain of calls that does not fit', `const a = z.b("${'c'.repeat(40)}").d().e("${'f'.repeat(40)}");`],
  ])('does not support %s', (_, text) => {
    expect(layOut(`${text}\n`)).toBeUndefined()
  })
})
