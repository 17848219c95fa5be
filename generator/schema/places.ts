import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

import type { SchemaPlace } from '../errors.js'

/**
 * Finds where in the schema's files a model, field or enum is written, for error messages. Prisma's DMMF does not say.
 * The files are read by the first question; a schema that cannot be read any more gives no places.
 * @param schemaPath the schema's file or folder
 * @returns `file:line`, the file relative to the working folder
 */
export function placeFinder(schemaPath: string): (place: SchemaPlace) => string | undefined {
  let files: readonly (readonly [file: string, lines: readonly string[]])[] | undefined
  return (place) => {
    const block = place.model ?? place.enum
    if (block === undefined) return undefined
    files ??= schemaFiles(schemaPath).map((file) => [file, readFileSync(file, 'utf8').split(/\r?\n/)] as const)
    const start = place.enum === undefined ? `(?:model|view)\\s+${block}` : `enum\\s+${block}`
    for (const [file, lines] of files) {
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

function schemaFiles(schemaPath: string): string[] {
  try {
    if (!statSync(schemaPath).isDirectory()) return [schemaPath]
    return readdirSync(schemaPath, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.prisma'))
      .sort()
      .map((file) => path.join(schemaPath, file))
  } catch {
    return []
  }
}
