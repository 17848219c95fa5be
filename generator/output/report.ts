import { relative } from 'node:path'
import type { EmittedFile } from '../emit/files.js'
import { compareCodeUnits } from '../model/names.js'

/** A run that changes more files than this says how many there are of each kind, not what each is called. */
const NAMED_TOGETHER = 20

/** So few of a kind of change are named nevertheless: a removal should be seen. */
const NAMED_ALWAYS = 10

/** How a run tells what it does to files: line by line, or in sum. */
export interface ChangeReport {
  /** The line for one file that was written or removed. Undefined where {@link ChangeReport.sum} tells of it. */
  each(file: EmittedFile): string | undefined
  /** The line for all these files together. Undefined where each of them had its own. */
  readonly sum: string | undefined
}

/**
 * Decides how to tell of files that are written, or removed.
 * @param verb what is done to them: `wrote`, `removed`
 * @param total how many files the run changes in all
 * @param show a path as messages name it; that of the output folder is the empty one
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

/** A path as we show it: relative to the working directory, with forward slashes. */
export function displayPath(path: string): string {
  return relative(process.cwd(), path).replaceAll('\\', '/') || '.'
}

/** `302 resource.ts, 302 rest.ts, index.ts`: files of models by their number, those of the output folder by name. */
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
