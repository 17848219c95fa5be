import { generate } from '../generate.js'
import { loadSchema } from '../load-schema.js'
import { describeDrift } from '../output/drift.js'
import { planOutput } from '../output/plan-output.js'
import type { CliOutput, ExitCode } from './command.js'

/**
 * `routewright check`: are the committed routes what the schema gives? Changes nothing.
 * @param schema the schema's file or folder; undefined for where Prisma would look
 * @throws GeneratorError where the schema is broken
 */
export async function checkCommand(schema: string | undefined, output: CliOutput): Promise<ExitCode> {
  let files = 0
  let drift = ''
  for (const input of await loadSchema(schema)) {
    const generated = await generate(input)
    files += generated.files.length
    drift += describeDrift(await planOutput(generated.output, generated.files))
  }
  if (drift === '') {
    output.out(`routewright: ${files} files are what the schema gives.\n`)
    return 0
  }
  output.out(drift)
  output.error(
    'routewright: the committed routes are not what the schema gives. Run `prisma generate` and commit the result.\n',
  )
  return 1
}
