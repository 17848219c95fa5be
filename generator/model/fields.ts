import type { DiagnosticMessage, Diagnostic } from '../errors.js'
import type { ZodPackage } from '../project/zod.js'
import type { SchemaField, SchemaModel } from '../schema/schema.js'
import type { FieldSpec } from './api-model.js'
import type { Annotations } from './annotations/read-annotations.js'
import { buildChain } from './annotations/foreign-zod.js'
import { buildRule } from './annotations/build-rule.js'

/** Creates the spec of a scalar or enum field. */
export function createFieldSpec(
  model: SchemaModel,
  field: SchemaField,
  annotations: Annotations,
  enumValues: ReadonlyMap<string, readonly string[]>,
  report: (problem: Diagnostic) => void,
  loadZod?: () => ZodPackage,
): FieldSpec {
  const isEnum = field.kind === 'enum'
  const type = isEnum ? 'Enum' : field.type
  const values = isEnum ? (enumValues.get(field.type) ?? []) : []
  let rule: string | undefined
  const ruleField = { type, values, list: field.list }
  const reportProblem = (diagnostic: DiagnosticMessage) =>
    report({ location: { model: model.name, field: field.name }, ...diagnostic })
  const chain = buildChain(annotations.chains, ruleField, reportProblem)
  if (chain.length > 0) {
    const result = buildRule(chain, ruleField, loadZod)
    if ('source' in result) rule = result.source
    else reportProblem(result)
  }
  const isWritable = annotations.exposure === 'full' || annotations.exposure === 'writeOnly'
  return {
    name: field.name,
    documentation: annotations.text,
    type,
    values,
    optional: field.optional,
    list: field.list,
    uuid: field.nativeType === 'Uuid',
    db: columnType(field),
    inexact: isInexact(field),
    column: field.column,
    hasDefault: field.defaultFrom !== undefined || field.updatedAt,
    defaultValue: field.list ? undefined : wireDefault(type, field.defaultValue),
    updatedAt: field.updatedAt,
    generated: field.defaultFrom === 'database',
    // Versions are incremented by the runtime or set by the Prisma client.
    exposure: annotations.version && annotations.exposure === 'full' ? 'readOnly' : annotations.exposure,
    serverSet: annotations.serverSet,
    version: annotations.version,
    hasExplicitExposure: annotations.hasExplicitExposure,
    rule: isWritable ? rule : undefined,
  }
}

/** Returns the native type of a field's column, as its `@db` attribute spells it. */
export function columnType({ nativeType, nativeArguments = [] }: SchemaField): string | undefined {
  const parameters = nativeArguments.length > 0 ? `(${nativeArguments.join(', ')})` : ''
  return nativeType === undefined ? undefined : nativeType + parameters
}

/** The number of fractional digits of the seconds in a JavaScript date. */
export const MILLISECONDS = 3

/** Whether the column has a higher precision than the Prisma client can read. Time types without a precision store six fractional digits. */
export function isInexact({ type, nativeType = '', nativePrecision }: SchemaField): boolean {
  if (type === 'Float') return ['Real', 'Float4', 'Float'].includes(nativeType)
  if (type !== 'DateTime') return false
  if (nativePrecision !== undefined) return nativePrecision > MILLISECONDS
  return ['Timestamp', 'Timestamptz', 'DateTime2', 'DateTimeOffset'].includes(nativeType)
}

/** Returns a default if its literal has the same form in JSON. Literals of other types have a different form in the schema. */
function wireDefault(type: string, value: SchemaField['defaultValue']): FieldSpec['defaultValue'] {
  switch (type) {
    case 'String':
    case 'Enum':
      return typeof value === 'string' ? value : undefined
    case 'Int':
    case 'Float':
      return typeof value === 'number' ? value : undefined
    case 'Boolean':
      return typeof value === 'boolean' ? value : undefined
    default:
      return undefined
  }
}
