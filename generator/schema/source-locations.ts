import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

import type { SchemaLocation } from '../errors.js'
import type { SchemaFile } from './schema.js'
import { parseSchemaText } from './parse-schema-text.js'

/**
 * Creates a function that reads a schema's files on the first call and caches them.
 * @param schemaPath the schema's file or folder
 * @param datamodel the text of all files, used if they cannot be read
 */
export function schemaFiles(schemaPath: string, datamodel: string): () => readonly SchemaFile[] {
  let files: readonly SchemaFile[] | undefined
  return () => (files ??= readFiles(schemaPath) ?? [{ path: undefined, text: datamodel }])
}

/**
 * Creates a function that finds the position of a model, field or enum in a schema's files. Prisma's DMMF does not contain positions.
 * @returns a function that returns `file:line`, with the file relative to the working directory
 */
export function createLocationFinder(
  files: () => readonly SchemaFile[],
): (location: SchemaLocation) => string | undefined {
  let locations: ReadonlyMap<string, string> | undefined
  return ({ model, enum: name, field }) => {
    locations ??= indexLocations(files())
    const block = model === undefined ? `enum ${name}` : `model ${model}`
    return locations.get(`${block}.${field}`) ?? locations.get(block)
  }
}

/** Formats a line of a schema file as `file:line`, with the file relative to the working directory. */
export function formatLocation(file: SchemaFile, line: number): string | undefined {
  return file.path === undefined ? undefined : `${path.relative('', file.path)}:${line}`
}

function indexLocations(files: readonly SchemaFile[]): ReadonlyMap<string, string> {
  const locations = new Map<string, string>()
  for (const file of files) {
    const set = (name: string, line: number) => {
      const location = formatLocation(file, line)
      if (location !== undefined) locations.set(name, location)
    }
    for (const { kind, name, line, members } of parseSchemaText(file.text).blocks) {
      const block = `${kind === 'view' ? 'model' : kind} ${name}`
      set(block, line)
      for (const member of members) set(`${block}.${member.name}`, member.line)
    }
  }
  return locations
}

function readFiles(schemaPath: string): SchemaFile[] | undefined {
  try {
    const paths = statSync(schemaPath).isDirectory()
      ? readdirSync(schemaPath, { recursive: true, encoding: 'utf8' })
          .filter((file) => file.endsWith('.prisma'))
          .sort()
          .map((file) => path.join(schemaPath, file))
      : [schemaPath]
    return paths.map((file) => ({ path: file, text: readFileSync(file, 'utf8') }))
  } catch {
    return undefined
  }
}
