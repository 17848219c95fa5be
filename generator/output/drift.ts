import { join } from 'node:path'
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import type { OutputPlan } from './apply.js'
import { withLineFeeds } from './plan.js'
import { display } from './report.js'

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
  const name = (prefix: string, path: string) => `${prefix}/${display(join(outputDir, path))}`
  return [
    ...writes.map(({ path, text, before }) =>
      patch(before ? name('a', path) : NOWHERE, name('b', path), before?.text ?? '', text),
    ),
    ...removals.map(({ path, text }) => patch(name('a', path), NOWHERE, text, '')),
  ].join('')
}

function patch(from: string, to: string, before: string, after: string): string {
  return createTwoFilesPatch(from, to, withLineFeeds(before), withLineFeeds(after), undefined, undefined, {
    context: 3,
    headerOptions: FILE_HEADERS_ONLY,
  })
}
