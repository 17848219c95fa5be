import { existsSync } from 'node:fs'
import path from 'node:path'

import { compareCodeUnits } from '../../model/names.js'
import { type CommittedFile, listCommittedPaths, findRoutesSchemas, readCommittedFiles } from './committed-files.js'

/** The schema of an earlier commit. */
export interface BaseSchema {
  /** Path of the schema's file or folder, relative to the repository root. */
  readonly path: string
  readonly files: readonly CommittedFile[]
}

const ROUTES = /provider\s*=\s*"[^"]*routewright/

/**
 * Reads the schema of a commit at its current path.
 * @param currentPath the schema's current path, relative to the repository root
 * @returns undefined if the commit has no schema with a routes generator at this path
 */
export async function readBaseSchema(
  root: string,
  commit: string,
  currentPath: string,
): Promise<BaseSchema | undefined> {
  const schema = await readSchemaAt(root, commit, currentPath)
  return schema?.files.some(({ text }) => ROUTES.test(text)) ? schema : undefined
}

/** Finds the schema with a routes generator in a commit, at its current path or, if it was moved, at its earlier path. */
export async function findBaseSchema(
  root: string,
  commit: string,
  currentPath: string,
): Promise<BaseSchema | undefined> {
  const unmoved = await readBaseSchema(root, commit, currentPath)
  if (unmoved !== undefined) return unmoved
  // Schemas that still exist at the same path belong to other APIs.
  const moved = (await findRoutesSchemas(root, commit)).filter((file) => !existsSync(path.join(root, file)))
  const candidates = moved.sort(compareSimilarity(currentPath))
  const [candidate] = candidates
  if (candidate === undefined) return undefined
  const configured = await findConfiguredPath(root, commit, candidates)
  if (configured !== undefined) return await readSchemaAt(root, commit, configured)
  // A multi-file schema has other files next to the one with the generator block.
  const folder = path.posix.dirname(candidate)
  const isSingleFile = path.posix.basename(candidate) === 'schema.prisma' && path.posix.basename(folder) !== 'schema'
  const singleFile = isSingleFile ? await readSchemaAt(root, commit, candidate) : undefined
  if (singleFile?.files.some(({ text }) => /^\s*(?:model|view)\s/m.test(text))) return singleFile
  return folder === '.' ? await readSchemaAt(root, commit, candidate) : await readSchemaAt(root, commit, folder)
}

async function readSchemaAt(root: string, commit: string, schemaPath: string): Promise<BaseSchema | undefined> {
  const paths = (await listCommittedPaths(root, commit, schemaPath)).filter((file) => file.endsWith('.prisma'))
  // Sorted by code unit, in the same order as the files of the working tree.
  const sorted = [...paths].sort(compareCodeUnits)
  return sorted.length === 0 ? undefined : { path: schemaPath, files: await readCommittedFiles(root, commit, sorted) }
}

/** Returns the schema path from a `prisma.config.ts` of the commit, if it is a literal and contains one of the candidates. */
async function findConfiguredPath(
  root: string,
  commit: string,
  candidates: readonly string[],
): Promise<string | undefined> {
  const all = await listCommittedPaths(root, commit, '')
  const configs = all.filter((file) => /(?:^|\/)(?:prisma\.config|\.config\/prisma)\.[mc]?[jt]s$/.test(file))
  for (const { path: file, text } of await readCommittedFiles(root, commit, configs)) {
    const match = /\bschema\s*:\s*(?:path\.join\()?\s*['"`]([^'"`]+)['"`](?:\s*,\s*['"`]([^'"`]+)['"`])?/.exec(text)
    if (!match) continue
    const schemaPath = path.posix.join(path.posix.dirname(file), match[1] ?? '', match[2] ?? '')
    if (candidates.some((candidate) => candidate === schemaPath || candidate.startsWith(`${schemaPath}/`)))
      return schemaPath
  }
  return undefined
}

/** Sorts paths by the number of trailing segments that they share with the current path, most similar first. */
function compareSimilarity(currentPath: string): (a: string, b: string) => number {
  const parts = currentPath.split('/').reverse()
  const getSimilarity = (file: string) => {
    const others = file.split('/').reverse()
    const differing = parts.findIndex((part, at) => others[at] !== part)
    return differing < 0 ? parts.length : differing
  }
  return (a, b) => getSimilarity(b) - getSimilarity(a) || compareCodeUnits(a, b)
}
