import path from 'node:path'

import { loadPrettier } from '../emit/format-prettier.js'

/** Maximum length of an object on one line. */
const MAX_LENGTH = 70

/**
 * Formats a document for committing. Short objects without other objects, such as a `$ref`, short `not` rules and short examples are on one
 * line, so that a new field changes one line of each schema that contains it.
 * @param file absolute path that the document will have. Prettier's configuration depends on it.
 * @param format `prettier` uses the project's prettier or the bundled one, which breaks long lines. `none` indents by two spaces.
 * @throws GeneratorError if prettier fails
 */
export async function formatDocument(file: string, text: string, format: 'prettier' | 'none'): Promise<string> {
  const indented = `${stringify(JSON.parse(text), '', false)}\n`
  if (format === 'none') return indented
  const prettier = await loadPrettier(path.dirname(file))
  return await prettier.format(file, indented)
}

/** Whether an object consists of one `not`, such as the rule that some names are not allowed. */
function isRule(entries: readonly (readonly [name: string, value: unknown])[]): boolean {
  return entries.length === 1 && entries[0]?.[0] === 'not'
}

/** Converts a value to JSON. The document and its sections, such as `info`, are never on one line. */
function stringify(value: unknown, indent: string, isExample: boolean): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const isList = Array.isArray(value)
  const [open, close] = isList ? '[]' : '{}'
  const entries = Object.entries(value)
  if (entries.length === 0) return `${open}${close}`
  const inner = `${indent}  `
  const texts = entries.map(([name, member]) => stringify(member, inner, isExample || name === 'examples'))
  const members = texts.map((text, index) => (isList ? text : `${JSON.stringify(entries[index]?.[0])}: ${text}`))
  const isSection = indent.length < 4
  const isNested = texts.some((text) => text.includes('{ '))
  const isSimple = isExample || (!isSection && (isNested ? isRule(entries) : entries.length < 3))
  const line = members.join(', ')
  if (isSimple && line.length <= MAX_LENGTH && !line.includes('\n')) return isList ? `[${line}]` : `{ ${line} }`
  return `${open}\n${members.map((member) => inner + member).join(',\n')}\n${indent}${close}`
}
