import { topChanges } from '../changes/summary.js'
import { generate, type GenerateInput } from '../generate.js'
import { loadSchema } from '../load-schema.js'
import { describeDocumentDrift, hasDocumentDrift } from '../openapi/document-drift.js'
import { planDocuments } from '../openapi/plan-documents.js'
import { requestsFromSchema } from '../openapi/document-requests.js'
import { describeDrift } from '../output/drift.js'
import { planOutput } from '../output/plan-output.js'
import type { CliOutput, ExitCode } from './command.js'

/** Arguments of `routewright check`. */
export interface CheckArguments {
  /** The schema's file or folder. Default: where Prisma looks for it. */
  readonly schema: string | undefined
  /** Time limit for loading each handler module and generating its documents, in seconds. */
  readonly seconds: number
}

/**
 * Runs `routewright check`: compares the committed routes with the schema, and the committed OpenAPI documents with the handlers. Writes no
 * files.
 * @returns 1 if they differ
 * @throws GeneratorError if the schema or a handler module is invalid
 */
export async function checkCommand(args: CheckArguments, output: CliOutput): Promise<ExitCode> {
  const inputs = await loadSchema(args.schema)
  const code = await compareFiles(inputs, args, output)
  for (const line of await topChanges(inputs)) output.out(`routewright: ${line}\n`)
  return code
}

async function compareFiles(
  inputs: readonly GenerateInput[],
  { seconds }: CheckArguments,
  output: CliOutput,
): Promise<ExitCode> {
  let files = 0
  let drift = ''
  for (const input of inputs) {
    const generated = await generate(input)
    files += generated.files.length
    drift += describeDrift(await planOutput(generated.output, generated.files))
  }
  const requests = requestsFromSchema(inputs.map(({ generator }) => generator))
  if (drift !== '') {
    output.out(drift)
    output.error(
      'routewright: the committed routes do not match the schema. Run `prisma generate` and commit the result.\n',
    )
    if (requests.length > 0) {
      output.error(
        'routewright: the OpenAPI documents depend on these routes. Run `npx routewright openapi` afterwards.\n',
      )
    }
    return 1
  }
  output.out(`routewright: ${files} files match the schema.\n`)
  if (requests.length === 0) return 0
  const plan = await planDocuments(requests, { seconds, areAll: true })
  if (!hasDocumentDrift(plan)) {
    output.out(`routewright: ${plan.unchanged.length} OpenAPI documents match the handlers.\n`)
    return 0
  }
  output.out(describeDocumentDrift(plan))
  const hint =
    plan.writes.length > 0
      ? 'Run `npx routewright openapi` and commit the result.'
      : 'Remove the documents without a handler.'
  output.error(`routewright: the committed OpenAPI documents do not match the handlers. ${hint}\n`)
  return 1
}
