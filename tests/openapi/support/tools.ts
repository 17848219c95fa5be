import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { ROOT } from '../../../scripts/prepare-fixtures.js'
import { isLong } from '../../support/form.js'

/** The folder of the tools: `npm ci --prefix tests/openapi/tools`, as in `.ci/run`. */
export const TOOLS = join(ROOT, 'tests/openapi/tools')

/** The folder for input and output of the tools. */
export const GENERATED = join(TOOLS, '.generated')

/** Whether the tools run: in the long form, if they are installed. */
export const hasTools = isLong && isInstalled()

function isInstalled(): boolean {
  const installed = existsSync(join(TOOLS, 'node_modules/.package-lock.json'))
  if (!installed) console.log('The tools of tests/openapi/tools are not installed: what they say is left out')
  return installed
}

/** The output and the exit code of a tool. */
export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The environment of the tools, without telemetry and checks for updates. */
export const TOOL_ENVIRONMENT: NodeJS.ProcessEnv = {
  ...process.env,
  DO_NOT_TRACK: '1',
  NO_UPDATE_NOTIFIER: '1',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  REDOCLY_TELEMETRY: 'off',
}

/**
 * Runs a tool in its folder.
 * @param name name of its command
 */
export function runTool(name: string, ...args: readonly string[]): Promise<Ran> {
  return runIn(join(TOOLS, 'node_modules/.bin', name), args)
}

/** Compiles with this repository's TypeScript. */
export function compile(project: string): Promise<Ran> {
  return runIn(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', project])
}

function runIn(file: string, args: readonly string[]): Promise<Ran> {
  const options = { cwd: TOOLS, env: TOOL_ENVIRONMENT, maxBuffer: 2 ** 28 }
  return new Promise((resolve) => {
    execFile(file, args, options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
    })
  })
}
