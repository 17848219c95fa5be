import { contentSchema, entries, getMember, resolveReference } from './document-members.js'
import type { DocumentOperation, DocumentSummary } from './document-summary.js'

/** Whether an operation runs other operations. Such operations are not custom routes, although no model emits them. */
export function isTransaction({ name }: DocumentOperation): boolean {
  return name === 'atomicOperations' || name === 'transaction'
}

/** Whether the transactions of an API can call a custom route. Undefined if the API has no transactions. */
export type TransactionCalls = (route: DocumentOperation) => boolean | undefined

/** Reads which custom routes transactions can call: REST identifies them by `op` and `href`, and RPC by `model` and `op`. */
export function readTransactionCalls({ document, operations }: DocumentSummary): TransactionCalls {
  const transaction = operations.find(isTransaction)
  if (!transaction) return () => undefined
  const body = resolveReference(document, contentSchema(getMember(transaction.source, 'requestBody')))
  const list = getMember(body, 'properties', 'atomic:operations') ?? body
  const operation = resolveReference(document, getMember(list, 'items'))
  const variants = getMember(operation, 'anyOf') ?? getMember(operation, 'oneOf') ?? [operation]
  const calls = new Set(entries(variants).map(([, variant]) => callKey(getMember(variant, 'properties'))))
  return ({ method, path, model }) =>
    calls.has(`${ATOMIC_OPS[method]} ${path}`) || calls.has(`${model} ${path.split('/').at(-1)}`)
}

/** The `op` of atomic operations that call routes with a method. */
const ATOMIC_OPS: Readonly<Record<string, string>> = { POST: 'add', PUT: 'update', PATCH: 'update', DELETE: 'remove' }

function callKey(properties: unknown): string {
  const [op, model] = ['op', 'model'].map((name) => getMember(properties, name, 'const'))
  const pattern = getMember(properties, 'href', 'pattern')
  return typeof pattern === 'string' ? `${op} ${toPath(pattern)}` : `${model} ${op}`
}

/** Converts the pattern of a URL to a path: `(^|/)post/[^/]+/publish$` → `/post/{id}/publish`. */
function toPath(pattern: string): string {
  return pattern
    .replace('(^|/)', '/')
    .replace(/(\(\\\?\.\*\)\?)?\$$/, '')
    .replace('[^/]+', '{id}')
    .replaceAll(/\\(.)/g, '$1')
}
