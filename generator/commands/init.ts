import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

import { init } from '../init/init.js'
import type { CliOutput, ExitCode } from './command.js'

/**
 * Runs `routewright init`: sets up the project in the working directory. Prompts for confirmation if stdin is a terminal.
 * @param schema the schema's file or folder. Default: where Prisma looks for it
 * @param yes whether to write all files without confirmation
 * @throws GeneratorError if the project cannot be set up
 */
export async function initCommand(schema: string | undefined, output: CliOutput, yes: boolean): Promise<ExitCode> {
  const { stdin, stdout } = process
  return await init(
    { folder: process.cwd(), schema, yes },
    {
      out: (text) => output.out(text),
      error: (text) => output.error(text),
      confirm: stdin.isTTY ? (question) => confirm(stdin, stdout, question) : undefined,
    },
  )
}

/**
 * Prompts until the answer is yes or no. Enter means yes.
 * @returns undefined if the input ends, for example with Ctrl-C
 */
export async function confirm(input: Readable, output: Writable, question: string): Promise<boolean | undefined> {
  const terminal = createInterface({ input, output })
  try {
    for (;;) {
      const line = await new Promise<string | undefined>((resolve) => {
        terminal.once('close', () => resolve(undefined))
        terminal.question(`${question} (Y/n) `, resolve)
      })
      if (line === undefined) return undefined
      if (/^\s*(y|yes)?\s*$/i.test(line)) return true
      if (/^\s*(n|no)\s*$/i.test(line)) return false
    }
  } finally {
    terminal.close()
  }
}
