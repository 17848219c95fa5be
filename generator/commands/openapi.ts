import { loadConfig, loadSchema } from '../load-schema.js'
import { type DocumentPlan, planDocuments } from '../openapi/plan-documents.js'
import { noModulesError, requestsFromArguments, requestsFromSchema } from '../openapi/document-requests.js'
import { applyPlan } from '../output/apply.js'
import { displayPath } from '../output/report.js'
import type { CliOutput, ExitCode } from './command.js'

/** What `routewright openapi` is told. */
export interface OpenApiArguments {
  /** The schema's file or folder; undefined for where Prisma would look. */
  readonly schema: string | undefined
  /** The modules to describe, in place of those that the schema names. */
  readonly modules: readonly string[]
  /** The folder to write to, in place of one beside each module. */
  readonly out: string | undefined
  /** How long each module may take to load and to answer. */
  readonly seconds: number
}

/**
 * `routewright openapi`: writes the OpenAPI documents that handlers serve, for committing.
 * @throws GeneratorError where a module or a handler cannot be described; nothing is written then
 */
export async function openApiCommand(args: OpenApiArguments, output: CliOutput): Promise<ExitCode> {
  const plan = await planOf(args)
  for (const note of plan.notes) output.out(`routewright: ${note}\n`)
  await applyPlan(plan, (line) => output.out(`${line}\n`))
  for (const file of plan.orphans) {
    output.out(`routewright: no handler gives ${displayPath(file)}. Remove it, if nobody needs it.\n`)
  }
  return 0
}

async function planOf({ schema, modules, out, seconds }: OpenApiArguments): Promise<DocumentPlan> {
  if (modules.length > 0) {
    // What prisma.config.ts puts into the environment is there for the modules too, as it is where the schema names them.
    await loadConfig(process.cwd())
    return await planDocuments(requestsFromArguments(modules, out), { seconds, areAll: false })
  }
  const blocks = (await loadSchema(schema)).map(({ generator }) => generator)
  const requests = requestsFromSchema(blocks, out)
  if (requests.length === 0) throw noModulesError()
  return await planDocuments(requests, { seconds, areAll: out === undefined })
}
