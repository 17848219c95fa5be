import path from 'node:path'

import { generate, type GenerateInput, type GenerateResult } from './generate.js'
import { DEFAULT_OUTPUT } from './options.js'
import { applyPlan, type OutputPlan } from './output/apply.js'
import { isFirstRun, newOutputNotes } from './output/output-notes.js'
import { planOutput } from './output/plan-output.js'
import { peerDependencyNote } from './project/peer-dependencies.js'
import { isRoutesGenerator } from './schema/generator-block.js'

/** The routes of one generator block, and what has to happen so that they are in its output folder. */
export interface PlannedRoutes {
  readonly generated: GenerateResult
  readonly plan: OutputPlan
  /** What the person who generates should know of the schema and of the project, a sentence each. */
  readonly notes: readonly string[]
}

/**
 * Generates the routes of one generator block in memory, and compares its output folder with them. Writes nothing.
 * @throws GeneratorError where the block, the schema or the output folder is not as it should be
 */
export async function planRoutes(input: GenerateInput): Promise<PlannedRoutes> {
  const generated = await generate(input)
  const { output, clientImport, packages } = generated
  const plan = await planOutput(output, generated.files)
  const peers = peerDependencyNote(packages, output)
  const schemaFile = input.generator.file
  const otherOutputs = () => otherOutputsOf(input)
  const place = isFirstRun(plan) ? await newOutputNotes({ schemaFile, output, clientImport, otherOutputs }) : []
  return { generated, plan, notes: [...generated.notes, ...(peers === undefined ? [] : [peers]), ...place] }
}

/**
 * Writes what was planned. Whoever starts us, Prisma or a person, reads the same lines.
 * @param log receives them, each without its line feed
 * @throws Error where the file system refuses
 */
export async function writeRoutes({ plan, notes }: PlannedRoutes, log: (line: string) => void): Promise<void> {
  for (const note of notes) log(`routewright: ${note}`)
  await applyPlan(plan, log)
}

/** The folders that the schema's other routes generators write to. */
async function otherOutputsOf({ generator, otherGenerators, loadGenerators }: GenerateInput): Promise<string[]> {
  const known = otherGenerators.length > 0 ? otherGenerators : ((await loadGenerators?.()) ?? [])
  return known
    .filter((block) => isRoutesGenerator(block) && block.name !== generator.name)
    .map((block) => block.output ?? path.resolve(path.dirname(block.file), DEFAULT_OUTPUT))
}
