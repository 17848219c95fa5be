import { join } from 'node:path'
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import type { OutputPlan } from './apply.js'
import { normalizeLineEndings, type Write } from './plan.js'
import { displayPath } from './report.js'

const NULL_DEVICE = '/dev/null'

/** Whether the output folder differs from the generated files. Leftover temporary files are ignored. */
export function hasDrift({ writes, removals }: OutputPlan): boolean {
  return writes.length + removals.length > 0
}

/**
 * Returns the changes of a plan as a unified diff for `git apply` or `patch -p1`. Paths are relative to the working directory. Missing
 * files are diffed from `/dev/null`, orphans to `/dev/null`.
 * @returns an empty string if nothing would change
 */
export function describeDrift({ outputDir, writes, removals }: OutputPlan): string {
  return [
    ...writes.map((write) => describeChange(outputDir, write)),
    ...removals.map(({ path, text }) => patch(nameOf('a', outputDir, path), NULL_DEVICE, text, '')),
  ].join('')
}

/**
 * Returns the diff of one written file, in the format of {@link describeDrift}.
 * @param limit maximum number of added and removed lines
 * @returns undefined if the limit is exceeded
 */
export function describeChange(outputDir: string, { path, text, before }: Write, limit?: number): string | undefined {
  const from = before ? nameOf('a', outputDir, path) : NULL_DEVICE
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
