import type { DMMF } from '@prisma/generator-helper'

import { countOf, idOf, isForeign, keyOf, ROWS, valueOf } from '../rows.js'

/** A model of Prisma's datamodel. */
export type Model = DMMF.Model
/** Values by field name. */
export type Values = Readonly<Record<string, unknown>>
/** The enums of a schema. */
export type Enums = readonly DMMF.DatamodelEnum[]

/** Returns the `where` of a row. */
export function whereOf(model: Model, row: number): Values {
  const key = keyOf(model, row)
  return model.primaryKey ? { [model.primaryKey.fields.join('_')]: key } : key
}

/** Returns the scalar and enum fields of a model. */
export function scalarsOf({ fields }: Model): DMMF.Field[] {
  return fields.filter(({ kind }) => kind === 'scalar' || kind === 'enum')
}

/** Returns the model at the other end of a relation. */
export function targetOf({ type }: DMMF.Field, models: readonly Model[]): Model | undefined {
  return models.find(({ name }) => name === type)
}

/** Returns the path of a model, in both styles. */
export function pathOf({ name }: Model): string {
  return name.toLowerCase()
}

/** Returns the numbers of a model's rows. */
export function rows(model: Model, enums: Enums): number[] {
  return Array.from({ length: countOf(model, enums) }, (_, at) => at + 1)
}

/** Formats a value for a filter of the REST style. */
export function text(value: unknown): string {
  return encodeURIComponent(typeof value === 'string' ? value.replaceAll(',', '\\,') : String(value))
}

/** Returns the required values of a new row. */
export function baseOf(model: Model, enums: Enums, from?: DMMF.Field): Values {
  return Object.fromEntries(
    scalarsOf(model)
      .filter(({ isRequired, hasDefaultValue, isUpdatedAt, name }) => {
        const isBack = model.fields.some(
          ({ relationName, relationFromFields }) =>
            relationName === from?.relationName && relationFromFields?.includes(name),
        )
        return isRequired && !hasDefaultValue && !isUpdatedAt && !(from && isBack)
      })
      .map((field) => [field.name, newValue(model, field, enums)]),
  )
}

/** Returns the required values and the optional foreign keys of a new row. */
export function withKeysOf(model: Model, enums: Enums): Values {
  const keys = scalarsOf(model).filter(({ name }) => isForeign(model, name))
  return {
    ...baseOf(model, enums),
    ...Object.fromEntries(keys.map((field) => [field.name, newValue(model, field, enums)])),
  }
}

/** Returns the values of an existing row, without those that must be unique. */
export function twinOf(model: Model, enums: Enums): Values {
  const others = scalarsOf(model).filter(({ isId, isUnique, kind, name, type }) => {
    return !isId && !isUnique && kind === 'scalar' && (type === 'String' || type === 'Int') && !isForeign(model, name)
  })
  const isWritable = ({ documentation = '' }: DMMF.Field) => !/@api\.(hidden|readOnly)/.test(documentation)
  return Object.fromEntries(others.filter(isWritable).map((field) => [field.name, valueOf(model, field, 1, enums)]))
}

/** Returns a value that no row has, and that matches the rules of the tests. */
function newValue(model: Model, field: DMMF.Field, enums: Enums): unknown {
  if (isForeign(model, field.name)) return valueOf(model, field, ROWS, enums)
  if (field.kind === 'enum') return valueOf(model, field, 1, enums)
  if (field.type === 'Int') return 7
  if (field.type !== 'String') return json(valueOf(model, field, 8, enums), field)
  return /email/i.test(field.name) ? 'new@example.com' : 'newvalue'
}

/** Returns creates with a relationship instead of its foreign key. */
export function linkedCreate(model: Model, field: DMMF.Field, models: readonly Model[], base: Values): Values[] {
  const target = targetOf(field, models)
  if (!target) return []
  const keys = field.relationFromFields ?? []
  const attributes = Object.fromEntries(Object.entries(base).filter(([name]) => !keys.includes(name)))
  const one = { type: pathOf(target), id: String(idOf(target, keys.length > 0 ? ROWS : 1)) }
  return [{ attributes, relationships: { [field.name]: { data: field.isList ? [one] : one } } }]
}

/** Returns writes of one field each: values that rules may distinguish, null, and a value of an existing row. */
export function singles(model: Model, enums: Enums): Values[] {
  return scalarsOf(model).flatMap((field) => {
    if (isForeign(model, field.name))
      return [{ [field.name]: valueOf(model, field, ROWS, enums) }, { [field.name]: null }]
    const taken = json(valueOf(model, field, 1, enums), field)
    return [...values(field, enums), taken, null].map((value) => ({ [field.name]: value }))
  })
}

/** Returns values for filters: all values of an enum, or values that distinguish other types. */
export function queryValues(field: DMMF.Field, enums: Enums): unknown[] {
  const all = values(field, enums)
  return field.kind === 'enum' ? all : all.slice(0, 2)
}

/** Returns values to write, which types and rules may distinguish. */
export function values(field: DMMF.Field, enums: Enums): unknown[] {
  const ofEnum = enums.find(({ name }) => name === field.type)?.values.map(({ name }) => name)
  if (ofEnum) return ofEnum
  switch (field.type) {
    case 'Int':
      return [-5, 0, 1, 60, 99_999]
    case 'BigInt':
      return ['5', 7]
    case 'Float':
      return [0.25, 3]
    case 'Decimal':
      return ['1.25', 3]
    case 'Boolean':
      return [true]
    case 'DateTime':
      return ['2025-01-01T00:00:00.000Z']
    case 'Json':
      return [{ a: 1 }, 'text', 1]
    case 'String':
      return [
        '',
        'a',
        ' b ',
        'abcdefghijklmnop',
        'x@example.com',
        'A'.repeat(45),
        'A'.repeat(48).padEnd(54),
        'A'.repeat(90),
      ]
    default:
      return []
  }
}

function json(value: unknown, { type }: DMMF.Field): unknown {
  return type === 'Json' ? { row: 1 } : type === 'Decimal' || type === 'BigInt' ? String(value) : value
}

/** Returns the values without one field. */
export function without(values: Values, name: string): Values {
  return Object.fromEntries(Object.entries(values).filter(([each]) => each !== name))
}
