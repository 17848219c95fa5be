import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import { pgbouncerProgram } from '../tests/support/servers/pgbouncer.js'
import { postgresPrograms } from '../tests/support/servers/postgres-server.js'
import type { Programs } from './cluster.js'

const run = promisify(execFile)

/**
 * Finds the server programs. Installs missing ones if running as root.
 * @returns undefined if PostgreSQL is not installed
 */
export async function findPrograms(): Promise<Programs | undefined> {
  if (postgresPrograms() === undefined) await install('postgresql', 'postgresql-contrib')
  if (pgbouncerProgram() === undefined) await install('pgbouncer')
  const postgres = postgresPrograms()
  return postgres === undefined ? undefined : { postgres, pgbouncer: pgbouncerProgram() }
}

async function install(...packages: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0) return
  console.log(`apt-get install ${packages.join(' ')}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    await run('apt-get', ['install', '-y', '--no-install-recommends', ...packages], { env })
  } catch {
    console.log(`${packages.join(' ')}: cannot be installed here`)
  }
}

/** Returns the version of a program, such as `15.20`. */
export async function getVersion(program: string): Promise<string> {
  const { stdout } = await run(program, ['--version'])
  return /\d+(\.\d+)+/.exec(stdout)?.[0] ?? 'unknown'
}
