import { capitalize } from '../phrases.js'
import { entries, getMember, resolveReference } from './document-members.js'
import type { DocumentOperation, DocumentSummary } from './document-summary.js'

/** The description of a custom route whose declaration has none. */
const DEFAULT_DESCRIPTION = 'Custom route.'

/** The operations that replace others, by the operation that they replace. */
export type ReplacedRoutes = ReadonlyMap<DocumentOperation, DocumentOperation>

/**
 * Finds routes whose method changed, and RPC routes that were renamed. The path of an RPC route contains its name, so a rename is only
 * recognized if exactly one new route has the same method, contract and texts, and the texts are not the defaults. A read that becomes a
 * write does not count, because it is newly exposed.
 * @param removed the operations that only the old document contains
 * @param added the operations that only the new document contains
 */
export function findReplacedRoutes(
  removed: readonly DocumentOperation[],
  added: readonly DocumentOperation[],
  { document: oldDocument }: DocumentSummary,
  { document: newDocument }: DocumentSummary,
): ReplacedRoutes {
  const isReplacement = (old: DocumentOperation, current: DocumentOperation) =>
    old.model === current.model &&
    (old.method === current.method
      ? isRenamed(describeRpcRoute(old, oldDocument), describeRpcRoute(current, newDocument))
      : old.name === current.name && old.path === current.path && isRead(old) === isRead(current))
  return new Map(
    removed.flatMap((old): [DocumentOperation, DocumentOperation][] => {
      const [current, ...more] = added.filter((each) => isReplacement(old, each))
      const isOnly = removed.every((each) => each === old || !current || !isReplacement(each, current))
      return current && more.length === 0 && isOnly ? [[old, current]] : []
    }),
  )
}

function isRead({ method }: DocumentOperation): boolean {
  return method === 'GET'
}

function isRenamed(old: string | undefined, current: string | undefined): boolean {
  return old !== undefined && old === current
}

/** Returns an RPC route without its name, in comparable form. Undefined for other routes, and for routes without a text. */
function describeRpcRoute({ name, path, source }: DocumentOperation, document: unknown): string | undefined {
  const [group, segment = ''] = [path.slice(0, path.lastIndexOf('/')), path.split('/').at(-1)]
  if (segment === '' || !name.toLowerCase().endsWith(segment.toLowerCase())) return undefined
  const hasDescription = getMember(source, 'description') !== DEFAULT_DESCRIPTION
  if (!hasDescription && String(getMember(source, 'summary')).endsWith(`.${segment}`)) return undefined
  const component = `#/components/schemas/${capitalize(name)}`
  const references: readonly unknown[] = [`${component}Arguments`, `${component}Result`]
  const members = entries(source).map(([member, value]) => {
    if (member === 'operationId') return []
    return member === 'summary' ? String(value).replace(`.${segment}`, '') : [member, value]
  })
  return JSON.stringify([group, members], (_key, value: unknown) =>
    references.includes(getMember(value, '$ref')) ? resolveReference(document, value) : value,
  )
}
