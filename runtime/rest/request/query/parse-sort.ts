import { RequestError } from '../../../errors/request-error.js'
import type { Limits } from '../../../limits.js'
import { isObject } from '../../../values/is-object.js'
import { assertReadable } from '../../relationship-capabilities.js'
import type { RestModel } from '../../rest-model.js'
import { limitError } from '../request-errors.js'
import type { Where } from '../filter/combine-conditions.js'
import { splitEntries, malformedParameter, parametersInFamily, type Query } from './parse-query.js'

/** One entry of Prisma's `orderBy`. */
export type OrderBy = Readonly<Record<string, unknown>>

/**
 * Parses `sort` (contract 4.2), including fields of to-one relations: `sort=-author.name`. A to-one relation itself is sorted by its id.
 * The row's own id is added as the last sort key, so that pages never overlap.
 * @throws RequestError 400; 403 if a relationship is unreadable
 */
export function parseSort(query: Query, model: RestModel, limits: Limits): readonly OrderBy[] {
  const parameters = parametersInFamily(query, 'sort')
  const [parameter] = parameters
  if (!parameter) return idOrder(model)
  const order: OrderBy[] = []
  const names = new Set<string>()
  let relations = 0
  for (const text of splitEntries(parameters)) {
    const descending = text.startsWith('-')
    const name = descending ? text.slice(1) : text
    const path = name.split('.')
    if (path.includes(''))
      throw malformedParameter(parameter, 'Must be a comma-separated list of fields, optionally with "-".')
    if (path.length > limits.depth) {
      throw limitError('depth', `A sort field can have at most ${limits.depth} names.`, 'sort')
    }
    if (names.has(name)) throw malformedParameter(parameter, `"${name}" occurs more than once.`)
    names.add(name)
    relations += path.length - 1
    if (relations > limits.filterRelations) {
      throw limitError(
        'filterRelations',
        `Sort fields can traverse relationships at most ${limits.filterRelations} times.`,
        'sort',
      )
    }
    const entries = toOrderBy(model, path, descending ? 'desc' : 'asc')
    order.push(...entries.filter((entry) => !order.some((before) => isSameField(before, entry))))
  }
  for (const { name } of model.id.fields) {
    if (!order.some((entry) => isDirection(entry[name]))) order.push({ [name]: 'asc' })
  }
  return order
}

/** Returns the ascending sort order by id. */
export function idOrder(model: RestModel): readonly OrderBy[] {
  return model.id.fields.map(({ name }) => ({ [name]: 'asc' }))
}

function toOrderBy(root: RestModel, path: readonly string[], direction: 'asc' | 'desc'): OrderBy[] {
  const relations = path.slice(0, -1)
  let lastName = path.at(-1) ?? ''
  let model = root
  for (const name of relations) {
    const relationship = model.relationships.get(name)
    if (!relationship) throw unsortable(`"${model.type}" has no relationship "${name}".`)
    if (relationship.relation.many)
      throw unsortable(`Resources cannot be sorted through the to-many relationship "${name}".`)
    assertReadable(relationship, 'sort')
    model = relationship.target
  }
  const relationship = model.relationships.get(lastName)
  if (relationship && !relationship.relation.many && !relationship.linkage) {
    assertReadable(relationship, 'sort')
    relations.push(lastName)
    model = relationship.target
    lastName = 'id'
  }
  return sortFields(model, lastName).map((field) => {
    const leaf: OrderBy = { [field]: direction }
    return relations.reduceRight<OrderBy>((nested, name) => ({ [name]: nested }), leaf)
  })
}

function sortFields(model: RestModel, name: string): readonly string[] {
  if (name === 'id') return model.locking.id
  const relationship = model.relationships.get(name)
  // The foreign key contains the id.
  if (relationship?.linkage) return relationship.linkage
  if (relationship) throw unsortable(`Resources cannot be sorted by the to-many relationship "${name}".`)
  const attribute = model.attributes.get(name)
  if (model.computed.has(name)) throw unsortable(`Resources cannot be sorted by "${name}", because it is computed.`)
  if (!attribute) throw unsortable(`"${model.type}" has no field "${name}".`)
  if (attribute.field.list || attribute.field.type === 'Json')
    throw unsortable(`Resources cannot be sorted by "${name}".`)
  return [attribute.name]
}

/** Whether two entries sort by the same field, so that the second has no effect. */
function isSameField(left: unknown, right: unknown): boolean {
  if (!isObject(left) || !isObject(right)) return true
  const [name = ''] = Object.keys(left)
  return name in right && isSameField(left[name], right[name])
}

function isDirection(value: unknown): boolean {
  return value === 'asc' || value === 'desc'
}

function unsortable(detail: string): RequestError {
  return new RequestError({ code: 'unknown-field', detail, source: { parameter: 'sort' } })
}

/** The filter and sort order of a collection in Prisma's format. */
export interface FilterAndSort {
  /** Undefined for all rows. */
  readonly where?: Where
  readonly orderBy: readonly OrderBy[]
}
