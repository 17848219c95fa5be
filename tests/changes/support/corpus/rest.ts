import { idOf, valueOf } from '../rows.js'
import type { ApiRequest } from '../serve.js'
import {
  type Enums,
  type Model,
  type Values,
  queryValues,
  baseOf,
  linkedCreate,
  pathOf,
  rows,
  scalarsOf,
  singles,
  targetOf,
  text,
  twinOf,
  without,
  withKeysOf,
} from './values.js'

/** Returns the requests of the REST style. */
export function restOf(model: Model, models: readonly Model[], enums: Enums): ApiRequest[] {
  const type = pathOf(model)
  const at = `/${type}`
  const scalars = scalarsOf(model)
  const relations = model.fields.filter(({ kind }) => kind === 'object')
  const first = `${at}/${idOf(model, 1)}`
  const get = (path: string): ApiRequest => ({ style: 'rest', method: 'GET', path })
  const write = (method: string, path: string, data: unknown, meta?: unknown): ApiRequest => ({
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
      ...queryValues(field, enums).map((value) => get(`${at}?filter[${field.name}]=${text(value)}`)),
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
    // All numbers of the second row are 20, so any of them could be its version.
    { ...write('PATCH', `${at}/${second}`, resource({}, { id: String(second) })), ifMatch: '"20"' },
    ...singles(model, enums).map((values) =>
      write('PATCH', `${at}/${second}`, resource(values, { id: String(second) })),
    ),
    ...relations.flatMap((field) => {
      const target = targetOf(field, models)
      if (!target) return []
      const one = (row: number) => ({ type: pathOf(target), id: String(idOf(target, row)) })
      const relationshipPath = `${first}/relationships/${field.name}`
      return field.isList
        ? [
            write('PATCH', relationshipPath, [one(2)]),
            write('PATCH', relationshipPath, []),
            write('POST', relationshipPath, [one(3)]),
            write('DELETE', relationshipPath, [one(1)]),
          ]
        : [write('PATCH', relationshipPath, one(2)), write('PATCH', relationshipPath, null)]
    }),
  ]
  const deletes = rows(model, enums).flatMap((row): ApiRequest[] => {
    const remove: ApiRequest = { style: 'rest', method: 'DELETE', path: `${at}/${idOf(model, row)}` }
    const related = relations.flatMap((relation) => targetOf(relation, models) ?? [])
    return [remove, ...related.map((target) => ({ ...remove, afterwards: `/${pathOf(target)}/${idOf(target, row)}` }))]
  })
  return [...reads, ...creates, ...updates, ...deletes]
}

const OPERATORS = ['gte', 'lt', 'contains', 'startsWith', 'isNull']
