import type { ApiChanges } from '../find-changes.js'

/** Formats changes as JSON: an object with the base, notes and a list of changes, most important first. */
export function formatJson({ base, isNew, changes, notes }: ApiChanges): string {
  const items = changes.map(({ kind, code, id, model, member, detail, sentence, accepted, location, emitted }) => ({
    kind,
    code,
    id,
    model,
    member,
    detail,
    sentence,
    accepted,
    schema: location && { file: location.file, line: location.line, ...(location.removed && { removed: true }) },
    emitted,
  }))
  return `${JSON.stringify({ base, isNew, notes, changes: items }, undefined, 2)}\n`
}
