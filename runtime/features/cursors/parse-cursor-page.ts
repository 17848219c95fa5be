import { RequestError } from '../../errors/request-error.js'
import { acceptsProfile } from '../../rest/request/content-negotiation.js'
import type { Page, RequestedPageParameters, Total } from '../../rest/request/page.js'
import { parsePageNumber } from '../../rest/request/parse-page.js'
import { malformedParameter, type Parameter } from '../../rest/request/parse-query.js'
import type { Settings } from '../../rest/settings.js'
import { CURSOR_PROFILE } from './cursor-profile.js'

/** The accepted spellings of the URI. The profile's text uses `http` and a trailing slash. The list of profiles uses `https` without a trailing slash. */
const SPELLINGS = ['https', 'http'].flatMap((scheme) => {
  const url = CURSOR_PROFILE.replace('https', scheme)
  return [url, `${url}/`]
})

const OFFSET_KEYS = ['offset', 'limit', 'number']

/**
 * Parses `page[after]`, `page[before]` and `page[size]` of the cursor pagination profile. A request also uses cursors if it requests the
 * profile in `Accept`, or if they are the default. Requests with `page[offset]`, `page[limit]` or `page[number]` do not.
 * @returns undefined if the request does not use cursors
 * @throws RequestError 400 if the parameters are invalid
 */
export function parseCursorPage(
  parameters: RequestedPageParameters,
  total: Total | undefined,
  settings: Settings,
  accept: string | undefined,
): Page | undefined {
  const after = parameters.get('after')?.value
  const before = parameters.get('before')?.value
  const offset = OFFSET_KEYS.map((key) => parameters.get(key)).find((parameter) => parameter !== undefined)
  if (after === undefined && before === undefined) {
    if (offset || (settings.pagination !== 'cursor' && !acceptsProfile(accept, SPELLINGS))) return undefined
  }
  if (offset) throw malformedParameter(offset, 'Cursor pagination supports page[after], page[before] and page[size].')
  // For a range between two cursors, the profile requires the maximum page size as the default.
  const defaultSize = after !== undefined && before !== undefined ? settings.maxPageSize : settings.pageSize
  const size = parameters.get('size')
  if (size && /^\d{1,300}$/.test(size.value) && Number(size.value) > settings.maxPageSize)
    throw pageTooLargeError(size, settings)
  const cursors = { ...(after !== undefined && { after }), ...(before !== undefined && { before }) }
  const limit = parsePageNumber(size, 'size', settings) ?? defaultSize
  return { offset: 0, limit, total: total ?? 'none', cursors }
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
