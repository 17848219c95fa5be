import type { App } from '../contenders/contender.js'
import type { Operation } from '../operations.js'
import type { AppName } from './contenders.js'
import { requestOf } from './request.js'

/**
 * Checks that what is compared does the same: what was written by hand answers with the documents and headers that emitted code
 * answers with, ZenStack with as many resources.
 * @throws Error where they differ
 */
export async function checkEqual(
  operation: Operation,
  apps: readonly { readonly name: AppName; readonly app: App }[],
): Promise<void> {
  for (const n of [1, 2, 3]) {
    const answers = new Map<AppName, Answer>()
    for (const { name, app } of apps) answers.set(name, await answerOf(operation, app, n, name.slice(0, 1)))
    const ours = answers.get('emitted')
    const difference = firstDifference(answers.get('by hand'), ours)
    if (difference !== undefined) throw new Error(`${operation.name}, by hand: ${difference}`)
    const theirs = answers.get('zenstack')
    if (!theirs) continue
    if (theirs.status >= 300)
      throw new Error(`${operation.name}, ZenStack: ${theirs.status} ${JSON.stringify(theirs.body)}`)
    const other = firstDifference(sizeOf(theirs.body), sizeOf(ours?.body))
    if (other !== undefined) throw new Error(`${operation.name}, ZenStack: ${other}`)
  }
}

interface Answer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

async function answerOf(operation: Operation, app: App, n: number, unique: string): Promise<Answer> {
  const response = await app.fetch(requestOf(operation.request(n, `equal-${operation.name}-${n}-${unique}`)))
  const mask = (text: string) => (operation.writes ? masked(text) : text)
  return {
    status: response.status,
    headers: Object.fromEntries([...response.headers].map(([name, value]) => [name, mask(value)])),
    body: JSON.parse(mask(await response.text())),
  }
}

/** Without what no two rows have in common. */
function masked(text: string): string {
  return text
    .replace(/equal-([a-z-]+)-(\d)-\w/g, 'equal-$1-$2')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'DATE')
    .replace(/("id":"?|\/(?:post|user)\/)\d+/g, (_, before: string) => `${before}0`)
}

/** How many primary resources, or whether there is one. */
function sizeOf(body: unknown): unknown {
  const data = typeof body === 'object' && body !== null && 'data' in body ? body.data : undefined
  return Array.isArray(data) ? data.length : typeof data
}

/** Where two values first differ, and how; undefined where they are equal. The order of members does not matter. */
function firstDifference(a: unknown, b: unknown, path = ''): string | undefined {
  if (Object.is(a, b)) return undefined
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return `${path}: ${JSON.stringify(a)} is not ${JSON.stringify(b)}`
  }
  const [left, right] = [new Map(Object.entries(a)), new Map(Object.entries(b))]
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const difference = firstDifference(left.get(key), right.get(key), `${path}/${key}`)
    if (difference !== undefined) return difference
  }
  return undefined
}
