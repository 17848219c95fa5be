import { createRequire } from 'node:module'

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { parseSchemaText } from '../../generator/schema/parse-schema-text.js'

const { getDMMF } = createRequire(import.meta.url)('@prisma/internals') as typeof import('@prisma/internals')

describe('parseSchemaText', () => {
  it('assigns doc comments to the same targets as Prisma', async () => {
    const comment = fc.constantFrom('/// #', '// #', '/* # */', '/*\n # */', '')
    const trailing = fc.constantFrom('', '/// #', '// #', ' // x /// #')
    const top = fc.array(comment, { maxLength: 4 })
    const line = fc.oneof(
      comment,
      trailing.map((text) => `f# String ${text}`),
      trailing.map((text) => `f# String @default("} // \\" # /*") ${text}`),
      fc.constantFrom('@@index([id], map: "#") /// #', '@@map("t#")', '  ', '///', '// model Dead {', '// }'),
    )
    const schema = fc
      .record({
        top,
        trailing: fc.constantFrom('', '/// #', '// #'),
        lines: fc.array(line, { maxLength: 9 }),
        end: top,
      })
      .map(({ top: above, trailing: behind, lines, end }) => {
        const maps = lines.findIndex((each) => each.startsWith('@@map'))
        const retained = lines.filter((each, index) => !each.startsWith('@@map') || index === maps)
        const text = [...above, `model A { ${behind}`, 'id Int @id', ...retained, '}', '', ...end, 'enum E {', 'X', '}']
        let count = 0
        return text.join('\n').replaceAll('#', () => `n${count++}_`)
      })
    await fc.assert(
      fc.asyncProperty(schema, async (text) => {
        const { datamodel } = await getDMMF({ datamodel: `${text}\ndatasource db {\n  provider = "sqlite"\n}` })
        const documented = [
          ...datamodel.models.map(({ name, documentation }) => [name, documentation]),
          ...datamodel.models.flatMap(({ name, fields }) =>
            fields.map((field) => [`${name}.${field.name}`, field.documentation]),
          ),
          ...datamodel.enums.map(({ name, documentation }) => [name, documentation]),
        ]
        const read = parseSchemaText(text).comments.filter(({ kind }) => kind === 'doc')
        for (const [name, documentation] of documented) {
          const parsed = read
            .filter(({ target }) => target && [target.block.name, target.member].filter(Boolean).join('.') === name)
            .map((each) => each.text.trim())
          expect(parsed.filter(Boolean), text).toEqual(
            (documentation ?? '')
              .split('\n')
              .map((each) => each.trim())
              .filter(Boolean),
          )
        }
      }),
      { numRuns: 200 },
    )
  })

  it('returns the line, block and target of each comment', () => {
    const { blocks, comments } = parseSchemaText(
      'model A { // one\r\n  id Int @id\r\n\r\n  /* two\r\n  three */\r\n  größe String // four\r\n}\r\n// five\r\nenum E {\r\n}',
    )
    expect(blocks.map(({ kind, name, line, members }) => [kind, name, line, members])).toEqual([
      ['model', 'A', 1, [{ name: 'id', line: 2 }, { name: 'größe', line: 6 }]], // prettier-ignore
      ['enum', 'E', 9, []],
    ])
    expect(
      comments.map(({ text, line, block, target }) => [
        text.trim(),
        line,
        block?.name,
        target?.block.name,
        target?.member,
      ]),
    ).toEqual([
      ['one', 1, 'A', undefined, undefined],
      ['two', 4, 'A', 'A', 'größe'],
      ['three', 5, 'A', 'A', 'größe'],
      ['four', 6, 'A', 'A', 'größe'],
      ['five', 8, undefined, 'E', undefined],
    ])
  })
})
