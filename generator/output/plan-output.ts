import { statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { EmittedFile } from '../emit/files.js'
import { GeneratorError } from '../errors.js'
import type { OutputPlan } from './apply.js'
import { createPlan } from './plan.js'
import { readOutput } from './read.js'
import { displayPath } from './report.js'

/**
 * Compares the output folder with the files that it should contain. Writes nothing.
 * @param outputDir the output folder. It does not need to exist.
 * @param files all output files with their final text
 * @throws GeneratorError if a path to write is occupied by a file that was not generated
 */
export async function planOutput(outputDir: string, files: readonly EmittedFile[]): Promise<OutputPlan> {
  const absolute = resolve(outputDir)
  if (statSync(absolute, { throwIfNoEntry: false })?.isDirectory() === false) {
    throw new GeneratorError([
      {
        location: {},
        message: `${absolute} is not a folder.`,
        hint: 'Choose a different "output" in the generator block.',
      },
    ])
  }
  const existing = readOutput(
    absolute,
    files.map(({ path }) => path),
  )
  return { outputDir: absolute, ...createPlan(files, existing, (path) => displayPath(join(absolute, path))) }
}
