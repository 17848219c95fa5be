import { RequestError } from '../../errors/request-error.js'
import type { Limits } from '../../limits.js'
import { limitError } from './limit-error.js'
import { acceptsProfile } from './content-negotiation.js'
import { malformedParameter, PAGE_PARAMETERS, parametersInFamily, type Parameter, type Query } from './parse-query.js'
import type { Settings, Total } from '../settings.js'

/** The URI of the cursor pagination profile. Responses that follow the profile name it in their media type. */
export const CURSOR_PROFILE = 'https://jsonapi.org/profiles/ethanresnick/cursor-pagination'

/** The accepted spellings of the URI. The profile's text uses `http` and a trailing slash. The list of profiles uses neither. */
const SPELLINGS = ['https', 'http'].flatMap((scheme) => {
  const url = CURSOR_PROFILE.replace('https', scheme)
  return [url, `${url}/`]
})

/** The requested page of a collection. */
export interface Page {
  readonly offset: number
  /** Maximum number of rows. Infinity for all. */
  readonly limit: number
  /** Whether the response contains the total. */
  readonly total: Total
  /** The cursors of the page. Undefined with offset pagination. */
  readonly cursors?: Cursors
}

/** The cursors in the request, between which the page lies. An empty cursor is the start (`after`) or end (`before`) of the list. */
export interface Cursors {
  readonly after?: string
  readonly before?: string
}

/** Maximum offset of a page. */
export const MAX_OFFSET = 2 ** 31 - 1

const KEYS = ['offset', 'limit', 'number', 'size', 'after', 'before', 'total']

/**
 * Parses the page parameters: `page[offset]` and `page[limit]`; `page[number]` (from 1) and `page[size]`; or `page[after]`, `page[before]`
 * and `page[size]` of the cursor pagination profile. In addition, parses `page[total]`.
 * @param accept the `Accept` header, which may request the profile
 * @throws RequestError 400 if the parameters are invalid or exceed a limit; values are never reduced silently
 */
export function parsePage(query: Query, settings: Settings, accept?: string): Page {
  const parameters = new Map<string, Parameter>()
  for (const parameter of parametersInFamily(query, 'page')) {
    const [key = ''] = parameter.path
    if (!KEYS.includes(key)) throw malformedParameter(parameter, PAGE_PARAMETERS)
    if (parameters.has(key)) throw malformedParameter(parameter, 'Must not be repeated.')
    parameters.set(key, parameter)
  }
  const total = parseTotal(parameters.get('total'))
  const usesCursor =
    parameters.has('after') || parameters.has('before') || (settings.pagination === 'cursor' && !hasOffset(parameters))
  if (usesCursor || (acceptsProfile(accept, SPELLINGS) && !hasOffset(parameters))) {
    return parseCursorPage(parameters, total ?? 'none', settings)
  }
  const number = (key: string) => parseNumber(parameters.get(key), key, settings)
  const [offset, limit, page, size] = [number('offset'), number('limit'), number('number'), number('size')]
  if ((page ?? size) !== undefined && (offset ?? limit) !== undefined) {
    throw malformedParameter({ name: 'page' }, PAGE_PARAMETERS)
  }
  const length = limit ?? size ?? settings.pageSize
  const start = offset ?? ((page ?? 1) - 1) * (length === Infinity ? 0 : length)
  assertOffset(start, page === undefined ? 'page[offset]' : 'page[number]', settings.limits)
  return { offset: start, limit: length, total: total ?? settings.total }
}

function assertOffset(start: number, parameter: string, { offset }: Limits): void {
  if (start > Math.min(offset, MAX_OFFSET)) {
    const detail = `A page must not start beyond offset ${offset}, but this page starts at ${start}. Use cursors to read further: page[after] and page[size].`
    throw limitError('offset', detail, parameter)
  }
}

/**
 * Parses the page of a custom route, which supports only offsets and counts the rows itself.
 * @throws RequestError 400 if the parameters are invalid
 */
export function parseOffsetPage(query: Query, settings: Settings): Page {
  const page = parsePage(query, { ...settings, pagination: 'offset', total: 'exact' })
  const unknown = parametersInFamily(query, 'page').find(({ path: [key = ''] }) =>
    ['after', 'before', 'total'].includes(key),
  )
  if (unknown) throw malformedParameter(unknown, 'Use page[offset] and page[limit] here.')
  return page
}

function hasOffset(parameters: ReadonlyMap<string, Parameter>): boolean {
  return parameters.has('offset') || parameters.has('number') || parameters.has('limit')
}

function parseCursorPage(parameters: ReadonlyMap<string, Parameter>, total: Total, settings: Settings): Page {
  for (const key of ['offset', 'limit', 'number']) {
    const parameter = parameters.get(key)
    if (parameter) {
      throw malformedParameter(parameter, 'Cursor pagination supports page[after], page[before] and page[size].')
    }
  }
  const after = parameters.get('after')?.value
  const before = parameters.get('before')?.value
  // For a range between two cursors, the profile requires the maximum page size as the default.
  const defaultSize = after !== undefined && before !== undefined ? settings.maxPageSize : settings.pageSize
  const size = parameters.get('size')
  if (size && /^\d{1,300}$/.test(size.value) && Number(size.value) > settings.maxPageSize)
    throw pageTooLargeError(size, settings)
  const cursors = { ...(after !== undefined && { after }), ...(before !== undefined && { before }) }
  return { offset: 0, limit: parseNumber(size, 'size', settings) ?? defaultSize, total, cursors }
}

function pageTooLargeError({ name, value }: Parameter, { maxPageSize }: Settings): RequestError {
  return new RequestError({
    code: 'malformed-parameter',
    detail: `A page can contain at most ${maxPageSize} resources, but ${value} were requested.`,
    source: { parameter: name },
    type: `${CURSOR_PROFILE}/max-size-exceeded`,
    meta: { page: { maxSize: maxPageSize } },
  })
}

function parseNumber(parameter: Parameter | undefined, key: string, { maxPageSize }: Settings): number | undefined {
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
