import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { findBlocks, generatorBlock, insertBlocks } from '../../generator/init/schema/blocks.js'

const BLOCK = generatorBlock('routes', { provider: 'routewright', output: '../src/routes' })

const after = (text: string, name: string) => findBlocks(text).find((block) => block.name === name)

describe('findBlocks', () => {
  it('ignores braces in comments and strings', () => {
    const text = `// generator no {
generator client { // }
  provider = "}{"
  /* } */
}
/// A { note }
model Note {
  text String @default("a \\" }") // {
}
enum Kind{A}`
    const blocks = findBlocks(text)
    expect(blocks.map(({ kind, name }) => `${kind} ${name}`)).toEqual(['generator client', 'model Note', 'enum Kind'])
    expect(text.slice(blocks[0]?.start, blocks[0]?.end)).toMatch(/^generator client \{[^]*\*\/\n\}$/)
    expect(text.slice(blocks[2]?.start, blocks[2]?.end)).toBe('enum Kind{A}')
  })
})

describe('generatorBlock', () => {
  it('formats the block like prisma format', () => {
    expect(generatorBlock('api', { provider: 'routewright', output: '../x', adapters: ['next', 'hono'] })).toBe(
      'generator api {\n  provider = "routewright"\n  output   = "../x"\n  adapters = ["next", "hono"]\n}',
    )
  })
})

describe('insertBlocks', () => {
  it.each([
    ['before an empty line', 'generator c {\n}\n\nmodel A {\n}\n', `generator c {\n}\n\n${BLOCK}\n\nmodel A {\n}\n`],
    ['before another block', 'generator c {\n}\nmodel A {\n}\n', `generator c {\n}\n\n${BLOCK}\n\nmodel A {\n}\n`],
    ['after a comment on the same line', 'generator c {\n} // c\n', `generator c {\n} // c\n\n${BLOCK}\n`],
    ['at the end without a line break', 'generator c {\n}', `generator c {\n}\n\n${BLOCK}\n`],
    [
      'before a block on the same line',
      'generator c {\n} model A {\n}',
      `generator c {\n}\n\n${BLOCK}\n\n model A {\n}`,
    ],
  ])('%s: inserts after the given block', (_, text, expected) => {
    expect(insertBlocks(text, after(text, 'c'), [BLOCK])).toBe(expected)
  })

  it.each([
    ['', `${BLOCK}\n`],
    ['// empty\n', `// empty\n\n${BLOCK}\n`],
    ['// empty\n\n', `// empty\n\n${BLOCK}\n`],
    ['// empty', `// empty\n\n${BLOCK}\n`],
  ])('%j: appends the block if no block is given', (text, expected) => {
    expect(insertBlocks(text, undefined, [BLOCK])).toBe(expected)
  })

  it('uses the line endings of the schema', () => {
    const text = 'generator c {\r\n}\r\n\r\nmodel A {\r\n}\r\n'
    const inserted = insertBlocks(text, after(text, 'c'), [BLOCK, BLOCK])
    expect(inserted.replaceAll('\r\n', '')).not.toContain('\n')
    expect(inserted.split('\r\n').length).toBe(text.split('\r\n').length + 4 + 1 + 4 + 1)
  })

  it('does not change other text of the schema', () => {
    const pieces = [
      'generator a {',
      '}',
      '}\n',
      ' ',
      '\t',
      '\n',
      '\r\n',
      '// {',
      '/* }',
      '*/',
      '"',
      '\\',
      'é',
      '\uFEFF',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces)), fc.nat(3), (chosen, position) => {
        const text = chosen.join('')
        const inserted = insertBlocks(text, findBlocks(text)[position], [BLOCK])
        // Only one insertion: the common beginning and the common end cover the whole text.
        expect(common(text, inserted) + common(reversed(text), reversed(inserted))).toBeGreaterThanOrEqual(text.length)
      }),
    )
  })
})

/** Returns the length of the common beginning of two texts. */
function common(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length += 1
  return length
}

function reversed(text: string): string {
  return text.split('').reverse().join('')
}
