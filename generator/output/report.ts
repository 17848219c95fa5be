import { relative } from 'node:path'
import type { EmittedFile } from '../emit/files.js'
import { compareCodeUnits } from '../model/names.js'

/** Maximum number of changed files that are reported one by one. Beyond it, files are counted by kind. */
const NAMED_TOGETHER = 20

/** Up to this number, files of one kind of change are always reported one by one, so that removals stay visible. */
const NAMED_ALWAYS = 10

/** How to report changed files: one line per file, or one line for all. */
export interface ChangeReport {
  /** Returns the line for one written or removed file. Undefined if {@link ChangeReport.sum} covers it. */
  each(file: EmittedFile): string | undefined
  /** The line for all files. Undefined if each file has its own line. */
  readonly sum: string | undefined
}

/**
 * Decides how to report files that were written or removed.
 * @param verb what was done to the files: `wrote` or `removed`
 * @param total number of files that the run changes
 * @param show formats a path for messages. The empty path is the output folder.
 */
export function createChangeReport(
  verb: string,
  files: readonly EmittedFile[],
  total: number,
  show: (path: string) => string,
): ChangeReport {
  if (total <= NAMED_TOGETHER || files.length <= NAMED_ALWAYS) {
    return { each: ({ path }) => `${verb} ${show(path)}`, sum: undefined }
  }
  return { each: () => undefined, sum: `${verb} ${files.length} files in ${show('')}: ${kinds(files).join(', ')}` }
}

/** Formats a path for messages: relative to the working directory, with forward slashes. */
export function displayPath(path: string): string {
  return relative(process.cwd(), path).replaceAll('\\', '/') || '.'
}

/**
 * Returns for example `302 resource.ts, 302 rest.ts, index.ts`: counts for the files of models, names for files in the output folder
 * itself.
 */
function kinds(files: readonly EmittedFile[]): string[] {
  const counts = new Map<string, number>()
  const root: string[] = []
  for (const { path } of files) {
    const name = path.slice(path.lastIndexOf('/') + 1)
    if (name === path) root.push(name)
    else counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const ofModels = [...counts].sort(([a], [b]) => compareCodeUnits(a, b)).map(([name, count]) => `${count} ${name}`)
  return [...ofModels, ...root.sort(compareCodeUnits)]
}
