import path from 'node:path'

import { generate, type GenerateInput, type GenerateResult } from './generate.js'
import { DEFAULT_OUTPUT } from './options.js'
import { applyPlan, type OutputPlan } from './output/apply.js'
import { isFirstRun, newOutputNotes } from './output/output-notes.js'
import { planOutput } from './output/plan-output.js'
import { peerDependencyNote } from './project/peer-dependencies.js'
import { isRoutesGenerator } from './schema/generator-block.js'

/** The generated routes of one generator block, and the plan to write them. */
export interface PlannedRoutes {
  readonly generated: GenerateResult
  readonly plan: OutputPlan
  /** Warnings and notes about the schema and the project for the user, one sentence each. */
  readonly notes: readonly string[]
}

/**
 * Generates the routes of one generator block in memory and compares them with its output folder. Writes nothing.
 * @throws GeneratorError if the block, the schema or the output folder is invalid
 */
export async function planRoutes(input: GenerateInput): Promise<PlannedRoutes> {
  const generated = await generate(input)
  const { output, clientImport, packages } = generated
  const plan = await planOutput(output, generated.files)
  const peers = peerDependencyNote(packages, output)
  const schemaFile = input.generator.file
  const otherOutputs = () => findOtherOutputs(input)
  const outputNotes = isFirstRun(plan) ? await newOutputNotes({ schemaFile, output, clientImport, otherOutputs }) : []
  return { generated, plan, notes: [...generated.notes, ...(peers === undefined ? [] : [peers]), ...outputNotes] }
}

/**
 * Writes planned routes. `prisma generate` and the command line print the same lines.
 * @param log called with each line, without a trailing line feed
 * @throws Error if the file system rejects an operation
 */
export async function writeRoutes({ plan, notes }: PlannedRoutes, log: (line: string) => void): Promise<void> {
  for (const note of notes) log(`routewright: ${note}`)
  await applyPlan(plan, log)
}

async function findOtherOutputs({ generator, otherGenerators, loadGenerators }: GenerateInput): Promise<string[]> {
  const generators = otherGenerators.length > 0 ? otherGenerators : ((await loadGenerators?.()) ?? [])
  return generators
    .filter((block) => isRoutesGenerator(block) && block.name !== generator.name)
    .map((block) => block.output ?? path.resolve(path.dirname(block.file), DEFAULT_OUTPUT))
}
