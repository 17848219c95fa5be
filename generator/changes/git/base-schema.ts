import { existsSync } from 'node:fs'
import path from 'node:path'

import { compareCodeUnits } from '../../model/names.js'
import { type CommittedFile, committedPaths, filesWithRoutes, readCommitted } from './committed-files.js'

/** The schema of an earlier commit. */
export interface BaseSchema {
  /** Where it stood, relative to the top of the repository: a file, or a folder. */
  readonly path: string
  readonly files: readonly CommittedFile[]
}

const ROUTES = /provider\s*=\s*"[^"]*routewright/

/**
 * The schema with a routes generator where it is now.
 * @param now where it is now, relative to the top of the repository
 * @returns undefined where that commit has none there
 */
export async function readBaseSchema(root: string, commit: string, now: string): Promise<BaseSchema | undefined> {
  const here = await schemaAt(root, commit, now)
  return here?.files.some(({ text }) => ROUTES.test(text)) ? here : undefined
}

/** Finds the schema with a routes generator in a commit: where it is now, or else where it was. See {@link oldSchemaAt}. */
export async function findBaseSchema(root: string, commit: string, now: string): Promise<BaseSchema | undefined> {
  const here = await readBaseSchema(root, commit, now)
  if (here !== undefined) return here
  // One that is still there is that of another API.
  const moved = (await filesWithRoutes(root, commit)).filter((file) => !existsSync(path.join(root, file)))
  const candidates = moved.sort(byLikeness(now))
  const [found] = candidates
  if (found === undefined) return undefined
  const configured = await configuredPath(root, commit, candidates)
  if (configured !== undefined) return await schemaAt(root, commit, configured)
  // A folder of schema files has others beside the one with the block.
  const folder = path.posix.dirname(found)
  const isWhole = path.posix.basename(found) === 'schema.prisma' && path.posix.basename(folder) !== 'schema'
  const alone = isWhole ? await schemaAt(root, commit, found) : undefined
  if (alone?.files.some(({ text }) => /^\s*(?:model|view)\s/m.test(text))) return alone
  return folder === '.' ? await schemaAt(root, commit, found) : await schemaAt(root, commit, folder)
}

async function schemaAt(root: string, commit: string, place: string): Promise<BaseSchema | undefined> {
  const paths = (await committedPaths(root, commit, place)).filter((file) => file.endsWith('.prisma'))
  // By code unit, as the files of the working tree are read.
  const sorted = [...paths].sort(compareCodeUnits)
  return sorted.length === 0 ? undefined : { path: place, files: await readCommitted(root, commit, sorted) }
}

/** What a `prisma.config.ts` of that commit says of the place, where it says so in plain words, and where there is one of these files. */
async function configuredPath(
  root: string,
  commit: string,
  candidates: readonly string[],
): Promise<string | undefined> {
  const all = await committedPaths(root, commit, '')
  const configs = all.filter((file) => /(?:^|\/)(?:prisma\.config|\.config\/prisma)\.[mc]?[jt]s$/.test(file))
  for (const { path: file, text } of await readCommitted(root, commit, configs)) {
    const said = /\bschema\s*:\s*(?:path\.join\()?\s*['"`]([^'"`]+)['"`](?:\s*,\s*['"`]([^'"`]+)['"`])?/.exec(text)
    if (!said) continue
    const place = path.posix.join(path.posix.dirname(file), said[1] ?? '', said[2] ?? '')
    if (candidates.some((candidate) => candidate === place || candidate.startsWith(`${place}/`))) return place
  }
  return undefined
}

/** The place whose end is most like the one now comes first. */
function byLikeness(now: string): (a: string, b: string) => number {
  const parts = now.split('/').reverse()
  const likeness = (file: string) => {
    const others = file.split('/').reverse()
    const differing = parts.findIndex((part, at) => others[at] !== part)
    return differing < 0 ? parts.length : differing
  }
  return (a, b) => likeness(b) - likeness(a) || compareCodeUnits(a, b)
}
