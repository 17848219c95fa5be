import { execFile } from 'node:child_process'
import { accessSync, constants, readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Finds a program. If it is missing, logs a message and returns undefined.
 * @param folders searched before those of PATH
 */
export function findProgram(name: string, folders: readonly string[] = []): string | undefined {
  const found = [...folders, ...(process.env['PATH'] ?? '').split(delimiter)].find((folder) => isProgram(folder, name))
  if (found !== undefined) return join(found, name)
  console.log(`${name} is not installed here: what needs it is left out`)
  return undefined
}

function isProgram(folder: string, name: string): boolean {
  try {
    accessSync(join(folder, name), constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Returns the folders of the PostgreSQL versions that Debian installed, newest first. */
export function postgresFolders(): readonly string[] {
  const root = '/usr/lib/postgresql'
  try {
    const versions = readdirSync(root).toSorted((a, b) => Number(b) - Number(a))
    return versions.map((version) => join(root, version, 'bin'))
  } catch {
    return []
  }
}

/** The user that a program runs as. Undefined means the user that runs the tests. */
export interface User {
  readonly uid: number
  readonly gid: number
}

/** Returns the user of a server's package if the tests run as root, because servers do not start as root. */
export async function serverUser(name: string): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const id = async (flag: string) => Number((await run('id', [flag, name])).stdout)
  return { uid: await id('-u'), gid: await id('-g') }
}

/** Finds a free port on 127.0.0.1. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (typeof address !== 'object' || !address) throw new Error('There is no free port.')
  return address.port
}
