import { topChanges } from '../changes/summary.js'
import { generate, type GenerateInput } from '../generate.js'
import { loadSchema } from '../load-schema.js'
import { describeDocumentDrift, hasDocumentDrift } from '../openapi/document-drift.js'
import { planDocuments } from '../openapi/plan-documents.js'
import { requestsFromSchema } from '../openapi/document-requests.js'
import { describeDrift } from '../output/drift.js'
import { planOutput } from '../output/plan-output.js'
import type { CliOutput, ExitCode } from './command.js'

/** What `routewright check` is told. */
export interface CheckArguments {
  /** The schema's file or folder; undefined for where Prisma would look. */
  readonly schema: string | undefined
  /** How long each module with handlers may take to load and to answer. */
  readonly seconds: number
}

/**
 * `routewright check`: are the committed routes what the schema gives, and the committed OpenAPI documents what the handlers serve? Changes
 * nothing.
 * @throws GeneratorError where the schema is broken, or a module with handlers
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
      'routewright: the committed routes are not what the schema gives. Run `prisma generate` and commit the result.\n',
    )
    if (requests.length > 0) {
      output.error(
        'routewright: The OpenAPI documents are made of these routes: run `npx routewright openapi` after it.\n',
      )
    }
    return 1
  }
  output.out(`routewright: ${files} files are what the schema gives.\n`)
  if (requests.length === 0) return 0
  const plan = await planDocuments(requests, { seconds, areAll: true })
  if (!hasDocumentDrift(plan)) {
    output.out(`routewright: ${plan.unchanged.length} OpenAPI documents are what the handlers serve.\n`)
    return 0
  }
  output.out(describeDocumentDrift(plan))
  const mend = plan.writes.length > 0 ? 'Run `npx routewright openapi` and commit the result.' : 'Remove what is left.'
  output.error(`routewright: the committed OpenAPI documents are not what the handlers serve. ${mend}\n`)
  return 1
}
