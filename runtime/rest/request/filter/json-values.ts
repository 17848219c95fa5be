import type { Limits } from '../../../limits.js'
import type { Field } from '../../../schema/resource.js'
import { limitError } from '../limit-error.js'
import type { Subject } from './filter-errors.js'

/**
 * Checks that Json values are not nested too deeply, because the time that Prisma needs grows with the square of the depth.
 * @param values the values as in the request
 * @throws RequestError 400 if a value is too deep
 */
export function assertShallowJson(
  { type }: Field,
  subject: Subject,
  values: readonly string[],
  { depth }: Limits,
): void {
  if (type !== 'Json') return
  for (const text of [subject.value, ...values]) {
    if (nestingDepth(text) > depth)
      throw limitError('depth', `A value must not nest deeper than ${depth} levels.`, subject.name)
  }
}

/** Returns the nesting depth of JSON, or an arbitrary number for other text. A list only counts if it is in another list. */
function nestingDepth(text: string): number {
  let [level, deepest] = [0, 0]
  const open: (readonly [token: string, before: number])[] = []
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === '[' || token === '{') {
      const isLevel = token === '{' || open.at(-1)?.[0] === '['
      open.push([token, level])
      if (isLevel) deepest = Math.max(deepest, ++level)
    } else if (token === ']' || token === '}') level = open.pop()?.[1] ?? 0
  }
  return deepest
}

/** Whether a field can be filtered by paths. */
export function isJson({ type, list }: Field): boolean {
  return type === 'Json' && !list
}
