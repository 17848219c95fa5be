import path from 'node:path'

import { resolveImportPaths } from './emit/import-paths.js'
import { emitFiles } from './emit/emit.js'
import type { EmittedFile } from './emit/files.js'
import { createFormatter } from './emit/format.js'
import { openTemplates } from './emit/templates.js'
import { formatDiagnostic, GeneratorError, type Diagnostic, type SchemaLocation } from './errors.js'
import { buildApiModel } from './model/build-api-model.js'
import { compareCodeUnits } from './model/names.js'
import { findMisplacedAnnotations } from './model/annotations/misplaced-annotations.js'
import { findReadableSecrets } from './model/annotations/secrets.js'
import { readOptions } from './options.js'
import { packageName } from './project/installed.js'
import { createZodLoader } from './project/zod.js'
import { type GeneratorBlock, isClientGenerator } from './schema/generator-block.js'
import type { SchemaSource } from './schema/schema.js'

/** A schema and the generator block that asks for routes, whoever read them. */
export interface GenerateInput {
  /** The block with `provider = "routewright"`; its output absolute. */
  readonly generator: GeneratorBlock
  /** The schema's other generator blocks, outputs absolute. */
  readonly otherGenerators: readonly GeneratorBlock[]
  readonly schema: SchemaSource
  /** Finds the other generator blocks where `otherGenerators` names no client, as under `--generator routes`. */
  readonly loadGenerators?: () => Promise<readonly GeneratorBlock[]>
}

/** What a schema gives. */
export interface GenerateResult {
  /** The output folder, absolute. */
  readonly output: string
  readonly files: readonly EmittedFile[]
  /** What the person who generates should know, a sentence each. */
  readonly notes: readonly string[]
  /** What has to be installed for the files: specifiers of packages, each once, the Prisma client's not among them. */
  readonly packages: readonly string[]
  /** What the files of the output folder itself import the Prisma client from. */
  readonly clientImport: string
  /** The folder of that client, absolute, where it is one of the project. */
  readonly clientFolder: string | undefined
}

/**
 * A schema → the files of its routes, in memory.
 * @throws GeneratorError that lists everything that is wrong in the generator block, or else in the schema
 */
export async function generate(input: GenerateInput): Promise<GenerateResult> {
  const { generator, schema } = input
  const options = readOptions(generator)
  const problems: Diagnostic[] = []
  const loadZod = createZodLoader([options.output, path.dirname(generator.file)])
  const api = buildApiModel(schema, (problem) => problems.push(problem), { loadZod, policy: options.policy })
  const misplaced = findMisplacedAnnotations(schema.files())
  problems.push(...misplaced.problems)
  const isWarning = ({ leftOut }: Diagnostic) => options.unknownZod === 'warn' && leftOut !== undefined
  const errors = problems.filter((problem) => !isWarning(problem))
  const locate = (place: SchemaLocation) => schema.locate(place)
  if (errors.length > 0) throw new GeneratorError(errors, locate)
  const warnings = problems.map((problem) => ({ ...problem, mend: problem.leftOut ?? '' }))
  const said = [...warnings, ...misplaced.doubtful, ...findReadableSecrets(api)]
  const known = input.otherGenerators.some(isClientGenerator)
  const generators = known ? input.otherGenerators : ((await input.loadGenerators?.()) ?? input.otherGenerators)
  const imports = resolveImportPaths(options, generators)
  const rendered = emitFiles(api, { options, imports, render: openTemplates(options.templates) })
  const formatter = await createFormatter({ outputDir: options.output, format: options.format })
  const clientImport = imports.client
  // The runtime runs on Hono, whether or not a file of ours imports it too.
  const specifiers = new Set(['hono', ...rendered.flatMap((file) => file.imports.map(({ from }) => from))])
  return {
    output: options.output,
    files: await formatter.format(rendered),
    notes: [...said.map((problem) => formatDiagnostic(problem, locate)), ...api.notes],
    packages: [...specifiers]
      .filter((from) => from !== clientImport && packageName(from) !== undefined)
      .sort(compareCodeUnits),
    clientImport,
    clientFolder: imports.clientFolder,
  }
}
