import type { ApiChanges } from '../find-changes.js'

/** Changes for programs: an object with the base and a list, in the order of importance. */
export function formatJson({ base, isNew, changes, notes }: ApiChanges): string {
  const listed = changes.map(({ kind, code, id, model, member, detail, sentence, accepted, place, emitted }) => ({
    kind,
    code,
    id,
    model,
    member,
    detail,
    sentence,
    accepted,
    schema: place && { file: place.file, line: place.line, ...(place.gone && { gone: true }) },
    emitted,
  }))
  return `${JSON.stringify({ base, isNew, notes, changes: listed }, undefined, 2)}\n`
}
