import { execFile } from 'node:child_process'
import { chown, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

import { serverUser } from './programs.js'

const run = promisify(execFile)

/** A small file system. */
export interface SmallDisk {
  readonly folder: string
  /** Fills the file system completely. */
  fill(): Promise<void>
  remove(): Promise<void>
}

/**
 * Mounts a small file system in memory, which requires root and Linux. If that fails, logs a message and returns undefined.
 * @param user may write to it
 */
export async function smallDisk(user: string, megabytes = 4): Promise<SmallDisk | undefined> {
  const folder = await mkdtemp(join(tmpdir(), 'routewright-disk-'))
  try {
    await run('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  } catch {
    console.log('no file system can be mounted here: no disk runs full')
    await rm(folder, { recursive: true })
    return undefined
  }
  const owner = await serverUser(user)
  if (owner) await chown(folder, owner.uid, owner.gid)
  return {
    folder,
    async fill() {
      const file = await open(join(folder, 'filling'), 'w')
      try {
        for (;;) await file.write(Buffer.alloc(4096))
      } catch {
        // The file system is full.
      } finally {
        await file.close()
      }
    },
    async remove() {
      await run('umount', ['--lazy', folder])
      await rm(folder, { recursive: true, force: true })
    },
  }
}
