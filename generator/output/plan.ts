import type { EmittedFile } from '../emit/files.js'
import { GeneratorError, type Diagnostic } from '../errors.js'
import { compareCodeUnits } from '../model/names.js'
import { hasGeneratedHeader, isGeneratedFile } from './ownership.js'

/** An existing entry at a path in the output folder. */
export type ExistingEntry =
  | {
      readonly kind: 'file'
      readonly text: string
      /** Permission bits. A rewritten file keeps them. */
      readonly mode: number
    }
  /** An entry that cannot be overwritten. `what` completes an error message, for example "it is a folder". */
  | { readonly kind: 'obstacle'; readonly what: string }

/** The relevant contents of the output folder. Paths are relative to it, with forward slashes. */
export interface ExistingOutput {
  /** The existing entries at the paths of the new files and of possible orphans. */
  readonly entries: ReadonlyMap<string, ExistingEntry>
  /** Temporary files of runs that were killed. */
  readonly leftovers: readonly string[]
}

/** The changes that bring the output folder up to date, in the order in which they are applied. Paths are relative to the output folder. */
export interface Plan {
  readonly leftovers: readonly string[]
  readonly writes: readonly Write[]
  /** Generated files that are no longer part of the output. */
  readonly removals: readonly EmittedFile[]
  readonly unchanged: readonly string[]
}

/** A file to write. */
export interface Write extends EmittedFile {
  /** The file that is overwritten. Undefined if the file is new. */
  readonly before?: { readonly text: string; readonly mode: number }
}

/**
 * Compares the new files with the existing ones. Writes come before removals, and `index.ts`, which imports the other files, is written
 * last: if a run is killed, all imports of the index exist.
 * @param show formats a path for messages
 * @throws GeneratorError listing all paths that are occupied or outside the output folder, and all files with the same path
 */
export function createPlan(
  files: readonly EmittedFile[],
  existing: ExistingOutput,
  show: (path: string) => string = (path) => path,
): Plan {
  const wanted = new Map<string, string>()
  const problems: Diagnostic[] = []
  for (const { path } of files) {
    const other = wanted.get(path.toLowerCase())
    if (other !== undefined) problems.push(collision(other, path))
    if (isOutside(path)) problems.push(outside(path))
    wanted.set(path.toLowerCase(), path)
  }

  const writes: Write[] = []
  const unchanged: string[] = []
  for (const file of [...files].sort(byWriteOrder)) {
    const there = existing.entries.get(file.path)
    if (there === undefined) writes.push(file)
    else if (there.kind === 'obstacle') problems.push(obstructed(show(file.path), there.what))
    else if (sameText(there.text, file.text)) unchanged.push(file.path)
    else if (!hasGeneratedHeader(there.text)) problems.push(foreign(show(file.path)))
    else writes.push({ ...file, before: { text: there.text, mode: there.mode } })
  }
  if (problems.length > 0) throw new GeneratorError(problems)

  const removals: EmittedFile[] = []
  for (const [path, entry] of existing.entries) {
    // Compared case-insensitively, because the paths are the same file on a case-insensitive file system.
    if (entry.kind !== 'file' || wanted.has(path.toLowerCase())) continue
    if (isGeneratedFile(path, entry.text)) removals.push({ path, text: entry.text })
  }
  removals.sort((a, b) => compareCodeUnits(a.path, b.path))
  return { leftovers: existing.leftovers, writes, removals, unchanged }
}

/** Converts CRLF to LF. A checkout may change line endings, which does not count as a difference. */
export function normalizeLineEndings(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function sameText(a: string, b: string): boolean {
  return a === b || normalizeLineEndings(a) === normalizeLineEndings(b)
}

function byWriteOrder(a: EmittedFile, b: EmittedFile): number {
  return rank(a.path) - rank(b.path) || compareCodeUnits(a.path, b.path)
}

function rank(path: string): number {
  if (path.includes('/')) return 0
  return path === 'index.ts' ? 2 : 1
}

function isOutside(path: string): boolean {
  return path.includes('\\') || /^[a-z]:/i.test(path) || path.split('/').some((part) => ['', '.', '..'].includes(part))
}

function collision(a: string, b: string): Diagnostic {
  return {
    location: {},
    what: a === b ? `Two files would be ${a}.` : `${a} and ${b} would be one file where case does not count.`,
    hint: 'Rename one of the models, or hide one with /// @api.hidden.',
  }
}

function outside(path: string): Diagnostic {
  return {
    location: {},
    what: `"${path}" is no path inside the output folder.`,
    hint: 'Please report this with your schema.',
  }
}

function obstructed(path: string, what: string): Diagnostic {
  return {
    location: {},
    what: `${path} cannot be written: ${what}.`,
    hint: 'Move it away, or choose another "output".',
  }
}

function foreign(path: string): Diagnostic {
  return {
    location: {},
    what: `${path} exists and was not generated by routewright, so it is not overwritten.`,
    hint: 'Move it away, or choose another "output".',
  }
}
