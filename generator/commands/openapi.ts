import { generate, type GenerateInput } from '../generate.js'
import { loadPrismaConfig, loadSchema } from '../load-schema.js'
import { type DocumentPlan, planDocuments } from '../openapi/plan-documents.js'
import { noModulesError, requestsFromArguments, requestsFromSchema } from '../openapi/document-requests.js'
import { applyPlan } from '../output/apply.js'
import { hasDrift } from '../output/drift.js'
import { planOutput } from '../output/plan-output.js'
import { displayPath } from '../output/report.js'
import type { CliOutput, ExitCode } from './command.js'

/** Arguments of `routewright openapi`. */
export interface OpenApiArguments {
  /** The schema's file or folder. Default: where Prisma looks for it. */
  readonly schema: string | undefined
  /** The handler modules to describe. Default: the modules in the schema's `openapi` option. */
  readonly modules: readonly string[]
  /** The output folder. Default: a folder next to each module. */
  readonly out: string | undefined
  /** Time limit for loading each module and generating its documents, in seconds. */
  readonly seconds: number
}

/**
 * Runs `routewright openapi`: writes the OpenAPI documents of the handlers.
 * @throws GeneratorError if a module or a handler cannot be described. Nothing is written in that case.
 */
export async function openApiCommand(args: OpenApiArguments, output: CliOutput): Promise<ExitCode> {
  const { plan, isOutdated } = await createDocumentPlan(args)
  for (const note of plan.notes) output.out(`routewright: ${note}\n`)
  await applyPlan(plan, (line) => output.out(`${line}\n`))
  for (const file of plan.orphans) {
    output.out(`routewright: no handler serves ${displayPath(file)}. Remove the file if it is no longer needed.\n`)
  }
  if (isOutdated)
    output.error(
      'routewright: the documents describe the committed routes, which do not match the schema. Run `prisma generate` and this command again.\n',
    )
  return 0
}

async function createDocumentPlan({
  schema,
  modules,
  out,
  seconds,
}: OpenApiArguments): Promise<{ readonly plan: DocumentPlan; readonly isOutdated: boolean }> {
  if (modules.length > 0) {
    // Loading `prisma.config.ts` sets the environment variables that the modules may need. `loadSchema` below also does this.
    await loadPrismaConfig(process.cwd())
    const plan = await planDocuments(requestsFromArguments(modules, out), { seconds, areAll: false })
    return { plan, isOutdated: false }
  }
  const inputs = await loadSchema(schema)
  const requests = requestsFromSchema(
    inputs.map(({ generator }) => generator),
    out,
  )
  if (requests.length === 0) throw noModulesError()
  // Routes that cannot be generated do not prevent a description of the committed ones.
  const drifts = await Promise.all(inputs.map((input) => hasOutdatedRoutes(input).catch(() => true)))
  const plan = await planDocuments(requests, { seconds, areAll: out === undefined })
  return { plan, isOutdated: drifts.includes(true) }
}

/** Whether the committed routes do not match the schema. */
async function hasOutdatedRoutes(input: GenerateInput): Promise<boolean> {
  const { output, files } = await generate(input)
  return hasDrift(await planOutput(output, files))
}
