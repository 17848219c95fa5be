import { parseAnnotations } from '../model/annotations/read-annotations.js'
import type { AnnotationTarget } from '../model/annotations/read-annotations.js'
import type { SchemaSource } from '../schema/schema.js'
import type { Change } from './change.js'

/** The file that lists accepted changes. It is next to the schema file with the generator block. */
export const ACCEPT_FILE = 'routewright.changes'

/** The acceptances before and after a change. An acceptance that exists on both sides belongs to an earlier change and is ignored. */
export interface Acceptances {
  readonly before: SchemaSource | undefined
  readonly after: SchemaSource | undefined
  /** The text of {@link ACCEPT_FILE} on each side. Empty if the file does not exist. */
  readonly oldLines: string
  readonly newLines: string
}

/** Adds a reason to each change that a new comment or a new line in the file accepts. Also returns the new lines that match no change. */
export function applyAcceptances(
  changes: readonly Change[],
  { before, after, oldLines, newLines }: Acceptances,
): { readonly changes: readonly Change[]; readonly unused: readonly string[] } {
  const [oldReasons, newReasons] = [collectReasons(before), collectReasons(after)]
  // Comments that moved along with a renamed element are not new.
  const movedReasons = [...oldReasons].flatMap(([key, reasons]) => (newReasons.has(key) ? [] : reasons))
  const oldEntries = new Set(parseLines(oldLines))
  const lines = parseLines(newLines).filter((line) => !oldEntries.has(line))
  const usedLines = new Set<string>()
  const accepted = changes.map((change) => {
    const line = lines.find((each) => each.startsWith(`${change.id}: `))
    if (line !== undefined) usedLines.add(line)
    const reason = line?.slice(change.id.length + 2).trim() || commentKeys(change).flatMap(findNewReasons)[0]
    return reason === undefined ? change : { ...change, accepted: reason }
  })
  return { changes: accepted, unused: lines.filter((line) => !usedLines.has(line)) }

  function findNewReasons(key: string): readonly string[] {
    const previous = oldReasons.get(key) ?? movedReasons
    return (newReasons.get(key) ?? []).filter((reason) => !previous.includes(reason))
  }
}

/** Returns the keys of the comments that can accept a change: those on the affected member, model or enum. */
function commentKeys({ model, member, element }: Change): string[] {
  const subjectKeys = model === undefined ? [] : [member === undefined ? model : `${model}.${member}`]
  return [...subjectKeys, ...(element?.enum === undefined ? [] : [`enum ${element.enum}`])]
}

function parseLines(text: string): string[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

function collectReasons(schema: SchemaSource | undefined): ReadonlyMap<string, readonly string[]> {
  const reasonsByKey = new Map<string, readonly string[]>()
  const addReasons = (key: string, comment: string | undefined, target: AnnotationTarget) => {
    // Fast path: most schemas have no acceptances, but many comments.
    if (!comment?.includes('@api.accept')) return
    reasonsByKey.set(key, parseAnnotations(comment, target, () => {}).accepted)
  }
  for (const { name, comment, fields, relations } of schema?.models ?? []) {
    addReasons(name, comment, 'model')
    for (const field of fields) addReasons(`${name}.${field.name}`, field.comment, 'field')
    for (const relation of relations) addReasons(`${name}.${relation.name}`, relation.comment, 'relation')
  }
  for (const { name, comment } of schema?.enums ?? []) addReasons(`enum ${name}`, comment, 'enum')
  return reasonsByKey
}
