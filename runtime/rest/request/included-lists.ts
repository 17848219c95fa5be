import { RequestError } from '../../errors/request-error.js'
import type { RestContext } from '../context.js'
import type { Relationship } from '../model.js'
import { assertCost } from './cost.js'
import { parseFilter } from './filter.js'
import { splitEntries, malformed, parametersInFamily, type Parameter, type Query } from './query.js'
import { type OrderBy, parseSort } from './sort.js'

/** What is asked of an included list: `includeFilter`, `includeSort` and `includePage` with its path. */
export interface IncludedList {
  /** Which members; all where it is absent. */
  readonly where?: Readonly<Record<string, unknown>>
  /** Their order; by id where it is absent. */
  readonly orderBy?: readonly OrderBy[]
  /** How many of them; all where it is absent. */
  readonly limit?: number
  /** The points of the filter and the order. */
  readonly cost: number
  /** The same as parameters of the related collection, but for the limit. */
  readonly parameters: readonly Named[]
}

/** The parameters about included lists, by the path of the list. */
export function listParameters(query: Query): ReadonlyMap<string, readonly Parameter[]> {
  const byPath = new Map<string, Parameter[]>()
  for (const parameter of query.parameters) {
    if (!isOfList(parameter)) continue
    const [path = ''] = parameter.path
    const others = byPath.get(path)
    if (others) others.push(parameter)
    else byPath.set(path, [parameter])
  }
  return byPath
}

/** What a request says of an included list. */
export interface IncludedListQuery {
  /** The parameters with the path of the list. */
  readonly parameters: readonly Parameter[]
  /** What its members are shown with, as parameters of the related collection. */
  readonly below: readonly Named[]
  /** The points of the lists before it. */
  readonly spent: number
}

type Named = Pick<Parameter, 'name' | 'value'>

/**
 * What the members of an included list are shown with, in the words of its collection: what is included below them, and the fieldsets.
 * @param path of the list
 */
export function nestedParameters(query: Query, path: string): readonly Named[] {
  const prefix = `${path}.`
  const include = splitEntries(parametersInFamily(query, 'include'))
    .filter((entry) => entry.startsWith(prefix))
    .map((entry) => entry.slice(prefix.length))
  const others = query.parameters.flatMap(({ family, path: [first = '', ...rest], name, value }): Named[] => {
    if (family === 'fields') return [{ name, value }]
    if (!isOfList({ family }) || !first.startsWith(prefix)) return []
    const brackets = [first.slice(prefix.length), ...rest].map((part) => `[${part}]`)
    return [{ name: family + brackets.join(''), value }]
  })
  return include.length > 0 ? [{ name: 'include', value: include.join(',') }, ...others] : others
}

/**
 * Reads what is asked of an included list, in the words of its collection.
 * @throws RequestError 400 for what its collection would refuse, and for a relationship that leads to one
 */
export function parseIncludedList(
  { parameters, below, spent }: IncludedListQuery,
  { relation, name, target }: Relationship,
  { settings, dialect }: Pick<RestContext, 'settings' | 'dialect'>,
): IncludedList {
  const [first] = parameters
  if (first && !relation.many) throw malformed(first, `"${name}" leads to one resource, which is no list.`)
  const { limits } = settings
  const of = (family: 'filter' | 'sort', from: Parameter['family']): Query => ({
    parameters: parameters.flatMap((one) => {
      return one.family === from ? [{ ...one, family, path: one.path.slice(1) }] : []
    }),
  })
  const filters = of('filter', 'includeFilter')
  const sorts = of('sort', 'includeSort')
  const filter = filters.parameters.find(({ path }) => path.length === 0) ?? filters.parameters[0]
  const where = filter && about(filter, () => parseFilter(filters, target, limits)?.(dialect), 'filter')
  const [sort] = sorts.parameters
  const orderBy = sort && about(sort, () => parseSort(sorts, target, limits))
  const input = { filter: where, sorted: orderBy, others: spent }
  const cost = first ? about(first, () => assertCost(filters, target, input, limits)) : 0
  const limit = readLimit(parameters, settings.maxPageSize)
  return {
    ...(where && { where }),
    ...(orderBy && { orderBy }),
    ...(limit !== undefined && { limit }),
    cost,
    parameters: [
      ...parameters.flatMap(({ family, path, value }): Named[] => {
        if (family === 'includePage') return []
        const brackets = path.slice(1).map((part) => `[${part}]`)
        return [{ name: `${family === 'includeSort' ? 'sort' : 'filter'}${brackets.join('')}`, value }]
      }),
      ...below,
    ],
  }
}

/** The error of a parameter about a list that is not included. */
export function listNotIncludedError(parameter: Parameter): RequestError {
  const [path = ''] = parameter.path
  return malformed(parameter, `"${path}" is not included.`)
}

function isOfList({ family }: Pick<Parameter, 'family'>): boolean {
  return family === 'includeFilter' || family === 'includeSort' || family === 'includePage'
}

function readLimit(parameters: readonly Parameter[], maxPageSize: number): number | undefined {
  const [page, second] = parameters.filter(({ family }) => family === 'includePage')
  if (!page) return undefined
  if (second) throw malformed(second, 'An included list has one limit.')
  if (page.path[1] !== 'limit') {
    throw malformed(page, 'An included list only has a limit. Its links have further pages.')
  }
  const limit = /^\d{1,10}$/.test(page.value) ? Number(page.value) : 0
  if (limit >= 1 && limit <= maxPageSize) return limit
  throw malformed(page, `It must be an integer from 1 to ${maxPageSize}.`)
}

/**
 * Says of what fails that a parameter is at fault which is called otherwise where it is read.
 * @param only how it is called there, where other parameters may be at fault as well
 */
function about<T>({ name }: Parameter, read: () => T, only?: string): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const [fault, ...others] = error.faults
    if (only !== undefined && fault.source?.parameter !== only) throw error
    throw new RequestError([{ ...fault, source: { parameter: name } }, ...others], error.headers)
  }
}
