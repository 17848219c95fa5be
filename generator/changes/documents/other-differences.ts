import type { Finding } from '../change.js'
import { joinList, quote } from '../phrases.js'
import { toComparable } from './compare-schemas.js'
import { entries, getMember } from './document-members.js'
import type { DocumentSummary } from './document-summary.js'

/** Maximum number of operations and components to name. */
const MAX_NAMES = 3

/** The members of a path item that are ignored. */
const TEXTS_AND_SERVERS = /^(?:summary|description|servers|x-.*)$/

/** Describes differences between documents that have no other findings. Ignores texts, examples and servers. */
export function findOtherDifferences(before: DocumentSummary, after: DocumentSummary, file: string): Finding[] {
  const [oldParts, newParts] = [listParts(before), listParts(after)]
  const names = new Set([...newParts.keys(), ...oldParts.keys()])
  const changed = [...names].filter((name) => oldParts.get(name) !== newParts.get(name))
  if (changed.length === 0) return []
  const more = changed.length > MAX_NAMES ? [`${changed.length - MAX_NAMES} more`] : []
  const list = joinList([...changed.slice(0, MAX_NAMES).map(quote), ...more])
  const sentence = `${quote(file)} differs in ways that this report does not classify: ${list}.`
  return [{ kind: 'other', code: 'document-changed', detail: file, sentence }]
}

/** Returns the operations and components of a document in comparable form, by name. */
function listParts({ document }: DocumentSummary): ReadonlyMap<string, string> {
  const components = entries(getMember(document, 'components')).flatMap(([kind, parts]) =>
    entries(parts).map(([name, part]) => [`${kind}.${name}`, part] as const),
  )
  const pathMembers = entries(getMember(document, 'paths')).flatMap(([path, item]) =>
    entries(item)
      .filter(([member]) => !TEXTS_AND_SERVERS.test(member))
      .map(([member, part]) => [String(getMember(part, 'operationId') ?? `${path}.${member}`), part] as const),
  )
  const all = [...pathMembers, ...components, ['security', getMember(document, 'security')] as const]
  return new Map(all.map(([name, part]) => [name, toComparable(part)]))
}
