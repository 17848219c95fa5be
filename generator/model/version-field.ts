import type { DiagnosticMessage, Diagnostic } from '../errors.js'
import type { FieldSpec, UniqueSpec } from './api-model.js'

const POSSIBLE = 'an Int with a default, which we count, or a DateTime with @updatedAt, which Prisma sets'

/**
 * Looks at the fields of a model that are to tell the revisions of its rows apart (`@api.version`).
 * @param report is told of every one that cannot, and of a second one
 */
export function checkVersion(
  model: string,
  fields: readonly FieldSpec[],
  uniques: readonly UniqueSpec[],
  report: (problem: Diagnostic) => void,
): void {
  const [first, ...others] = fields.filter(({ version }) => version !== undefined)
  if (!first) return
  const fault = faultOf(first, uniques)
  if (fault) report({ place: { model, field: first.name }, ...fault })
  for (const { name } of others) {
    const what = `"@api.version" is on "${first.name}" already.`
    report({ place: { model, field: name }, what, mend: 'A model has one version: keep one of them.' })
  }
}

function faultOf(field: FieldSpec, uniques: readonly UniqueSpec[]): DiagnosticMessage | undefined {
  const { name, type, optional, list, exposure, updatedAt, hasDefault, inexact } = field
  if (exposure === 'hidden' || exposure === 'writeOnly') {
    const what = `"@api.${exposure}" and "@api.version" contradict each other: callers read the version in ETag.`
    return { what, mend: 'Keep one of them.' }
  }
  if (list || optional || !(type === 'Int' || (type === 'DateTime' && updatedAt))) {
    return { what: '"@api.version" cannot be on this field.', mend: `Put it on ${POSSIBLE}; neither may be empty.` }
  }
  if (type === 'Int' && !hasDefault) {
    return { what: '"@api.version" is on a field without a default.', mend: 'Write @default(1).' }
  }
  if (uniques.some(({ fields }) => fields.includes(name))) {
    return {
      what: '"@api.version" is on a field of an @id or a @unique.',
      mend: 'Give the version a field of its own.',
    }
  }
  if (inexact) {
    const what =
      '"@api.version" is on a column that holds more digits than Prisma reads, so that no two would be equal.'
    return { what, mend: 'Give it milliseconds, as @db.Timestamp(3) or @db.DateTime(3).' }
  }
  return undefined
}
