import { parseAnnotations } from '../model/annotations/read-annotations.js'
import type { AnnotationTarget } from '../model/annotations/read-annotations.js'
import type { SchemaSource } from '../schema/schema.js'
import type { Change } from './change.js'

/** The file that accepts changes. It is next to the schema file with the generator block. */
export const ACCEPT_FILE = 'routewright.changes'

/** The acceptances before and after a change. One that exists on both sides belongs to an earlier change and is ignored. */
export interface Acceptances {
  readonly before: SchemaSource | undefined
  readonly after: SchemaSource | undefined
  /** The text of {@link ACCEPT_FILE} on each side. Empty if the file does not exist. */
  readonly oldLines: string
  readonly newLines: string
}

/** Adds the reason to each change that a new comment or a new line in the file accepts. Also returns the new lines that match no change. */
export function applyAcceptances(
  changes: readonly Change[],
  { before, after, oldLines, newLines }: Acceptances,
): { readonly changes: readonly Change[]; readonly unused: readonly string[] } {
  const [old, now] = [commentsOf(before), commentsOf(after)]
  // Comments that moved along with a renamed element are not new.
  const moved = [...old].flatMap(([key, reasons]) => (now.has(key) ? [] : reasons))
  const spent = new Set(linesOf(oldLines))
  const lines = linesOf(newLines).filter((line) => !spent.has(line))
  const used = new Set<string>()
  const accepted = changes.map((change) => {
    const line = lines.find((each) => each.startsWith(`${change.id}: `))
    if (line !== undefined) used.add(line)
    const reason = line?.slice(change.id.length + 2).trim() || commentKeys(change).flatMap(findNewReasons)[0]
    return reason === undefined ? change : { ...change, accepted: reason }
  })
  return { changes: accepted, unused: lines.filter((line) => !used.has(line)) }

  function findNewReasons(key: string): readonly string[] {
    const earlier = old.get(key) ?? moved
    return (now.get(key) ?? []).filter((reason) => !earlier.includes(reason))
  }
}

/** Returns the keys of the comments that can accept a change: those on the affected member, model or enum. */
function commentKeys({ model, member, at }: Change): string[] {
  const subjectKeys = model === undefined ? [] : [member === undefined ? model : `${model}.${member}`]
  return [...subjectKeys, ...(at?.enum === undefined ? [] : [`enum ${at.enum}`])]
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

function commentsOf(schema: SchemaSource | undefined): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  const note = (key: string, comment: string | undefined, target: AnnotationTarget) => {
    // Fast path: most schemas have no acceptances, but many comments.
    if (!comment?.includes('@api.accept')) return
    found.set(key, parseAnnotations(comment, target, () => {}).accepted)
  }
  for (const { name, comment, fields, relations } of schema?.models ?? []) {
    note(name, comment, 'model')
    for (const field of fields) note(`${name}.${field.name}`, field.comment, 'field')
    for (const relation of relations) note(`${name}.${relation.name}`, relation.comment, 'relation')
  }
  for (const { name, comment } of schema?.enums ?? []) note(`enum ${name}`, comment, 'enum')
  return found
}
