import type { App } from '../contenders/contender.js'
import type { Operation } from '../operations.js'
import { type AppName, operationOf } from './app-names.js'
import { toRequest } from './request.js'

/**
 * Checks that contenders do the same. The handwritten code must return the same documents and headers as the generated code, except for the
 * `ETag`, which it derives from the version only. tRPC must return the same data, and ZenStack the same number of resources.
 * @throws Error if they differ
 */
export async function checkEqual(
  operation: Operation,
  apps: readonly { readonly name: AppName; readonly app: App }[],
): Promise<void> {
  for (const n of [1, 2, 3]) {
    const responses = new Map<AppName, ComparedResponse>()
    for (const { name, app } of apps) {
      const supported = operationOf(name, operation)
      if (supported) responses.set(name, await fetchResponse(supported, app, n, name.slice(0, 1)))
    }
    const emitted = responses.get('emitted')
    const difference = firstDifference(responses.get('by hand'), emitted)
    if (difference !== undefined) throw new Error(`${operation.name}, by hand: ${difference}`)
    const trpc = responses.get('trpc')
    const inData = trpc && firstDifference(trpcData(trpc.body), memberOf(emitted?.body, 'data'))
    if (inData !== undefined) throw new Error(`${operation.name}, tRPC: ${inData}`)
    const zenstack = responses.get('zenstack')
    if (!zenstack) continue
    if (zenstack.status >= 300)
      throw new Error(`${operation.name}, ZenStack: ${zenstack.status} ${JSON.stringify(zenstack.body)}`)
    const other = firstDifference(countItems(zenstack.body), countItems(emitted?.body))
    if (other !== undefined) throw new Error(`${operation.name}, ZenStack: ${other}`)
  }
}

interface ComparedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

async function fetchResponse(operation: Operation, app: App, n: number, unique: string): Promise<ComparedResponse> {
  const response = await app.fetch(toRequest(operation.request(n, `equal-${operation.name}-${n}-${unique}`)))
  const mask = (text: string) => (operation.writes ? masked(text) : text)
  return {
    status: response.status,
    headers: Object.fromEntries(
      [...response.headers].filter(([name]) => name !== 'etag').map(([name, value]) => [name, mask(value)]),
    ),
    body: JSON.parse(mask(await response.text())),
  }
}

/** Replaces values that differ between any two rows. */
function masked(text: string): string {
  return text
    .replace(/equal-([a-z-]+)-(\d)-\w/g, 'equal-$1-$2')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'DATE')
    .replace(/("id":"?|\/(?:post|user)\/)\d+/g, (_, before: string) => `${before}0`)
}

/** Returns the data of a tRPC response. */
function trpcData(body: unknown): unknown {
  return memberOf(memberOf(memberOf(body, 'result'), 'data'), 'json')
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined
}

/** Returns the number of primary resources, or the type of the data. */
function countItems(body: unknown): unknown {
  const data = memberOf(body, 'data')
  return Array.isArray(data) ? data.length : typeof data
}

/**
 * Describes the first difference between two values. Ignores the order of members.
 * @returns undefined if they are equal
 */
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
