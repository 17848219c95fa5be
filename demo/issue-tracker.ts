import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

import { ROOT } from '../scripts/prepare-fixtures.js'

const FOLDER = join(ROOT, 'examples/issue-tracker')

/** The issue tracker in a separate process. */
export interface IssueTracker {
  readonly url: string
  /** `failed` after its process has ended. */
  state(): Promise<'starting' | 'ready' | 'failed'>
  stop(): void
}

/** Starts the issue tracker of `examples/`, which first builds its pages. Returns undefined if the folder does not exist. */
export function startIssueTracker(port: number): IssueTracker | undefined {
  if (!existsSync(FOLDER)) return undefined
  const url = `http://localhost:${port}`
  const path = `${join(ROOT, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`
  const env: NodeJS.ProcessEnv = { ...process.env, PORT: String(port), PATH: path }
  // The demo's own configuration of tsx.
  delete env['TSX_TSCONFIG_PATH']
  const server = spawn(process.execPath, ['--import', 'tsx', 'scripts/start.ts'], {
    cwd: FOLDER,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return {
    url,
    async state() {
      if (server.exitCode !== null) return 'failed'
      const response = await fetch(url).catch(() => undefined)
      return response?.ok ? 'ready' : 'starting'
    },
    stop: () => void server.kill('SIGTERM'),
  }
}
