import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

import { ROOT } from '../../scripts/prepare-fixtures.js'
import { freePort } from '../support/servers/programs.js'

/** Paths that a fresh clone does not have. */
const GENERATED_FILES = /[/\\](node_modules|generated|dist|[^/\\]*\.db)$/

/** The app, as started by `npm run example`. */
export interface RunningExample {
  readonly url: string
  /** Returns the output. */
  readonly printed: () => string
  close(): Promise<void>
}

/**
 * Starts the issue tracker in a copy, because it generates its Prisma client and its pages, which other tests use at the
 * same time.
 * @param env additional variables, for example `DATABASE_URL`
 */
export async function startExample(env: Readonly<Record<string, string>> = {}): Promise<RunningExample> {
  const clone = await mkdtemp(join(tmpdir(), 'routewright-example-'))
  const app = join(clone, 'examples/issue-tracker')
  const source = join(ROOT, 'examples/issue-tracker')
  await cp(source, app, { recursive: true, filter: (path) => !GENERATED_FILES.test(path) })
  await cp(join(ROOT, '.prettierrc.json'), join(clone, '.prettierrc.json'))
  await symlink(join(ROOT, 'node_modules'), join(clone, 'node_modules'), 'dir')
  const localModules = join(source, 'node_modules')
  if (existsSync(localModules)) await symlink(localModules, join(app, 'node_modules'), 'dir')
  const bin = join(clone, 'bin')
  await mkdir(bin)
  await writeFile(
    join(bin, 'routewright'),
    `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'generator/dist/main.js')}" "$@"\n`,
  )
  await chmod(join(bin, 'routewright'), 0o755)

  const port = await freePort()
  const url = `http://localhost:${port}`
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/start.ts'], {
    cwd: app,
    env: { ...process.env, ...env, PORT: String(port), PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}` },
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += String(chunk)))
  await waitForOutput(child, () => printed.includes('Log in as one of these')).catch((cause: unknown) =>
    Promise.reject(new Error(`The example did not start.\n${printed}`, { cause })),
  )
  return {
    url,
    printed: () => printed,
    async close() {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
      await rm(clone, { recursive: true, force: true })
    },
  }
}

function waitForOutput(child: ChildProcess, isPrinted: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const check = () => {
      if (isPrinted()) resolve()
    }
    child.stdout?.on('data', check)
    child.once('exit', (code) => reject(new Error(`It ended with ${code}.`)))
    child.once('error', reject)
  })
}
