import type { DMMF } from '@prisma/generator-helper'

import { countOf, idOf, isForeign, keyOf, ROWS, valueOf } from '../rows.js'

/** A model as Prisma describes it. */
export type Model = DMMF.Model
/** Values by the names of their fields. */
export type Values = Readonly<Record<string, unknown>>
/** The enums of a schema. */
export type Enums = readonly DMMF.DatamodelEnum[]

/** What finds a row. */
export function whereOf(model: Model, row: number): Values {
  const key = keyOf(model, row)
  return model.primaryKey ? { [model.primaryKey.fields.join('_')]: key } : key
}

/** The fields of a model that hold values. */
export function scalarsOf({ fields }: Model): DMMF.Field[] {
  return fields.filter(({ kind }) => kind === 'scalar' || kind === 'enum')
}

/** The model at the other end of a relation. */
export function targetOf({ type }: DMMF.Field, models: readonly Model[]): Model | undefined {
  return models.find(({ name }) => name === type)
}

/** The path of a model, in both styles. */
export function pathOf({ name }: Model): string {
  return name.toLowerCase()
}

/** The numbers of the rows of a model. */
export function rows(model: Model, enums: Enums): number[] {
  return Array.from({ length: countOf(model, enums) }, (_, at) => at + 1)
}

/** A value as a filter of the REST style takes it. */
export function text(value: unknown): string {
  return encodeURIComponent(typeof value === 'string' ? value.replaceAll(',', '\\,') : String(value))
}

/** What a new row has to be given. */
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

/** The same, with foreign keys that may be left out. */
export function withKeysOf(model: Model, enums: Enums): Values {
  const keys = scalarsOf(model).filter(({ name }) => isForeign(model, name))
  return {
    ...baseOf(model, enums),
    ...Object.fromEntries(keys.map((field) => [field.name, newValue(model, field, enums)])),
  }
}

/** What a row has already, but for what must differ. */
export function twinOf(model: Model, enums: Enums): Values {
  const others = scalarsOf(model).filter(({ isId, isUnique, kind, name, type }) => {
    return !isId && !isUnique && kind === 'scalar' && (type === 'String' || type === 'Int') && !isForeign(model, name)
  })
  const isWritable = ({ documentation = '' }: DMMF.Field) => !/@api\.(hidden|readOnly)/.test(documentation)
  return Object.fromEntries(others.filter(isWritable).map((field) => [field.name, valueOf(model, field, 1, enums)]))
}

/** A value that no row has, which fulfils the rules that the tests write. */
function newValue(model: Model, field: DMMF.Field, enums: Enums): unknown {
  if (isForeign(model, field.name)) return valueOf(model, field, ROWS, enums)
  if (field.kind === 'enum') return valueOf(model, field, 1, enums)
  if (field.type === 'Int') return 7
  if (field.type !== 'String') return json(valueOf(model, field, 8, enums), field)
  return /email/i.test(field.name) ? 'new@example.com' : 'newvalue'
}

/** A relationship in place of its foreign key. */
export function linkedCreate(model: Model, field: DMMF.Field, models: readonly Model[], base: Values): Values[] {
  const target = targetOf(field, models)
  if (!target) return []
  const keys = field.relationFromFields ?? []
  const attributes = Object.fromEntries(Object.entries(base).filter(([name]) => !keys.includes(name)))
  const one = { type: pathOf(target), id: String(idOf(target, keys.length > 0 ? ROWS : 1)) }
  return [{ attributes, relationships: { [field.name]: { data: field.isList ? [one] : one } } }]
}

/** One field with one value each: values that rules may tell apart, none, and one that a row has already. */
export function singles(model: Model, enums: Enums): Values[] {
  return scalarsOf(model).flatMap((field) => {
    if (isForeign(model, field.name))
      return [{ [field.name]: valueOf(model, field, ROWS, enums) }, { [field.name]: null }]
    const taken = json(valueOf(model, field, 1, enums), field)
    return [...values(field, enums), taken, null].map((value) => ({ [field.name]: value }))
  })
}

/** Values to ask for: of an enum all, of other types those that tell their types apart. */
export function queryValues(field: DMMF.Field, enums: Enums): unknown[] {
  const all = values(field, enums)
  return field.kind === 'enum' ? all : all.slice(0, 2)
}

/** Values to write, which types and rules may tell apart. */
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

/** Values without one of them. */
export function without(values: Values, name: string): Values {
  return Object.fromEntries(Object.entries(values).filter(([each]) => each !== name))
}
