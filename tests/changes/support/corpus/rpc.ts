import { keyOf, valueOf } from '../rows.js'
import type { ApiRequest } from '../serve.js'
import {
  type Enums,
  type Model,
  type Values,
  queryValues,
  baseOf,
  pathOf,
  rows,
  scalarsOf,
  singles,
  targetOf,
  twinOf,
  whereOf,
  without,
  withKeysOf,
} from './values.js'

/** Returns the requests of the RPC style. */
export function rpcOf(model: Model, models: readonly Model[], enums: Enums): ApiRequest[] {
  const at = `/${pathOf(model)}`
  const scalars = scalarsOf(model)
  const relations = model.fields.filter(({ kind }) => kind === 'object')
  const get = (operation: string, args: Values): ApiRequest => ({
    style: 'rpc',
    method: 'GET',
    path: `${at}/${operation}?q=${encodeURIComponent(JSON.stringify(args))}`,
  })
  const send = (method: string, operation: string, args: Values): ApiRequest => ({
    style: 'rpc',
    method,
    path: `${at}/${operation}`,
    body: args,
  })
  const remove = (operation: string, args: Values): ApiRequest => ({ ...get(operation, args), method: 'DELETE' })
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
      ...queryValues(field, enums).map((value) => get('findMany', { where: { [field.name]: value } })),
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
