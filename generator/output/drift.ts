import { join } from 'node:path'
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import type { OutputPlan } from './apply.js'
import { normalizeLineEndings, type Write } from './plan.js'
import { displayPath } from './report.js'

const NOWHERE = '/dev/null'

/** Whether the output folder differs from what it should hold. Leftovers of killed runs are no difference. */
export function hasDrift({ writes, removals }: OutputPlan): boolean {
  return writes.length + removals.length > 0
}

/**
 * What applying a plan would change, as a unified diff that `git apply` and `patch -p1` take: changed files, missing ones
 * (from `/dev/null`) and orphans (to `/dev/null`), by path relative to the working directory.
 * @returns the empty string where nothing would change
 */
export function describeDrift({ outputDir, writes, removals }: OutputPlan): string {
  return [
    ...writes.map((write) => describeChange(outputDir, write)),
    ...removals.map(({ path, text }) => patch(nameOf('a', outputDir, path), NOWHERE, text, '')),
  ].join('')
}

/**
 * What writing one file would change, as {@link describeDrift} shows it.
 * @param limit how many lines may be added and removed
 * @returns undefined where there are more
 */
export function describeChange(outputDir: string, { path, text, before }: Write, limit?: number): string | undefined {
  const from = before ? nameOf('a', outputDir, path) : NOWHERE
  return patch(from, nameOf('b', outputDir, path), before?.text ?? '', text, limit)
}

function nameOf(prefix: string, outputDir: string, path: string): string {
  return `${prefix}/${displayPath(join(outputDir, path))}`
}

function patch(from: string, to: string, before: string, after: string, limit = Infinity): string | undefined {
  return createTwoFilesPatch(
    from,
    to,
    normalizeLineEndings(before),
    normalizeLineEndings(after),
    undefined,
    undefined,
    {
      context: 3,
      headerOptions: FILE_HEADERS_ONLY,
      maxEditLength: limit,
    },
  )
}
