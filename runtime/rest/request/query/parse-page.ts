import type { RequestFeatures, Settings } from '../../settings.js'
import type { Page, Total } from '../../paging/paging.js'
import { limitError } from '../request-errors.js'
import { malformedParameter, parametersInFamily, type Parameter, type Query } from './parse-query.js'

/** Maximum offset of a page. */
export const MAX_OFFSET = 2 ** 31 - 1

const KEYS = ['offset', 'limit', 'number', 'size', 'total']

/** Describes the parameters of the family `page`, for error messages. */
export function describePageParameters({ cursors }: Pick<RequestFeatures, 'cursors'>): string {
  const kinds = cursors?.kinds ?? 'page[offset] and page[limit], or page[number] and page[size]'
  return `Use ${kinds}; page[total] sets whether the response contains the total.`
}

/**
 * Parses the page parameters: `page[offset]` and `page[limit]`, or `page[number]` (from 1) and `page[size]`. In addition, parses
 * `page[total]`. The feature `cursors` adds the parameters of the cursor pagination profile.
 * @param accept the `Accept` header, which may request the profile
 * @throws RequestError 400 if the parameters are invalid or exceed a limit; values are never reduced silently
 */
export function parsePage(query: Query, settings: Settings, accept?: string): Page {
  const parameters = new Map<string, Parameter>()
  const { features } = settings
  for (const parameter of parametersInFamily(query, 'page')) {
    const [key = ''] = parameter.path
    if (!KEYS.includes(key) && !features.cursors?.keys.includes(key))
      throw malformedParameter(parameter, describePageParameters(features))
    if (parameters.has(key)) throw malformedParameter(parameter, 'Must not be repeated.')
    parameters.set(key, parameter)
  }
  const total = parseTotal(parameters.get('total'))
  const cursorPage = features.cursors?.parse(parameters, total, settings, accept)
  if (cursorPage) return cursorPage
  const number = (key: string) => parsePageNumber(parameters.get(key), key, settings)
  const [offset, limit, page, size] = [number('offset'), number('limit'), number('number'), number('size')]
  if ((page ?? size) !== undefined && (offset ?? limit) !== undefined) {
    throw malformedParameter({ name: 'page' }, describePageParameters(features))
  }
  const length = limit ?? size ?? settings.pageSize
  const start = offset ?? ((page ?? 1) - 1) * (length === Infinity ? 0 : length)
  assertOffset(start, page === undefined ? 'page[offset]' : 'page[number]', settings)
  return { offset: start, limit: length, total: total ?? settings.total }
}

function assertOffset(start: number, parameter: string, { limits: { offset }, features }: Settings): void {
  if (start <= Math.min(offset, MAX_OFFSET)) return
  const detail = `A page must not start beyond offset ${offset}.${features.cursors?.hint ?? ''}`
  throw limitError('offset', detail, parameter)
}

/**
 * Parses the page of a custom route, which supports only offsets and counts the rows itself.
 * @throws RequestError 400 if the parameters are invalid
 */
export function parseOffsetPage(query: Query, settings: Settings): Page {
  // Must run before the values are parsed, because an error about the value of `page[total]` would suggest values that this route also
  // rejects.
  const unknown = parametersInFamily(query, 'page').find(({ path: [key = ''] }) =>
    ['after', 'before', 'total'].includes(key),
  )
  if (unknown) throw malformedParameter(unknown, 'Use page[offset] and page[limit] here.')
  return parsePage(query, { ...settings, pagination: 'offset', total: 'exact' })
}

/**
 * Parses a number in a page parameter.
 * @param key the name in brackets
 * @throws RequestError 400 if it is not an integer in the allowed range
 */
export function parsePageNumber(
  parameter: Parameter | undefined,
  key: string,
  { maxPageSize }: Settings,
): number | undefined {
  if (!parameter) return undefined
  const min = key === 'offset' ? 0 : 1
  const max = key === 'limit' || key === 'size' ? maxPageSize : MAX_OFFSET
  const number = /^\d{1,10}$/.test(parameter.value) ? Number(parameter.value) : NaN
  if (number >= min && number <= max) return number
  throw malformedParameter(parameter, `Must be an integer from ${min} to ${Math.min(max, MAX_OFFSET)}.`)
}

function parseTotal(parameter: Parameter | undefined): Total | undefined {
  if (!parameter) return undefined
  const { value } = parameter
  if (value === 'exact' || value === 'none') return value
  throw malformedParameter(parameter, 'Must be "exact" or "none".')
}
