import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

import { blocksOfKind, kindOf } from './support/kinds.js'
import { unknownCommands } from './support/commands.js'
import { BLOCKS, formatLocation, ROOT } from './support/pages.js'

describe('docs code blocks', () => {
  it('are all of a checked kind', () => {
    expect(BLOCKS.filter((block) => kindOf(block) === undefined).map(formatLocation)).toEqual([])
    expect(BLOCKS.length).toBeGreaterThan(60)
  })

  it.each(blocksOfKind('json').map((block) => [formatLocation(block), block] as const))(
    '%s: is valid JSON',
    (_location, { text }) => {
      expect(() => JSON.parse(text)).not.toThrow()
    },
  )

  it.each(blocksOfKind('yaml').map((block) => [formatLocation(block), block] as const))(
    '%s: is YAML with existing commands',
    (_location, { text }) => {
      expect(unknownCommands(runLines(parse(text)).join('\n'))).toEqual([])
    },
  )

  it.each(blocksOfKind('commands').map((block) => [formatLocation(block), block] as const))(
    '%s: uses existing commands',
    (_location, { text }) => {
      expect(unknownCommands(text)).toEqual([])
    },
  )

  it.each(blocksOfKind('source').map((block) => [formatLocation(block), block] as const))(
    '%s: matches its source file',
    (_location, { marker, text }) => {
      const file = path.join(ROOT, marker.slice('from: '.length))
      expect(existsSync(file), file).toBe(true)
      const lines = readFileSync(file, 'utf8')
        .split('\n')
        .map((line) => line.trim())
      let from = 0
      for (const part of text.trim().split(/\n\s*(?:\/\/ )?…\n/)) {
        const wanted = part.split('\n').map((line) => line.trim())
        const found = lines.findIndex((_, at) => at >= from && wanted.every((line, i) => lines[at + i] === line))
        expect(found, `not in ${marker}, in this order:\n${part}`).toBeGreaterThanOrEqual(0)
        from = found + wanted.length
      }
    },
  )
})

/** Returns the values of all `run` members of a workflow, at any depth. */
function runLines(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    key === 'run' && typeof member === 'string' ? [member] : runLines(member),
  )
}
