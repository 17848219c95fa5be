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
  /** An entry that cannot be overwritten. `reason` completes an error message, for example "it is a folder". */
  | { readonly kind: 'obstacle'; readonly reason: string }

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
 * Compares the new files with the existing ones. Writes come before removals. `index.ts` imports the other files and is written last, so
 * that its imports exist even if a run is killed.
 * @param formatPath formats a path for messages
 * @throws GeneratorError listing all paths that are occupied or outside the output folder, and all files with the same path
 */
export function createPlan(
  files: readonly EmittedFile[],
  existing: ExistingOutput,
  formatPath: (path: string) => string = (path) => path,
): Plan {
  const expectedPaths = new Map<string, string>()
  const problems: Diagnostic[] = []
  for (const { path } of files) {
    const other = expectedPaths.get(path.toLowerCase())
    if (other !== undefined) problems.push(collisionDiagnostic(other, path))
    if (isOutside(path)) problems.push(outsideDiagnostic(path))
    expectedPaths.set(path.toLowerCase(), path)
  }

  const writes: Write[] = []
  const unchanged: string[] = []
  for (const file of [...files].sort(compareWriteOrder)) {
    const entry = existing.entries.get(file.path)
    if (entry === undefined) writes.push(file)
    else if (entry.kind === 'obstacle') problems.push(obstacleDiagnostic(formatPath(file.path), entry.reason))
    else if (isSameText(entry.text, file.text)) unchanged.push(file.path)
    else if (!hasGeneratedHeader(entry.text)) problems.push(foreignFileDiagnostic(formatPath(file.path)))
    else writes.push({ ...file, before: { text: entry.text, mode: entry.mode } })
  }
  if (problems.length > 0) throw new GeneratorError(problems)

  const removals: EmittedFile[] = []
  for (const [path, entry] of existing.entries) {
    // Paths are compared case-insensitively, because they refer to the same file on a case-insensitive file system.
    if (entry.kind !== 'file' || expectedPaths.has(path.toLowerCase())) continue
    if (isGeneratedFile(path, entry.text)) removals.push({ path, text: entry.text })
  }
  removals.sort((a, b) => compareCodeUnits(a.path, b.path))
  return { leftovers: existing.leftovers, writes, removals, unchanged }
}

/** Converts CRLF to LF. A checkout may change line endings, which does not count as a difference. */
export function normalizeLineEndings(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function isSameText(a: string, b: string): boolean {
  return a === b || normalizeLineEndings(a) === normalizeLineEndings(b)
}

function compareWriteOrder(a: EmittedFile, b: EmittedFile): number {
  return rank(a.path) - rank(b.path) || compareCodeUnits(a.path, b.path)
}

function rank(path: string): number {
  if (path.includes('/')) return 0
  return path === 'index.ts' ? 2 : 1
}

function isOutside(path: string): boolean {
  return path.includes('\\') || /^[a-z]:/i.test(path) || path.split('/').some((part) => ['', '.', '..'].includes(part))
}

function collisionDiagnostic(a: string, b: string): Diagnostic {
  return {
    location: {},
    message:
      a === b
        ? `two files would have the path ${a}.`
        : `${a} and ${b} differ only in case, and would be the same file on a case-insensitive file system.`,
    hint: 'Rename one of the models, or hide one with /// @api.hidden.',
  }
}

function outsideDiagnostic(path: string): Diagnostic {
  return {
    location: {},
    message: `"${path}" is not a path inside the output folder.`,
    hint: 'This is a bug in routewright. Report it with your schema.',
  }
}

function obstacleDiagnostic(path: string, reason: string): Diagnostic {
  return {
    location: {},
    message: `${path} cannot be written: ${reason}.`,
    hint: 'Move or delete it, or choose a different "output".',
  }
}

function foreignFileDiagnostic(path: string): Diagnostic {
  return {
    location: {},
    message: `${path} exists and was not generated by routewright, so it is not overwritten.`,
    hint: 'Move or delete it, or choose a different "output".',
  }
}
