import { chmodSync, mkdirSync, renameSync, rmdirSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { errorCode } from './error-code.js'
import { TEMPORARY_NAME, temporaryName } from './ownership.js'
import type { Plan, Write } from './plan.js'
import { displayPath, createChangeReport } from './report.js'

/** Temporary files older than this are deleted even if their process id is in use, because it may have been reused. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000

/** Maximum number of attempts to rename a file. On Windows, an editor or a virus scanner may keep the file open for a moment. */
const RENAME_ATTEMPTS = 5

/** A plan and its output folder. */
export interface OutputPlan extends Plan {
  /** Absolute path. */
  readonly outputDir: string
}

/**
 * Writes and deletes files according to a plan. Each file is written to a temporary file in the same folder and then renamed, so that it is
 * always either completely old or completely new.
 * @param log called with one line per changed file, or one line for many files, and a summary at the end
 * @throws Error if the file system rejects an operation
 */
export async function applyPlan(plan: OutputPlan, log: (line: string) => void): Promise<void> {
  const { outputDir, leftovers, writes, removals, unchanged } = plan
  for (const path of leftovers) {
    if (isAbandoned(join(outputDir, path))) removeFile(outputDir, path)
  }
  const formatPath = (path: string) => displayPath(join(outputDir, path))
  const say = (line: string | undefined) => line !== undefined && log(`routewright: ${line}`)
  const changes = writes.length + removals.length
  const writeReport = createChangeReport('wrote', writes, changes, formatPath)
  const removalReport = createChangeReport('removed', removals, changes, formatPath)
  const folders = new Set<string>()
  for (const [serial, write] of writes.entries()) {
    const folder = dirname(join(outputDir, write.path))
    if (!folders.has(folder)) mkdirSync(folder, { recursive: true })
    folders.add(folder)
    await writeWhole(join(outputDir, write.path), join(folder, temporaryName(process.pid, serial)), write)
    say(writeReport.formatFile(write))
  }
  say(writeReport.summary)
  for (const removal of removals) {
    removeFile(outputDir, removal.path)
    say(removalReport.formatFile(removal))
  }
  say(removalReport.summary)
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

/** Deletes a file, and its folder if it is then empty. */
function removeFile(outputDir: string, path: string): void {
  try {
    unlinkSync(join(outputDir, path))
    if (path.includes('/')) rmdirSync(join(outputDir, dirname(path)))
  } catch (error) {
    // The file no longer exists, or its folder contains other files. POSIX allows both `ENOTEMPTY` and `EEXIST` for the latter.
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error
  }
}

/** Whether the run that wrote a temporary file has ended. */
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
