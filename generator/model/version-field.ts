import type { DiagnosticMessage, Diagnostic } from '../errors.js'
import type { ApiModel, FieldSpec, ModelSpec, RelationSpec, UniqueSpec } from './api-model.js'

const VERSION_FIELD_HINT =
  'an Int with a default, which the runtime increments, or a DateTime with @updatedAt, which Prisma sets'

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
    const message = `"@api.version" is already on "${first.name}".`
    report({
      location: { model, field: name },
      message,
      hint: 'A model can have only one version field. Remove one of them.',
    })
  }
}

function diagnoseVersionField(field: FieldSpec, uniques: readonly UniqueSpec[]): DiagnosticMessage | undefined {
  const { name, type, optional, list, exposure, updatedAt, hasDefault, inexact } = field
  if (exposure === 'hidden' || exposure === 'writeOnly') {
    const message = `"@api.${exposure}" and "@api.version" cannot be combined, because callers read the version from the ETag.`
    return { message, hint: 'Remove one of them.' }
  }
  if (list || optional || !(type === 'Int' || (type === 'DateTime' && updatedAt))) {
    return {
      message: '"@api.version" is not allowed on this field.',
      hint: `Write it on ${VERSION_FIELD_HINT}. The field must be required.`,
    }
  }
  if (type === 'Int' && !hasDefault) {
    return { message: '"@api.version" requires a field with a default.', hint: 'Add @default(1).' }
  }
  if (uniques.some(({ fields }) => fields.includes(name))) {
    return {
      message: '"@api.version" is not allowed on a field of an @id or @unique.',
      hint: 'Use a separate field for the version.',
    }
  }
  if (inexact) {
    const message =
      '"@api.version" is on a column with a higher precision than Prisma can read, so versions would never match.'
    return { message, hint: 'Use millisecond precision, for example @db.Timestamp(3) or @db.DateTime(3).' }
  }
  return undefined
}

/** Whether a model has a version field (`@api.version`). */
export function hasVersions({ models }: Pick<ApiModel, 'models'>): boolean {
  return models.some(({ fields }) => fields.some(({ version }) => version !== undefined))
}

/**
 * Whether the target has the foreign key and a required version. The relation is then read-only on this side, because a change here would
 * not specify the versions of the related rows.
 */
export function requiresVersions({ inverse }: RelationSpec, target: ModelSpec | undefined): boolean {
  const inverseRelation = target?.relations.find(({ name }) => name === inverse)
  return (
    (inverseRelation?.foreignKey.length ?? 0) > 0 &&
    (target?.fields.some(({ version }) => version === 'required') ?? false)
  )
}
