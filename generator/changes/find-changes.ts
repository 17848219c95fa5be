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
import { readCommitted, committedPaths } from './git/committed-files.js'
import { findBaseSchema, type BaseSchema, readBaseSchema } from './git/base-schema.js'
import { type Base, findBase, openRepository } from './git/repository.js'
import { nearestLine, locateChanges } from './locate.js'

/** A change, and the line of the schema now that a reviewer is shown it at. */
export interface ReportedChange extends Change {
  readonly shownAt?: { readonly file: string; readonly line: number }
}

/** What has become of an API since a commit. */
export interface ApiChanges {
  readonly base: Base
  /** There was no API. */
  readonly isNew: boolean
  /** Most important first. */
  readonly changes: readonly ReportedChange[]
  /** What the person who asks should know, a sentence each. */
  readonly notes: readonly string[]
}

/** How changes are looked for. */
export interface FindOptions {
  /** What to compare with. Default: the merge base with the default branch. */
  readonly ref?: string | undefined
  /** Whether a schema that stood elsewhere is looked for, and documents are compared: a summary has no time for either. */
  readonly isThorough: boolean
}

/**
 * Compares the API of a schema with that of an earlier commit. Needs no database, no network and no checkout.
 * @param inputs the schema now, for each of its routes generators
 * @throws GeneratorError that says what is wrong with the repository, the commit or one of the schemas
 */
export async function findChanges(
  inputs: readonly GenerateInput[],
  { ref, isThorough }: FindOptions,
): Promise<ApiChanges> {
  const schemaPath = realpathSync(inputs[0]?.schema.path ?? '.')
  const repository = await openRepository(path.dirname(schemaPath))
  const base = await findBase(repository, ref)
  const { root } = repository
  const now = path.relative(realpathSync(root), schemaPath).replaceAll('\\', '/')
  const find = isThorough ? findBaseSchema : readBaseSchema
  const old = await find(root, base.commit, now)
  const isSame = old !== undefined && isSameText(old, now, inputs[0])
  if (isSame && !isThorough) return { base, isNew: false, changes: [], notes: [] }
  const before = isSame ? inputs : old === undefined ? [] : await readOld(root, old, base)
  const notes = old !== undefined && old.path !== now ? [`The schema stood in ${old.path || '.'} then.`] : []
  // Prisma tells a generator of its own block only.
  const pairs = blockPairs(before, inputs).filter(({ after }) => isThorough || after !== undefined)
  const found = await Promise.all(pairs.map((pair) => changesOf(pair, root, base, isThorough)))
  const isSeveral = found.length > 1
  const changes = found.flatMap(({ name, changes: each }) =>
    each.map((change) => (isSeveral ? { ...change, sentence: `[${name}] ${change.sentence}` } : change)),
  )
  return {
    base,
    isNew: before.length === 0,
    changes: sortBySeverity(changes),
    notes: [...notes, ...found.flatMap(({ notes: each }) => each)],
  }
}

/** A generator block before and after; either may be missing. */
interface BlockPair {
  readonly name: string
  readonly before: GenerateInput | undefined
  readonly after: GenerateInput | undefined
}

/** Blocks that belong together: those of one name, or the only ones. */
function blockPairs(before: readonly GenerateInput[], after: readonly GenerateInput[]): BlockPair[] {
  if (before.length === 1 && after.length === 1) {
    return [{ name: after[0]?.generator.name ?? '', before: before[0], after: after[0] }]
  }
  const names = new Set([...after, ...before].map(({ generator }) => generator.name))
  const named = (inputs: readonly GenerateInput[], name: string) =>
    inputs.find(({ generator }) => generator.name === name)
  return [...names].map((name) => ({ name, before: named(before, name), after: named(after, name) }))
}

async function changesOf({ name, ...blocks }: BlockPair, root: string, base: Base, isThorough: boolean) {
  const before = blocks.before && createApiSnapshot(blocks.before, true)
  const after = blocks.after && createApiSnapshot(blocks.after, false)
  const located = locateChanges(compareApis(before, after), before, after)
  const documents =
    isThorough && before && after
      ? compareDocuments(await readDocuments(before.options.openapi, after.options.openapi, root, base.commit), located)
      : []
  const { changes, unused } = applyAcceptances([...located, ...documents], {
    before: before?.schema,
    after: after?.schema,
    ...(await acceptFiles(blocks, root, base.commit)),
  })
  const notes = unused.map((line) => `${ACCEPT_FILE}: "${line}" accepts nothing that has changed.`)
  return { name, changes: changes.map((change) => withLine(change, before, after)), notes: after ? notes : [] }
}

function withLine(change: Change, before: ApiSnapshot | undefined, after: ApiSnapshot | undefined): ReportedChange {
  const line = nearestLine(change, before, after)
  return line === undefined ? change : { ...change, shownAt: { file: line.file, line: line.line } }
}

async function acceptFiles(blocks: Omit<BlockPair, 'name'>, root: string, commit: string) {
  const file = path.join(path.dirname((blocks.after ?? blocks.before)?.generator.file ?? ''), ACCEPT_FILE)
  const newLines = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (newLines === '') return { oldLines: '', newLines }
  const committed = path.relative(realpathSync(root), realpathSync(file)).replaceAll('\\', '/')
  const [found] = await committedPaths(root, commit, committed)
  const [old] = found === undefined ? [] : await readCommitted(root, commit, [found])
  return { oldLines: old?.text ?? '', newLines }
}

function isSameText({ files, path: oldPath }: BaseSchema, now: string, input: GenerateInput | undefined): boolean {
  const texts = input?.schema.files().map(({ text }) => text.replaceAll('\r\n', '\n')) ?? []
  return oldPath === now && files.map(({ text }) => text.replaceAll('\r\n', '\n')).join('\0') === texts.join('\0')
}

/** The schema of a commit, as if its files stood where they stood then. */
async function readOld(
  root: string,
  { path: place, files }: BaseSchema,
  base: Base,
): Promise<readonly GenerateInput[]> {
  const absolute = files.map(({ path: file, text }) => ({ path: path.join(root, file), text }))
  try {
    return await readSchema(path.join(root, place), absolute)
  } catch (error) {
    if (!(error instanceof GeneratorError)) throw error
    const [problem] = error.problems
    const what = `the schema of ${base.name} cannot be read (${base.commit.slice(0, 12)}). ${problem?.what.trim() ?? ''}\n`
    const mend = 'Compare with a commit whose schema is valid to this Prisma: npx routewright changes <ref>.'
    throw new GeneratorError([{ place: {}, what, mend }])
  }
}
