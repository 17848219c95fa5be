/**
 * Starts the app. First generates the Prisma client, builds the pages and seeds the database. With `--dev`, Vite serves the pages with hot
 * reloading.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import { provider } from '../server/provider.js'
import { generate } from './prisma-generate.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const require = createRequire(import.meta.url)
const isDev = process.argv.includes('--dev')

const vite = join(dirname(require.resolve('vite/package.json')), 'bin/vite.js')
const conditions = provider === 'postgresql' ? ['--conditions=postgresql'] : []

process.stdout.write(await generate())
if (isDev) start([vite])
else await once(start([vite, 'build', '--logLevel', 'warn']), 'exit')
const server = start([...conditions, '--import', 'tsx', 'server/main.ts', ...(isDev ? ['--api-only'] : [])])
server.once('exit', (code) => process.exit(code ?? 1))
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => server.kill(signal))

function start(args: readonly string[]): ChildProcess {
  return spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' })
}
