import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

import type { SchemaPlace } from '../errors.js'
import type { SchemaFile } from './schema.js'

/**
 * Reads a schema's files, by the first question.
 * @param schemaPath the schema's file or folder
 * @returns none where the schema cannot be read any more
 */
export function schemaFiles(schemaPath: string): () => readonly SchemaFile[] {
  let files: readonly SchemaFile[] | undefined
  return () => (files ??= readFiles(schemaPath))
}

/**
 * Finds where in a schema's files a model, field or enum is written, for error messages. Prisma's DMMF does not say.
 * @returns `file:line`, the file relative to the working folder
 */
export function placeFinder(files: () => readonly SchemaFile[]): (place: SchemaPlace) => string | undefined {
  let split: readonly (readonly [file: string, lines: readonly string[]])[] | undefined
  return (place) => {
    const block = place.model ?? place.enum
    if (block === undefined) return undefined
    split ??= files().map((file) => [file.path, file.text.split(/\r?\n/)] as const)
    const start = place.enum === undefined ? `(?:model|view)\\s+${block}` : `enum\\s+${block}`
    for (const [file, lines] of split) {
      const line = lines.findIndex((text) => new RegExp(`^\\s*${start}\\s*\\{`).test(text))
      if (line < 0) continue
      const field = place.field
      const below =
        field === undefined ? -1 : lines.slice(line + 1).findIndex((text) => text.trim().split(/\s/)[0] === field)
      return `${path.relative('', file)}:${line + 1 + (below < 0 ? 0 : below + 1)}`
    }
    return undefined
  }
}

function readFiles(schemaPath: string): SchemaFile[] {
  try {
    const paths = statSync(schemaPath).isDirectory()
      ? readdirSync(schemaPath, { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.prisma'))
          .sort()
          .map((file) => path.join(schemaPath, file))
      : [schemaPath]
    return paths.map((file) => ({ path: file, text: readFileSync(file, 'utf8') }))
  } catch {
    return []
  }
}
