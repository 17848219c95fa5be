import { dirname, isAbsolute, relative, sep } from 'node:path'
import { findUp } from '../project/find-up.js'
import { findPreviousOutputs } from './previous-outputs.js'
import type { Plan } from './plan.js'
import { displayPath } from './report.js'

/** Whether a plan is for the first run in its folder: it contains no generated files yet. */
export function isFirstRun({ writes, removals, unchanged }: Plan): boolean {
  return (
    writes.length > 0 && removals.length + unchanged.length === 0 && writes.every(({ before }) => before === undefined)
  )
}

/** A new output folder, as input of {@link newOutputNotes}. */
export interface NewOutput {
  /** Absolute path of the schema file that sets the folder. */
  readonly schemaFile: string
  /** Absolute path of the folder. */
  readonly output: string
  /** The import specifier of the Prisma client in the folder's files. */
  readonly clientImport: string
  /** Returns the absolute output folders of the schema's other routes generators. Called only if needed. */
  readonly otherOutputs: () => Promise<readonly string[]>
}

/**
 * Warns about a new output folder that is outside the project, and about other folders with routes that are no longer generated. Deletes
 * nothing.
 * @returns one sentence per warning
 */
export async function newOutputNotes({ schemaFile, output, clientImport, otherOutputs }: NewOutput): Promise<string[]> {
  const root = projectRoot(schemaFile)
  if (root === undefined) return []
  const notes: string[] = []
  if (!isInside(output, root)) {
    notes.push(
      `${displayPath(output)} is outside this project. If that is not intended, change "output" in ${displayPath(schemaFile)}.`,
    )
  }
  const found = findPreviousOutputs({ root, outputs: [output], clientImport })
  const others = found.length > 0 ? await otherOutputs() : []
  for (const folder of found.filter((each) => !others.includes(each))) {
    // The new output folder may be inside the old one.
    const subject = [output, ...others].some((each) => isInside(each, folder)) ? 'these files' : 'it'
    notes.push(
      `${displayPath(folder)} contains routes that are no longer generated. Remove ${subject} if the output folder has moved.`,
    )
  }
  return notes
}

/** Returns the folder of the package that contains the schema, or else of the repository. */
function projectRoot(schemaFile: string): string | undefined {
  const folder = dirname(schemaFile)
  return (findUp(folder, ['package.json']) ?? findUp(folder, ['.git']))?.folder
}

function isInside(folder: string, root: string): boolean {
  const relativePath = relative(root, folder)
  return relativePath !== '..' && !relativePath.startsWith(`..${sep}`) && !isAbsolute(relativePath)
}
