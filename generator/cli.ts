import { parseArgs } from 'node:util'

import { CHANGE_FORMATS, type ChangeFormat, FAIL_KINDS, type FailKind } from './commands/change-options.js'
import type { CliOutput, ExitCode } from './commands/command.js'
import { GeneratorError } from './errors.js'
import { packageVersion } from './version.js'

const USAGE = `Usage: routewright <command> [options]

Commands:
  generate               Generate the routes without running the schema's other generators
  check                  Exit with 1 if committed routes or OpenAPI documents are out of date
  changes [<ref>]        Report API changes since <ref> (default: merge base with the default branch)
  openapi [<module> …]   Write the OpenAPI documents of exported handlers
  init                   Add the generator block and a mount file to a project

Options:
  --schema <path>        Schema file or folder
  --timeout <seconds>    check, openapi: time limit per module (default: 60)
  --out <folder>         openapi: output folder (default: openapi/ next to each module)
  --format <format>      changes: text, markdown, json, github or changelog
  --fail-on <kinds>      changes: breaking, exposure, both (comma-separated) or none
  --yes                  init: accept all changes without confirmation
  --version, --help

Exit codes: 0 success; 1 differences or unaccepted changes; 2 invalid schema, module, option or git state (nothing is written).
`

/** The parsed command-line arguments of a command. */
interface Arguments {
  readonly schema: string | undefined
  /** Positional arguments: handler modules, or a Git ref. */
  readonly positionals: readonly string[]
  readonly format: ChangeFormat
  readonly failOn: readonly FailKind[]
  readonly out: string | undefined
  readonly seconds: number
  readonly yes: boolean
}

interface Command {
  run(args: Arguments, output: CliOutput): Promise<ExitCode>
  /** The options and arguments that the command accepts, in addition to `--schema`. */
  readonly accepts: readonly ('fail-on' | 'format' | 'out' | 'timeout' | 'words' | 'yes')[]
  /** Maximum number of positional arguments. Default: unlimited. */
  readonly maxPositionals?: number
}

/** Each command is imported when it runs, because loading the modules of all commands takes longer than parsing a schema. */
const COMMANDS: Readonly<Record<string, Command>> = {
  changes: {
    run: async ({ positionals, ...args }, output) =>
      (await import('./commands/changes.js')).changesCommand({ ...args, ref: positionals[0] }, output),
    accepts: ['words', 'format', 'fail-on'],
    maxPositionals: 1,
  },
  check: {
    run: async (args, output) => (await import('./commands/check.js')).checkCommand(args, output),
    accepts: ['timeout'],
  },
  generate: {
    run: async ({ schema }, output) => (await import('./commands/generate.js')).generateCommand(schema, output),
    accepts: [],
  },
  init: {
    run: async ({ schema, yes }, output) => (await import('./commands/init.js')).initCommand(schema, output, yes),
    accepts: ['yes'],
  },
  openapi: {
    run: async ({ positionals, ...args }, output) =>
      (await import('./commands/openapi.js')).openApiCommand({ ...args, modules: positionals }, output),
    accepts: ['words', 'out', 'timeout'],
  },
}

/** Default time limit for loading a handler module and generating its documents, in seconds. */
const TIMEOUT = 60

/** Maximum value of `--timeout`, in seconds. About half the maximum delay of a timer. */
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
  const [name = '', ...positionals] = parsed.positionals
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
    words: positionals[0],
    out,
    timeout,
    yes,
    format: parsed.values.format,
    'fail-on': parsed.values['fail-on'],
  }
  const seconds = timeout === undefined ? TIMEOUT : Number(timeout)
  const format = CHANGE_FORMATS.find((each) => each === (options.format ?? 'text'))
  const failOn = parseFailKinds(options['fail-on'] ?? 'none')
  const isInRange = seconds > 0 && seconds <= MAX_TIMEOUT && positionals.length <= (command?.maxPositionals ?? Infinity)
  if (
    command === undefined ||
    !acceptsOptions(options, command) ||
    !isInRange ||
    format === undefined ||
    failOn === undefined
  ) {
    output.error(USAGE)
    return 2
  }
  try {
    return await command.run({ schema, positionals, format, failOn, out, seconds, yes: yes ?? false }, output)
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
function parseFailKinds(text: string): readonly FailKind[] | undefined {
  if (text === 'none') return []
  const names = text.split(',')
  const kinds = FAIL_KINDS.filter((kind) => names.includes(kind))
  return kinds.length === new Set(names).size ? kinds : undefined
}

function acceptsOptions(options: Readonly<Record<Command['accepts'][number], unknown>>, { accepts }: Command): boolean {
  return Object.entries(options).every(
    ([name, value]) => value === undefined || accepts.some((option) => option === name),
  )
}
