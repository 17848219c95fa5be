import { parseArgs } from 'node:util'

import { CHANGE_FORMATS, type ChangeFormat, changesCommand, FAIL_KINDS, type FailKind } from './commands/changes.js'
import { checkCommand } from './commands/check.js'
import type { CliOutput, ExitCode } from './commands/command.js'
import { generateCommand } from './commands/generate.js'
import { initCommand } from './commands/init.js'
import { openApiCommand } from './commands/openapi.js'
import { GeneratorError } from './errors.js'
import { packageVersion } from './version.js'

const USAGE = `routewright: committed, typed Hono routes from a Prisma schema.

Routes are written by \`prisma generate\`, from a generator block with provider = "routewright".

  routewright generate [--schema <path>]   writes them too, and nothing else that the schema asks for
      exit 0: they are written, or were there already; exit 2: the schema is broken, and nothing is written
  routewright check [--schema <path>] [--timeout <seconds>]   are the committed routes what the schema gives?
      with the option "openapi" in the generator block: and the committed OpenAPI documents what the handlers serve?
      exit 0: they are; exit 1: they differ, and the difference is printed; exit 2: the schema is broken, or a module of handlers
  routewright changes [<ref>] [--format <format>] [--fail-on <kinds>] [--schema <path>]   what the schema here does to the API's callers
      beside that of a commit; by default, of the merge base with the default branch
      --format text, markdown, json, github (annotations) or changelog; --fail-on breaking, exposure, both with a comma, or none
      exit 0: no change to fail on; exit 1: there is one that nobody accepts; exit 2: git or a schema cannot be read
  routewright openapi [<module> …] [--out <folder>] [--schema <path>] [--timeout <seconds>]   writes OpenAPI documents for committing
      of the handlers that modules export: those given, or those of the option "openapi" in the generator block
      to a folder openapi/ beside each module, or to --out; a module may take 60 seconds, or those of --timeout
      exit 0: they are written, or were there already; exit 2: a module or a handler cannot be described, and nothing is written
  routewright init [--schema <path>] [--yes]   adds what a project lacks: the generator block, the file that mounts the routes
      asks before it writes a file, --yes agrees to all; exit 0: all is there that was agreed to; exit 2: nothing is written
  routewright --version
  routewright --help
`

/** The parsed command-line arguments of a command. */
interface Arguments {
  readonly schema: string | undefined
  /** Positional arguments: handler modules, or a Git ref. */
  readonly words: readonly string[]
  readonly format: ChangeFormat
  readonly failOn: readonly FailKind[]
  readonly out: string | undefined
  readonly seconds: number
  readonly yes: boolean
}

interface Command {
  run(args: Arguments, output: CliOutput): Promise<ExitCode>
  /** The options and arguments that the command accepts, besides `--schema`. */
  readonly takes: readonly ('fail-on' | 'format' | 'out' | 'timeout' | 'words' | 'yes')[]
  /** Maximum number of positional arguments. Default: unlimited. */
  readonly words?: number
}

const COMMANDS: Readonly<Record<string, Command>> = {
  changes: {
    run: ({ words, ...args }, output) => changesCommand({ ...args, ref: words[0] }, output),
    takes: ['words', 'format', 'fail-on'],
    words: 1,
  },
  check: { run: checkCommand, takes: ['timeout'] },
  generate: { run: ({ schema }, output) => generateCommand(schema, output), takes: [] },
  init: { run: ({ schema, yes }, output) => initCommand(schema, output, yes), takes: ['yes'] },
  openapi: {
    run: ({ words, ...args }, output) => openApiCommand({ ...args, modules: words }, output),
    takes: ['words', 'out', 'timeout'],
  },
}

/** Default time limit for loading a handler module and generating its documents, in seconds. */
const TIMEOUT = 60

/** Maximum value of `--timeout`, in seconds. About half of the maximum delay of a timer. */
const MAX_TIMEOUT = 1_000_000

/**
 * Runs the command line.
 * @param args the arguments after the program name
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
        out: { type: 'string' },
        timeout: { type: 'string' },
        format: { type: 'string' },
        'fail-on': { type: 'string' },
        help: { type: 'boolean' },
        version: { type: 'boolean' },
      },
    })
  } catch (error) {
    output.error(`routewright: ${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
    return 2
  }
  const [name = '', ...words] = parsed.positionals
  if (parsed.values.version) {
    output.out(`${packageVersion()}\n`)
    return 0
  }
  if (parsed.values.help) {
    output.out(USAGE)
    return 0
  }
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined
  const { schema, yes, out, timeout } = parsed.values
  const options = {
    words: words[0],
    out,
    timeout,
    yes,
    format: parsed.values.format,
    'fail-on': parsed.values['fail-on'],
  }
  const seconds = timeout === undefined ? TIMEOUT : Number(timeout)
  const format = CHANGE_FORMATS.find((each) => each === (options.format ?? 'text'))
  const failOn = failKinds(options['fail-on'] ?? 'none')
  const isPossible = seconds > 0 && seconds <= MAX_TIMEOUT && words.length <= (command?.words ?? Infinity)
  if (
    command === undefined ||
    !acceptsOptions(options, command) ||
    !isPossible ||
    format === undefined ||
    failOn === undefined
  ) {
    output.error(USAGE)
    return 2
  }
  try {
    return await command.run({ schema, words, format, failOn, out, seconds, yes: yes ?? false }, output)
  } catch (error) {
    if (error instanceof GeneratorError) output.error(`${error.message}\n`)
    else output.error(`routewright: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`)
    return 2
  }
}

/**
 * Parses the value of `--fail-on`.
 * @returns undefined if the value contains an unknown kind
 */
function failKinds(text: string): readonly FailKind[] | undefined {
  if (text === 'none') return []
  const names = text.split(',')
  const kinds = FAIL_KINDS.filter((kind) => names.includes(kind))
  return kinds.length === new Set(names).size ? kinds : undefined
}

function acceptsOptions(options: Readonly<Record<Command['takes'][number], unknown>>, { takes }: Command): boolean {
  return Object.entries(options).every(
    ([name, value]) => value === undefined || takes.some((option) => option === name),
  )
}
