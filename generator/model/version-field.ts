import type { DiagnosticMessage, Diagnostic } from '../errors.js'
import type { FieldSpec, UniqueSpec } from './api-model.js'

const POSSIBLE = 'an Int with a default, which we count, or a DateTime with @updatedAt, which Prisma sets'

/**
 * Checks the version field of a model (`@api.version`).
 * @param report called for each unsuitable field and for each additional version field
 */
export function checkVersion(
  model: string,
  fields: readonly FieldSpec[],
  uniques: readonly UniqueSpec[],
  report: (problem: Diagnostic) => void,
): void {
  const [first, ...others] = fields.filter(({ version }) => version !== undefined)
  if (!first) return
  const diagnostic = diagnoseVersionField(first, uniques)
  if (diagnostic) report({ location: { model, field: first.name }, ...diagnostic })
  for (const { name } of others) {
    const what = `"@api.version" is on "${first.name}" already.`
    report({ location: { model, field: name }, what, hint: 'A model has one version: keep one of them.' })
  }
}

function diagnoseVersionField(field: FieldSpec, uniques: readonly UniqueSpec[]): DiagnosticMessage | undefined {
  const { name, type, optional, list, exposure, updatedAt, hasDefault, inexact } = field
  if (exposure === 'hidden' || exposure === 'writeOnly') {
    const what = `"@api.${exposure}" and "@api.version" contradict each other: callers read the version in ETag.`
    return { what, hint: 'Keep one of them.' }
  }
  if (list || optional || !(type === 'Int' || (type === 'DateTime' && updatedAt))) {
    return { what: '"@api.version" cannot be on this field.', hint: `Put it on ${POSSIBLE}; neither may be empty.` }
  }
  if (type === 'Int' && !hasDefault) {
    return { what: '"@api.version" is on a field without a default.', hint: 'Write @default(1).' }
  }
  if (uniques.some(({ fields }) => fields.includes(name))) {
    return {
      what: '"@api.version" is on a field of an @id or a @unique.',
      hint: 'Give the version a field of its own.',
    }
  }
  if (inexact) {
    const what =
      '"@api.version" is on a column that holds more digits than Prisma reads, so that no two would be equal.'
    return { what, hint: 'Give it milliseconds, as @db.Timestamp(3) or @db.DateTime(3).' }
  }
  return undefined
}
