import { parseArgs } from 'node:util'

import { GeneratorError } from './errors.js'
import { generate } from './generate.js'
import { loadSchema } from './load-schema.js'
import { describeDrift } from './output/drift.js'
import { planOutput } from './output/plan-output.js'
import { ownVersion } from './version.js'

const USAGE = `routewright: committed, typed Hono routes from a Prisma schema.

Routes are written by \`prisma generate\`, from a generator block with provider = "routewright".

  routewright check [--schema <path>]   are the committed routes what the schema gives?
      exit 0: they are; exit 1: they differ, and the difference is printed; exit 2: the schema is broken
  routewright --version
  routewright --help
`

/** Where the command line writes to. */
export interface CliOutput {
  out(text: string): void
  error(text: string): void
}

/**
 * Runs the command line.
 * @param args what stands behind the command's name
 * @returns the exit code: 0 all is well, 1 the routes differ, 2 the request or the schema is broken
 */
export async function runCli(args: readonly string[], output: CliOutput): Promise<0 | 1 | 2> {
  let parsed
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { schema: { type: 'string' }, help: { type: 'boolean' }, version: { type: 'boolean' } },
    })
  } catch (error) {
    output.error(`routewright: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    return 2
  }
  const [command, ...more] = parsed.positionals
  if (parsed.values.version) {
    output.out(`${ownVersion()}\n`)
    return 0
  }
  if (parsed.values.help) {
    output.out(USAGE)
    return 0
  }
  if (command !== 'check' || more.length > 0) {
    output.error(USAGE)
    return 2
  }
  try {
    return await check(parsed.values.schema, output)
  } catch (error) {
    if (error instanceof GeneratorError) output.error(`${error.message}\n`)
    else output.error(`routewright: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    return 2
  }
}

async function check(schema: string | undefined, output: CliOutput): Promise<0 | 1> {
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
