import { existsSync, readFileSync, realpathSync } from 'node:fs'
import path from 'node:path'

import { GeneratorError } from '../errors.js'
import type { GenerateInput } from '../generate.js'
import { readSchema } from '../load-schema.js'
import { ACCEPT_FILE, applyAcceptances } from './acceptances.js'
import { type ApiSnapshot, createApiSnapshot } from './api-snapshot.js'
import { sortBySeverity, type Change } from './change.js'
import { compareApis } from './compare/compare.js'
import { compareDocuments } from './documents/compare-documents.js'
import { readDocuments } from './documents/read-documents.js'
import { readCommittedFiles, listCommittedPaths } from './git/committed-files.js'
import { findBaseSchema, type BaseSchema, readBaseSchema } from './git/base-schema.js'
import { type Base, findBase, openRepository } from './git/repository.js'
import { findNearestLine, locateChanges } from './locate.js'

/** A change, and the line in the current schema at which to show it in a code review. */
export interface ReportedChange extends Change {
  readonly reviewLocation?: { readonly file: string; readonly line: number }
}

/** The changes to an API since a commit. */
export interface ApiChanges {
  readonly base: Base
  /** Whether the base commit had no API. */
  readonly isNew: boolean
  /** Most important first. */
  readonly changes: readonly ReportedChange[]
  /** Notes for the user, one sentence each. */
  readonly notes: readonly string[]
}

/** Options for {@link findChanges}. */
export interface FindOptions {
  /** The Git ref to compare with. Default: the merge base with the default branch. */
  readonly ref?: string | undefined
  /** Whether to search for a schema that was moved and to compare OpenAPI documents. Both are too slow for a summary. */
  readonly isThorough: boolean
}

/**
 * Compares the API of a schema with that of an earlier commit. Needs no database, no network and no checkout.
 * @param inputs the current schema, once per routes generator
 * @throws GeneratorError if the repository, the commit or one of the schemas cannot be read
 */
export async function findChanges(
  inputs: readonly GenerateInput[],
  { ref, isThorough }: FindOptions,
): Promise<ApiChanges> {
  const schemaPath = realpathSync(inputs[0]?.schema.path ?? '.')
  const repository = await openRepository(path.dirname(schemaPath))
  const base = await findBase(repository, ref)
  const { root } = repository
  const currentPath = path.relative(realpathSync(root), schemaPath).replaceAll('\\', '/')
  const find = isThorough ? findBaseSchema : readBaseSchema
  const old = await find(root, base.commit, currentPath)
  const isSame = old !== undefined && isSameText(old, currentPath, inputs[0])
  if (isSame && !isThorough) return { base, isNew: false, changes: [], notes: [] }
  const before = isSame ? inputs : old === undefined ? [] : await readOldInputs(root, old, base)
  const notes =
    old !== undefined && old.path !== currentPath ? [`The schema of ${base.name} is in ${old.path || '.'}.`] : []
  // Prisma passes a generator only its own block, so a missing block was not necessarily removed.
  const pairs = pairBlocks(before, inputs).filter(({ after }) => isThorough || after !== undefined)
  const results = await Promise.all(pairs.map((pair) => findBlockChanges(pair, root, base, isThorough)))
  const hasSeveralBlocks = results.length > 1
  const changes = results.flatMap(({ name, changes: each }) =>
    each.map((change) => (hasSeveralBlocks ? { ...change, sentence: `[${name}] ${change.sentence}` } : change)),
  )
  return {
    base,
    isNew: before.length === 0,
    changes: sortBySeverity(changes),
    notes: [...notes, ...results.flatMap(({ notes: each }) => each)],
  }
}

/** A generator block before and after a change. One of them may be missing. */
interface BlockPair {
  readonly name: string
  readonly before: GenerateInput | undefined
  readonly after: GenerateInput | undefined
}

/** Pairs blocks by name. If each side has only one block, they form a pair even if the name differs. */
function pairBlocks(before: readonly GenerateInput[], after: readonly GenerateInput[]): BlockPair[] {
  if (before.length === 1 && after.length === 1) {
    return [{ name: after[0]?.generator.name ?? '', before: before[0], after: after[0] }]
  }
  const names = new Set([...after, ...before].map(({ generator }) => generator.name))
  const findBlock = (inputs: readonly GenerateInput[], name: string) =>
    inputs.find(({ generator }) => generator.name === name)
  return [...names].map((name) => ({ name, before: findBlock(before, name), after: findBlock(after, name) }))
}

async function findBlockChanges({ name, ...blocks }: BlockPair, root: string, base: Base, isThorough: boolean) {
  const before = blocks.before && createApiSnapshot(blocks.before, true)
  const after = blocks.after && createApiSnapshot(blocks.after, false)
  const located = locateChanges(compareApis(before, after), before, after)
  const documents =
    isThorough && before && after
      ? compareDocuments(
          await readDocuments(before.options.openapi, after.options.openapi, root, base.commit),
          before,
          after,
          located.length > 0,
        )
      : []
  const { changes, unused } = applyAcceptances([...located, ...documents], {
    before: before?.schema,
    after: after?.schema,
    ...(await acceptFiles(blocks, root, base.commit)),
  })
  const notes = unused.map((line) => `${ACCEPT_FILE}: "${line}" does not match any change.`)
  return { name, changes: changes.map((change) => withLine(change, before, after)), notes: after ? notes : [] }
}

function withLine(change: Change, before: ApiSnapshot | undefined, after: ApiSnapshot | undefined): ReportedChange {
  const line = findNearestLine(change, before, after)
  return line === undefined ? change : { ...change, reviewLocation: { file: line.file, line: line.line } }
}

async function acceptFiles(blocks: Omit<BlockPair, 'name'>, root: string, commit: string) {
  const file = path.join(path.dirname((blocks.after ?? blocks.before)?.generator.file ?? ''), ACCEPT_FILE)
  const newLines = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (newLines === '') return { oldLines: '', newLines }
  const committed = path.relative(realpathSync(root), realpathSync(file)).replaceAll('\\', '/')
  const [found] = await listCommittedPaths(root, commit, committed)
  const [old] = found === undefined ? [] : await readCommittedFiles(root, commit, [found])
  return { oldLines: old?.text ?? '', newLines }
}

function isSameText(
  { files, path: oldPath }: BaseSchema,
  currentPath: string,
  input: GenerateInput | undefined,
): boolean {
  const texts = input?.schema.files().map(({ text }) => text.replaceAll('\r\n', '\n')) ?? []
  return (
    oldPath === currentPath && files.map(({ text }) => text.replaceAll('\r\n', '\n')).join('\0') === texts.join('\0')
  )
}

/** Parses the schema of a commit with the paths that its files had in that commit. */
async function readOldInputs(
  root: string,
  { path: schemaPath, files }: BaseSchema,
  base: Base,
): Promise<readonly GenerateInput[]> {
  const absoluteFiles = files.map(({ path: file, text }) => ({ path: path.join(root, file), text }))
  try {
    return await readSchema(path.join(root, schemaPath), absoluteFiles)
  } catch (error) {
    if (!(error instanceof GeneratorError)) throw error
    const [problem] = error.problems
    const message = `the schema of ${base.name} cannot be read (${base.commit.slice(0, 12)}). ${problem?.message.trim() ?? ''}\n`
    const hint =
      'Compare with a commit whose schema is valid for the installed Prisma version: npx routewright changes <ref>.'
    throw new GeneratorError([{ location: {}, message, hint }])
  }
}
