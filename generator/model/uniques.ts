import type { DMMF } from '@prisma/generator-helper'

import type { FieldSpec, UniqueSpec } from './api-model.js'

/** Unique criteria that a caller can use, best identifier first: the id, required uniques, then those that may be null. */
export function uniquesOf(model: DMMF.Model, fields: readonly FieldSpec[]): UniqueSpec[] {
  const readable = new Map(
    fields
      .filter((field) => field.exposure === 'full' || field.exposure === 'readOnly')
      .map((field) => [field.name, field]),
  )
  const compound = (index: { readonly name: string | null; readonly fields: readonly string[] }) => ({
    name: index.name ?? index.fields.join('_'),
    fields: index.fields,
  })
  const single = (name: string) => ({ name, fields: [name] })
  const ids = [
    ...model.fields.filter((field) => field.isId).map((field) => single(field.name)),
    ...(model.primaryKey ? [compound(model.primaryKey)] : []),
  ]
  const others = [
    ...model.fields.filter((field) => field.isUnique && !field.isId).map((field) => single(field.name)),
    ...model.uniqueIndexes.map(compound),
  ]
  const nullable = (unique: UniqueSpec) => unique.fields.some((field) => readable.get(field)?.optional)
  const seen = new Set<string>()
  return [...ids, ...others.filter((unique) => !nullable(unique)), ...others.filter(nullable)].filter((unique) => {
    if (seen.has(unique.name) || !unique.fields.every((field) => readable.has(field))) return false
    seen.add(unique.name)
    return true
  })
}
