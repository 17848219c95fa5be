import { relative } from 'node:path'
import type { EmittedFile } from '../emit/files.js'
import { compareCodeUnits } from '../model/names.js'

/** Maximum number of changed files that are reported one by one. Above this number, files are counted by kind. */
const MAX_LISTED_TOTAL = 20

/** Up to this number, files of one kind of change are always reported one by one, so that removals stay visible. */
const ALWAYS_LISTED = 10

/** How to report changed files: one line per file, or one line for all. */
export interface ChangeReport {
  /** Returns the line for one written or removed file. Undefined if {@link ChangeReport.summary} covers it. */
  formatFile(file: EmittedFile): string | undefined
  /** The line for all files. Undefined if each file has its own line. */
  readonly summary: string | undefined
}

/**
 * Decides how to report files that were written or removed.
 * @param verb what was done to the files: `wrote` or `removed`
 * @param total number of files that the run changes
 * @param formatPath formats a path for messages. The empty path is the output folder.
 */
export function createChangeReport(
  verb: string,
  files: readonly EmittedFile[],
  total: number,
  formatPath: (path: string) => string,
): ChangeReport {
  if (total <= MAX_LISTED_TOTAL || files.length <= ALWAYS_LISTED) {
    return { formatFile: ({ path }) => `${verb} ${formatPath(path)}`, summary: undefined }
  }
  return {
    formatFile: () => undefined,
    summary: `${verb} ${files.length} files in ${formatPath('')}: ${summarizeFiles(files).join(', ')}`,
  }
}

/** Formats a path for messages: relative to the working directory, with forward slashes. */
export function displayPath(path: string): string {
  return relative(process.cwd(), path).replaceAll('\\', '/') || '.'
}

/**
 * Returns, for example, `302 resource.ts, 302 rest.ts, index.ts`: counts for the files of models, names for files in the output folder
 * itself.
 */
function summarizeFiles(files: readonly EmittedFile[]): string[] {
  const counts = new Map<string, number>()
  const root: string[] = []
  for (const { path } of files) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (name === path) root.push(name)
    else counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const modelFiles = [...counts].sort(([a], [b]) => compareCodeUnits(a, b)).map(([name, count]) => `${count} ${name}`)
  return [...modelFiles, ...root.sort(compareCodeUnits)]
}
