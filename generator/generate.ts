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

/** A schema and its routes generator block, independent of how they were loaded. */
export interface GenerateInput {
  /** The block with `provider = "routewright"`. Its `output` is absolute. */
  readonly generator: GeneratorBlock
  /** The schema's other generator blocks. Their `output`s are absolute. */
  readonly otherGenerators: readonly GeneratorBlock[]
  readonly schema: SchemaSource
  /**
   * Loads all generator blocks. Called if `otherGenerators` contains no client generator, for example with `prisma generate --generator
   * routes`.
   */
  readonly loadGenerators?: () => Promise<readonly GeneratorBlock[]>
}

/** The files generated from a schema, and information about them. */
export interface GenerateResult {
  /** Absolute path of the output folder. */
  readonly output: string
  readonly files: readonly EmittedFile[]
  /** Warnings and notes for the user, one sentence each. */
  readonly notes: readonly string[]
  /** Import specifiers of all packages that the files need, without duplicates and without the Prisma client. */
  readonly packages: readonly string[]
  /** The import specifier of the Prisma client in the root files of the output folder. */
  readonly clientImport: string
  /** Absolute path of the client's folder, if the client is generated into the project. */
  readonly clientFolder: string | undefined
}

/**
 * Generates the files of a schema's routes in memory.
 * @throws GeneratorError if the generator block or the schema is invalid. It lists all errors in the block or, if there are none, in the schema.
 */
export async function generate(input: GenerateInput): Promise<GenerateResult> {
  const { generator, schema } = input
  const options = readOptions(generator)
  const problems: Diagnostic[] = []
  const loadZod = createZodLoader([options.output, path.dirname(generator.file)])
  const api = buildApiModel(schema, (problem) => problems.push(problem), { loadZod, policy: options.policy })
  const misplaced = findMisplacedAnnotations(schema.files())
  problems.push(...misplaced.problems)
  const isWarning = ({ consequence }: Diagnostic) => options.unknownZod === 'warn' && consequence !== undefined
  const errors = problems.filter((problem) => !isWarning(problem))
  const locate = (location: SchemaLocation) => schema.locate(location)
  if (errors.length > 0) throw new GeneratorError(errors, locate)
  const warnings = problems.map((problem) => ({ ...problem, hint: problem.consequence ?? '' }))
  const diagnostics = [...warnings, ...misplaced.warnings, ...findReadableSecrets(api)]
  const hasClient = input.otherGenerators.some(isClientGenerator)
  const generators = hasClient ? input.otherGenerators : ((await input.loadGenerators?.()) ?? input.otherGenerators)
  const imports = resolveImportPaths(options, generators)
  const files = emitFiles(api, { options, imports, render: openTemplates(options.templates) })
  const builtinTemplates = options.templates === undefined
  const formatter = await createFormatter({ outputDir: options.output, format: options.format, builtinTemplates })
  const clientImport = imports.client
  // The runtime always needs Hono, even if no emitted file imports it.
  const specifiers = new Set(['hono', ...files.flatMap((file) => file.imports.map(({ from }) => from))])
  return {
    output: options.output,
    files: await formatter.format(files),
    notes: [...diagnostics.map((problem) => formatDiagnostic(problem, locate)), ...api.notes],
    packages: [...specifiers]
      .filter((from) => from !== clientImport && packageName(from) !== undefined)
      .sort(compareCodeUnits),
    clientImport,
    clientFolder: imports.clientFolder,
  }
}
