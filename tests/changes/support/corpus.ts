import type { DMMF } from '@prisma/generator-helper'

import { countOf, idOf, isForeign, keyOf, ROWS, valueOf } from './rows.js'
import type { Asked } from './serve.js'

type Model = DMMF.Model
type Values = Readonly<Record<string, unknown>>

/**
 * Requests for everything that a schema could mean, in both styles, one thing each. Made of Prisma's own description: what hides or refuses
 * something is not looked at, so that many of them are refused.
 */
export function corpusOf({ models, enums }: DMMF.Datamodel): readonly Asked[] {
  return models.flatMap((model) => [...restOf(model, models, enums), ...rpcOf(model, models, enums)])
}

type Enums = readonly DMMF.DatamodelEnum[]

function restOf(model: Model, models: readonly Model[], enums: Enums): Asked[] {
  const type = pathOf(model)
  const at = `/${type}`
  const scalars = scalarsOf(model)
  const relations = model.fields.filter(({ kind }) => kind === 'object')
  const first = `${at}/${idOf(model, 1)}`
  const get = (path: string): Asked => ({ style: 'rest', method: 'GET', path })
  const write = (method: string, path: string, data: unknown, meta?: unknown): Asked => ({
    style: 'rest',
    method,
    path,
    body: { data, ...(meta === undefined ? {} : { meta }) },
  })
  const resource = (attributes: Values, more: Values = {}) => ({ type, attributes, ...more })
  const base = baseOf(model, enums)
  const reads = [
    get(at),
    ...rows(model, enums).map((row) => get(`${at}/${idOf(model, row)}`)),
    ...scalars.flatMap((field) => [
      get(`${at}?sort=${field.name}`),
      get(`${at}?fields[${type}]=${field.name}`),
      get(`${at}?filter[${field.name}]=${text(valueOf(model, field, 1, enums))}`),
      ...asked(field, enums).map((value) => get(`${at}?filter[${field.name}]=${text(value)}`)),
      ...OPERATORS.map((operator) =>
        get(
          `${at}?filter[${field.name}$${operator}]=${operator === 'isNull' ? 'true' : text(valueOf(model, field, 1, enums))}`,
        ),
      ),
    ]),
    ...relations.flatMap((field) => [
      get(`${at}?include=${field.name}`),
      get(`${at}?filter[${field.name}]=${idOf(targetOf(field, models) ?? model, 1)}`),
      get(`${first}/${field.name}`),
      get(`${first}/relationships/${field.name}`),
      ...scalarsOf(targetOf(field, models) ?? model).map((other) =>
        get(
          `${at}?filter[${field.name}][${other.name}]=${text(valueOf(targetOf(field, models) ?? model, other, 1, enums))}`,
        ),
      ),
    ]),
  ]
  const creates = [
    write('POST', at, resource(base)),
    write('POST', at, resource(withKeysOf(model, enums))),
    write('POST', at, resource({ ...base, ...twinOf(model, enums) })),
    ...relations.flatMap((field) =>
      linkedCreate(model, field, models, base).map((data) => write('POST', at, { type, ...data })),
    ),
    ...Object.keys(base).map((name) => write('POST', at, resource(without(base, name)))),
    ...singles(model, enums).map((values) => write('POST', at, resource({ ...base, ...values }))),
    ...scalars
      .filter(({ isUnique, isId }) => isUnique || isId)
      .map(({ name }) => write('POST', at, resource(base), { operation: 'upsert', matchFields: [name] })),
  ]
  const second = idOf(model, 2)
  const updates = [
    ...singles(model, enums).map((values) =>
      write('PATCH', `${at}/${second}`, resource(values, { id: String(second) })),
    ),
    ...relations.flatMap((field) => {
      const target = targetOf(field, models)
      if (!target) return []
      const one = (row: number) => ({ type: pathOf(target), id: String(idOf(target, row)) })
      const place = `${first}/relationships/${field.name}`
      return field.isList
        ? [
            write('PATCH', place, [one(2)]),
            write('PATCH', place, []),
            write('POST', place, [one(3)]),
            write('DELETE', place, [one(1)]),
          ]
        : [write('PATCH', place, one(2)), write('PATCH', place, null)]
    }),
  ]
  const deletes = rows(model, enums).map((row): Asked => ({
    style: 'rest',
    method: 'DELETE',
    path: `${at}/${idOf(model, row)}`,
  }))
  return [...reads, ...creates, ...updates, ...deletes]
}

function rpcOf(model: Model, models: readonly Model[], enums: Enums): Asked[] {
  const at = `/${pathOf(model)}`
  const scalars = scalarsOf(model)
  const relations = model.fields.filter(({ kind }) => kind === 'object')
  const get = (operation: string, args: Values): Asked => ({
    style: 'rpc',
    method: 'GET',
    path: `${at}/${operation}?q=${encodeURIComponent(JSON.stringify(args))}`,
  })
  const send = (method: string, operation: string, args: Values): Asked => ({
    style: 'rpc',
    method,
    path: `${at}/${operation}`,
    body: args,
  })
  const remove = (operation: string, args: Values): Asked => ({ ...get(operation, args), method: 'DELETE' })
  const base = baseOf(model, enums)
  const where = whereOf(model, 1)
  const reads = [
    get('findMany', {}),
    get('findFirst', {}),
    get('findFirstOrThrow', {}),
    get('findUnique', { where }),
    get('findUniqueOrThrow', { where }),
    get('count', {}),
    get('exists', {}),
    ...scalars.flatMap((field) => [
      get('findMany', { select: { [field.name]: true } }),
      get('findMany', { orderBy: { [field.name]: 'asc' } }),
      get('findMany', { where: { [field.name]: null } }),
      get('groupBy', { by: [field.name], orderBy: { [field.name]: 'asc' } }),
      get('aggregate', { _max: { [field.name]: true } }),
      get('aggregate', { _sum: { [field.name]: true } }),
      get('findUnique', { where: { [field.name]: valueOf(model, field, 1, enums) } }),
      ...asked(field, enums).map((value) => get('findMany', { where: { [field.name]: value } })),
      get('findMany', { where: { [field.name]: { gte: valueOf(model, field, 1, enums) } } }),
      get('findMany', { where: { [field.name]: { contains: 'a' } } }),
    ]),
    ...model.uniqueFields.map((names) =>
      get('findUnique', {
        where: {
          [names.join('_')]: Object.fromEntries(
            scalars.filter(({ name }) => names.includes(name)).map((one) => [one.name, valueOf(model, one, 1, enums)]),
          ),
        },
      }),
    ),
    ...relations.flatMap((field) => [
      get('findMany', { include: { [field.name]: true } }),
      get('findMany', { where: { [field.name]: field.isList ? { some: {} } : { is: {} } } }),
      get('findMany', { where: { [field.name]: field.isList ? { none: {} } : null } }),
      get('findMany', { select: { _count: { select: { [field.name]: true } } } }),
      ...scalarsOf(targetOf(field, models) ?? model).map((other) =>
        get('findMany', { select: { [field.name]: { select: { [other.name]: true } } } }),
      ),
    ]),
  ]
  const writes = [
    send('POST', 'create', { data: base }),
    send('POST', 'create', { data: withKeysOf(model, enums) }),
    send('POST', 'create', { data: { ...base, ...twinOf(model, enums) } }),
    send('POST', 'createMany', { data: [base] }),
    send('POST', 'createManyAndReturn', { data: [base] }),
    send('POST', 'upsert', { where, create: base, update: {} }),
    send('PATCH', 'updateMany', { where: {}, data: {} }),
    send('PATCH', 'updateManyAndReturn', { where: {}, data: {} }),
    ...Object.keys(base).map((name) => send('POST', 'create', { data: without(base, name) })),
    ...singles(model, enums).flatMap((values) => [
      send('POST', 'create', { data: { ...base, ...values } }),
      send('PATCH', 'update', { where: whereOf(model, 2), data: values }),
    ]),
    ...relations.flatMap((field) => {
      const target = targetOf(field, models)
      if (!target) return []
      const link = (row: number) => whereOf(target, row)
      const update = (data: unknown) => send('PATCH', 'update', { where, data: { [field.name]: data } })
      return [
        update({ connect: field.isList ? [link(2)] : link(2) }),
        update({ disconnect: field.isList ? [link(1)] : true }),
        update({ create: baseOf(target, enums, field) }),
      ]
    }),
    ...rows(model, enums).map((row) => remove('delete', { where: whereOf(model, row) })),
    remove('deleteMany', { where: keyOf(model, 1) }),
  ]
  return [...reads, ...writes]
}

/** What finds a row. */
function whereOf(model: Model, row: number): Values {
  const key = keyOf(model, row)
  return model.primaryKey ? { [model.primaryKey.fields.join('_')]: key } : key
}

const OPERATORS = ['gte', 'lt', 'contains', 'startsWith', 'isNull']

function scalarsOf({ fields }: Model): DMMF.Field[] {
  return fields.filter(({ kind }) => kind === 'scalar' || kind === 'enum')
}

function targetOf({ type }: DMMF.Field, models: readonly Model[]): Model | undefined {
  return models.find(({ name }) => name === type)
}

function pathOf({ name }: Model): string {
  return name.toLowerCase()
}

function rows(model: Model, enums: Enums): number[] {
  return Array.from({ length: countOf(model, enums) }, (_, at) => at + 1)
}

function text(value: unknown): string {
  return encodeURIComponent(typeof value === 'string' ? value.replaceAll(',', '\\,') : String(value))
}

/** What a new row has to be given. */
function baseOf(model: Model, enums: Enums, from?: DMMF.Field): Values {
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
function withKeysOf(model: Model, enums: Enums): Values {
  const keys = scalarsOf(model).filter(({ name }) => isForeign(model, name))
  return {
    ...baseOf(model, enums),
    ...Object.fromEntries(keys.map((field) => [field.name, newValue(model, field, enums)])),
  }
}

/** What a row has already, but for what must differ. */
function twinOf(model: Model, enums: Enums): Values {
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
function linkedCreate(model: Model, field: DMMF.Field, models: readonly Model[], base: Values): Values[] {
  const target = targetOf(field, models)
  if (!target) return []
  const keys = field.relationFromFields ?? []
  const attributes = Object.fromEntries(Object.entries(base).filter(([name]) => !keys.includes(name)))
  const one = { type: pathOf(target), id: String(idOf(target, keys.length > 0 ? ROWS : 1)) }
  return [{ attributes, relationships: { [field.name]: { data: field.isList ? [one] : one } } }]
}

/** One field with one value each: values that rules may tell apart, none, and one that a row has already. */
function singles(model: Model, enums: Enums): Values[] {
  return scalarsOf(model).flatMap((field) => {
    if (isForeign(model, field.name))
      return [{ [field.name]: valueOf(model, field, ROWS, enums) }, { [field.name]: null }]
    const taken = json(valueOf(model, field, 1, enums), field)
    return [...values(field, enums), taken, null].map((value) => ({ [field.name]: value }))
  })
}

/** Values to ask for: of an enum all, of other types those that tell their types apart. */
function asked(field: DMMF.Field, enums: Enums): unknown[] {
  const all = values(field, enums)
  return field.kind === 'enum' ? all : all.slice(0, 2)
}

function values(field: DMMF.Field, enums: Enums): unknown[] {
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
      return ['', 'a', ' b ', 'abcdefghijklmnop', 'x@example.com', 'A'.repeat(45), 'A'.repeat(90)]
    default:
      return []
  }
}

function json(value: unknown, { type }: DMMF.Field): unknown {
  return type === 'Json' ? { row: 1 } : type === 'Decimal' || type === 'BigInt' ? String(value) : value
}

function without(values: Values, name: string): Values {
  return Object.fromEntries(Object.entries(values).filter(([each]) => each !== name))
}
