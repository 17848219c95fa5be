import { parseArgs } from 'node:util'

import { checkCommand } from './commands/check.js'
import type { CliOutput, ExitCode } from './commands/command.js'
import { generateCommand } from './commands/generate.js'
import { initCommand } from './commands/init.js'
import { GeneratorError } from './errors.js'
import { ownVersion } from './version.js'

const USAGE = `routewright: committed, typed Hono routes from a Prisma schema.

Routes are written by \`prisma generate\`, from a generator block with provider = "routewright".

  routewright generate [--schema <path>]   writes them too, and nothing else that the schema asks for
      exit 0: they are written, or were there already; exit 2: the schema is broken, and nothing is written
  routewright check [--schema <path>]   are the committed routes what the schema gives?
      exit 0: they are; exit 1: they differ, and the difference is printed; exit 2: the schema is broken
  routewright init [--schema <path>] [--yes]   adds what a project lacks: the generator block, the file that mounts the routes
      asks before it writes a file, --yes agrees to all; exit 0: all is there that was agreed to; exit 2: nothing is written
  routewright --version
  routewright --help
`

type Command = (schema: string | undefined, output: CliOutput, yes: boolean) => Promise<ExitCode>

const COMMANDS: Readonly<Record<string, Command>> = {
  check: checkCommand,
  generate: generateCommand,
  init: initCommand,
}

/**
 * Runs the command line.
 * @param args what stands behind the command's name
 * @returns the exit code
 */
export async function runCli(args: readonly string[], output: CliOutput): Promise<ExitCode> {
  let parsed
  try {
    parsed = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        schema: { type: 'string' },
        yes: { type: 'boolean', short: 'y' },
        help: { type: 'boolean' },
        version: { type: 'boolean' },
      },
    })
  } catch (error) {
    output.error(`routewright: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    return 2
  }
  const [name = '', ...more] = parsed.positionals
  if (parsed.values.version) {
    output.out(`${ownVersion()}\n`)
    return 0
  }
  if (parsed.values.help) {
    output.out(USAGE)
    return 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  const { schema, yes = false } = parsed.values
  if (command === undefined || more.length > 0 || (yes && name !== 'init')) {
    output.error(USAGE)
    return 2
  }
  try {
    return await command(schema, output, yes)
  } catch (error) {
    if (error instanceof GeneratorError) output.error(`${error.message}\n`)
    else output.error(`routewright: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    return 2
  }
}
