import type { DMMF } from '@prisma/generator-helper'

import type { Problem } from '../errors.js'
import type { FieldSpec } from './api-model.js'
import type { Annotations } from './comments.js'
import { buildRule } from './rule.js'

/** A scalar field of the schema, as it is on the wire. */
export function fieldSpec(
  model: DMMF.Model,
  field: DMMF.Field,
  annotations: Annotations,
  enumValues: ReadonlyMap<string, readonly string[]>,
  report: (problem: Problem) => void,
): FieldSpec {
  const isEnum = field.kind === 'enum'
  const type = isEnum ? 'Enum' : field.type
  const values = isEnum ? (enumValues.get(field.type) ?? []) : []
  let rule: string | undefined
  if (annotations.chain) {
    const result = buildRule(annotations.chain, { type, values, list: field.isList })
    if ('source' in result) rule = result.source
    else report({ place: { model: model.name, field: field.name }, ...result })
  }
  const written = annotations.exposure === 'full' || annotations.exposure === 'writeOnly'
  return {
    name: field.name,
    documentation: annotations.text,
    type,
    values,
    optional: !field.isRequired,
    list: field.isList,
    uuid: field.nativeType?.[0] === 'Uuid',
    column: field.dbName ?? undefined,
    hasDefault: field.hasDefaultValue || field.isUpdatedAt === true,
    updatedAt: field.isUpdatedAt === true,
    generated: isMadeByDatabase(field),
    exposure: annotations.exposure,
    rule: written ? rule : undefined,
  }
}

function isMadeByDatabase(field: DMMF.Field): boolean {
  const made = field.default
  return (
    typeof made === 'object' &&
    made !== null &&
    'name' in made &&
    (made.name === 'autoincrement' || made.name === 'dbgenerated' || made.name === 'sequence')
  )
}
