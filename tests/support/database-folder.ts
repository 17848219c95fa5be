import { existsSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** Memory on Linux. On a disk, each transaction waits until it is written. */
const PARENT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** Creates a temporary folder for SQLite files. */
export async function createDatabaseFolder(): Promise<string> {
  return mkdtemp(path.join(PARENT, 'routewright-'))
}
