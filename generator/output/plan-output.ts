import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { EmittedFile } from '../emit/files.js'
import { GeneratorError } from '../errors.js'
import type { OutputPlan } from './apply.js'
import { createPlan } from './plan.js'
import { readOutput } from './read.js'
import { displayPath } from './report.js'

/**
 * Compares the output folder with what it should hold. Changes nothing.
 * @param outputDir need not exist
 * @param files all files of the output, in their final text
 * @throws GeneratorError where a path that would be written is somebody else's
 */
export async function planOutput(outputDir: string, files: readonly EmittedFile[]): Promise<OutputPlan> {
  const absolute = resolve(outputDir)
  if (statSync(absolute, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new GeneratorError([
      { place: {}, what: `${absolute} is no folder.`, mend: 'Choose another "output" in the generator block.' },
    ])
  }
  const existing = readOutput(
    absolute,
    files.map(({ path }) => path),
  )
  return { outputDir: absolute, ...createPlan(files, existing, (path) => displayPath(join(absolute, path))) }
}
