import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

import type { SchemaLocation } from '../errors.js'
import type { SchemaFile } from './schema.js'
import { parseSchemaText } from './parse-schema-text.js'

/**
 * Reads a schema's files, by the first question.
 * @param schemaPath the schema's file or folder
 * @param datamodel the text of all files, for where they cannot be read any more
 */
export function schemaFiles(schemaPath: string, datamodel: string): () => readonly SchemaFile[] {
  let files: readonly SchemaFile[] | undefined
  return () => (files ??= readFiles(schemaPath) ?? [{ path: undefined, text: datamodel }])
}

/**
 * Finds where in a schema's files a model, field or enum is written, for messages. Prisma's DMMF does not say.
 * @returns `file:line`, the file relative to the working folder
 */
export function createLocationFinder(
  files: () => readonly SchemaFile[],
): (place: SchemaLocation) => string | undefined {
  let places: ReadonlyMap<string, string> | undefined
  return ({ model, enum: name, field }) => {
    places ??= placesOf(files())
    const block = model === undefined ? `enum ${name}` : `model ${model}`
    return places.get(`${block}.${field}`) ?? places.get(block)
  }
}

/** A line of a schema's file, as `file:line`, the file relative to the working folder. */
export function formatLocation(file: SchemaFile, line: number): string | undefined {
  return file.path === undefined ? undefined : `${path.relative('', file.path)}:${line}`
}

function placesOf(files: readonly SchemaFile[]): ReadonlyMap<string, string> {
  const places = new Map<string, string>()
  for (const file of files) {
    const set = (name: string, line: number) => {
      const place = formatLocation(file, line)
      if (place !== undefined) places.set(name, place)
    }
    for (const { kind, name, line, members } of parseSchemaText(file.text).blocks) {
      const block = `${kind === 'view' ? 'model' : kind} ${name}`
      set(block, line)
      for (const member of members) set(`${block}.${member.name}`, member.line)
    }
  }
  return places
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
