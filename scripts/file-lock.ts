import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Runs `work` while no other process holds the lock. A lock whose process has died is taken over.
 * @param path a folder that exists while the lock is held
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!(await tryLock(path))) await sleep(100)
  try {
    return await work()
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

async function tryLock(path: string): Promise<boolean> {
  try {
    await mkdir(path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const owner = Number(await readFile(join(path, 'pid'), 'utf8').catch(() => ''))
    // Without a number, the owner is about to write it, between the two calls below.
    if (owner > 0 && !alive(owner)) await rm(path, { recursive: true, force: true })
    return false
  }
  await writeFile(join(path, 'pid'), String(process.pid))
  return true
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
