import { dirname, isAbsolute, relative, sep } from 'node:path'
import { findUp } from '../project/find-up.js'
import { findPreviousOutputs } from './previous-outputs.js'
import type { Plan } from './plan.js'
import { displayPath } from './report.js'

/** Whether a plan is that of the first run for its folder: nothing of ours is there yet. */
export function isFirstRun({ writes, removals, unchanged }: Plan): boolean {
  return (
    writes.length > 0 && removals.length + unchanged.length === 0 && writes.every(({ before }) => before === undefined)
  )
}

/** What the notes on a new output folder depend on. */
export interface NewOutput {
  /** The schema file that names it, absolute. */
  readonly schemaFile: string
  /** The folder, absolute. */
  readonly output: string
  /** What its files import the Prisma client from. */
  readonly clientImport: string
  /** The folders that the schema's other routes generators write to, absolute; asked for where it matters. */
  readonly otherOutputs: () => Promise<readonly string[]>
}

/**
 * What the person who generates should know of an output folder that is new: that it is not inside the project, and that
 * another folder holds routes which nothing writes any more. Nothing is ever deleted there.
 * @returns a sentence for each
 */
export async function newOutputNotes({ schemaFile, output, clientImport, otherOutputs }: NewOutput): Promise<string[]> {
  const root = projectRoot(schemaFile)
  if (root === undefined) return []
  const notes: string[] = []
  if (!isInside(output, root)) {
    notes.push(
      `${displayPath(output)} is outside of this project. If that is not meant, mend "output" in ${displayPath(schemaFile)}.`,
    )
  }
  const found = findPreviousOutputs({ root, outputs: [output], clientImport })
  const others = found.length > 0 ? await otherOutputs() : []
  for (const folder of found.filter((each) => !others.includes(each))) {
    // The output may have moved to a folder inside of the old one.
    const what = [output, ...others].some((each) => isInside(each, folder)) ? 'those files' : 'it'
    notes.push(
      `${displayPath(folder)} holds routes generated earlier; nothing here writes it any more. Remove ${what} if the output has moved.`,
    )
  }
  return notes
}

/** The package that a schema belongs to, or else its repository. */
function projectRoot(schemaFile: string): string | undefined {
  const folder = dirname(schemaFile)
  return (findUp(folder, ['package.json']) ?? findUp(folder, ['.git']))?.folder
}

function isInside(folder: string, root: string): boolean {
  const way = relative(root, folder)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
