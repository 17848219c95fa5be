import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'

import { init } from '../init/init.js'
import type { CliOutput, ExitCode } from './command.js'

/**
 * `routewright init`: sets up the project of the working directory, with questions where there is a terminal.
 * @param schema the schema's file or folder; undefined for where Prisma would look
 * @param yes agrees to every file
 * @throws GeneratorError where the project cannot be set up
 */
export async function initCommand(schema: string | undefined, output: CliOutput, yes: boolean): Promise<ExitCode> {
  const { stdin, stdout } = process
  return await init(
    { folder: process.cwd(), schema, yes },
    {
      out: (text) => output.out(text),
      error: (text) => output.error(text),
      ask: stdin.isTTY ? (question) => confirm(stdin, stdout, question) : undefined,
    },
  )
}

/**
 * Asks until the answer is yes or no; enter means yes.
 * @returns undefined where the input ends, or is ended with Ctrl-C
 */
export async function confirm(input: Readable, output: Writable, question: string): Promise<boolean | undefined> {
  const terminal = createInterface({ input, output })
  try {
    for (;;) {
      const answer = await new Promise<string | undefined>((resolve) => {
        terminal.once('close', () => resolve(undefined))
        terminal.question(`${question} (Y/n) `, resolve)
      })
      if (answer === undefined) return undefined
      if (/^\s*(y|yes)?\s*$/i.test(answer)) return true
      if (/^\s*(n|no)\s*$/i.test(answer)) return false
    }
  } finally {
    terminal.close()
  }
}
