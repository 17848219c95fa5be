import { chmodSync, mkdirSync, renameSync, rmdirSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from './error-code.js'
import { TEMPORARY_NAME, temporaryName } from './ownership.js'
import type { Plan, Write } from './plan.js'
import { displayPath, createChangeReport } from './report.js'

/** A temporary file this old is nobody's, even if some process has its number by now. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000

/** How often a file is renamed before we give up: on Windows an editor or a virus scanner may hold it open for a moment. */
const RENAME_ATTEMPTS = 5

/** A plan, and where. */
export interface OutputPlan extends Plan {
  /** Absolute. */
  readonly outputDir: string
}

/**
 * Makes the output folder hold the planned files. Each file is written beside its place and then renamed, so that at any
 * moment each is either the old one or the new one, whole.
 * @param log receives a line for each file that was written or removed, or one for many of them, and one in the end for all
 * @throws Error where the file system refuses
 */
export async function applyPlan(plan: OutputPlan, log: (line: string) => void): Promise<void> {
  const { outputDir, leftovers, writes, removals, unchanged } = plan
  for (const path of leftovers) {
    if (isAbandoned(join(outputDir, path))) removeFile(outputDir, path)
  }
  const show = (path: string) => displayPath(join(outputDir, path))
  const say = (line: string | undefined) => line !== undefined && log(`routewright: ${line}`)
  const changes = writes.length + removals.length
  const wrote = createChangeReport('wrote', writes, changes, show)
  const removed = createChangeReport('removed', removals, changes, show)
  const folders = new Set<string>()
  for (const [serial, write] of writes.entries()) {
    const folder = dirname(join(outputDir, write.path))
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true })
    folders.add(folder)
    await writeWhole(join(outputDir, write.path), join(folder, temporaryName(process.pid, serial)), write)
    say(wrote.each(write))
  }
  say(wrote.sum)
  for (const removal of removals) {
    removeFile(outputDir, removal.path)
    say(removed.each(removal))
  }
  say(removed.sum)
  say(summary(writes.length, removals.length, unchanged.length))
}

async function writeWhole(path: string, temporary: string, { text, before }: Write): Promise<void> {
  try {
    writeFileSync(temporary, text, { flag: 'wx' })
    if (before !== undefined) chmodSync(temporary, before.mode)
    await rename(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

async function rename(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return renameSync(from, to)
    } catch (error) {
      if (attempt === RENAME_ATTEMPTS || !['EPERM', 'EACCES', 'EBUSY'].includes(errorCode(error) ?? '')) throw error
      await delay(20 * 2 ** attempt)
    }
  }
}

/** Removes a file, and its folder where that leaves it empty. */
function removeFile(outputDir: string, path: string): void {
  try {
    unlinkSync(join(outputDir, path))
    if (path.includes('/')) rmdirSync(join(outputDir, dirname(path)))
  } catch (error) {
    // Gone already, or a folder with other files in it (POSIX allows both codes).
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error
  }
}

/** Whether a temporary file is of a run that has ended. */
function isAbandoned(path: string): boolean {
  const owner = Number(TEMPORARY_NAME.exec(path.split(/[\\/]/).at(-1) ?? '')?.[1])
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return false
  return owner === process.pid || !isRunning(owner) || Date.now() - stats.mtimeMs > ABANDONED_AFTER_MS
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return errorCode(error) === 'EPERM'
  }
}

function summary(written: number, removed: number, unchanged: number): string {
  const total = written + unchanged
  if (written + removed === 0) return `${count(total)}, all up to date`
  const parts = [`${count(written)} written`, removed > 0 ? `${removed} removed` : '', `${unchanged} unchanged`]
  return parts.filter((part) => part !== '').join(', ')
}

function count(files: number): string {
  return files === 1 ? '1 file' : `${files} files`
}
