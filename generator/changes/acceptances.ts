import { parseAnnotations } from '../model/annotations/read-annotations.js'
import type { AnnotationTarget } from '../model/annotations/read-annotations.js'
import type { SchemaSource } from '../schema/schema.js'
import type { Change } from './change.js'

/** The file that accepts changes, beside the schema file with the generator block. */
export const ACCEPT_FILE = 'routewright.changes'

/** What accepts changes before a change, and after it. What stands on both sides has been spent on an earlier change. */
export interface Acceptances {
  readonly before: SchemaSource | undefined
  readonly after: SchemaSource | undefined
  /** The text of {@link ACCEPT_FILE} on both sides; empty where there is none. */
  readonly oldLines: string
  readonly newLines: string
}

/** Notes on changes why they are accepted, by a comment that is new or by a line that is. */
export function applyAcceptances(
  changes: readonly Change[],
  { before, after, oldLines, newLines }: Acceptances,
): { readonly changes: readonly Change[]; readonly unused: readonly string[] } {
  const [old, now] = [commentsOf(before), commentsOf(after)]
  // A comment that came along with a new name is no new one.
  const moved = [...old].flatMap(([place, reasons]) => (now.has(place) ? [] : reasons))
  const spent = new Set(linesOf(oldLines))
  const lines = linesOf(newLines).filter((line) => !spent.has(line))
  const used = new Set<string>()
  const accepted = changes.map((change) => {
    const line = lines.find((each) => each.startsWith(`${change.id}: `))
    if (line !== undefined) used.add(line)
    const reason = line?.slice(change.id.length + 2).trim() || placesOf(change).flatMap(fresh)[0]
    return reason === undefined ? change : { ...change, accepted: reason }
  })
  return { changes: accepted, unused: lines.filter((line) => !used.has(line)) }

  function fresh(place: string): readonly string[] {
    const earlier = old.get(place) ?? moved
    return (now.get(place) ?? []).filter((reason) => !earlier.includes(reason))
  }
}

/** Where a comment accepts a change: on the member that it is about, or on the model where it is about that. */
function placesOf({ model, member, at }: Change): string[] {
  const own = model === undefined ? [] : [member === undefined ? model : `${model}.${member}`]
  return [...own, ...(at?.enum === undefined ? [] : [`enum ${at.enum}`])]
}

function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

function commentsOf(schema: SchemaSource | undefined): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>()
  const note = (place: string, comment: string | undefined, target: AnnotationTarget) => {
    // Most schemas have none, and comments are many.
    if (!comment?.includes('@api.accept')) return
    found.set(place, parseAnnotations(comment, target, () => {}).accepted)
  }
  for (const { name, comment, fields, relations } of schema?.models ?? []) {
    note(name, comment, 'model')
    for (const field of fields) note(`${name}.${field.name}`, field.comment, 'field')
    for (const relation of relations) note(`${name}.${relation.name}`, relation.comment, 'relation')
  }
  for (const { name, comment } of schema?.enums ?? []) note(`enum ${name}`, comment, 'enum')
  return found
}
