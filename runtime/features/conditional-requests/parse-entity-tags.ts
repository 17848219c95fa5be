import { RequestError } from '../../errors/request-error.js'

/** The value of a conditional header: `*` for every representation, or a list of entity tags. */
export type EntityTags = '*' | readonly EntityTag[]

/** An entity tag (RFC 9110, section 8.8.3). */
export interface EntityTag {
  /** The text between the quotes. */
  readonly opaque: string
  readonly isWeak: boolean
}

/** Maximum number of tags in a header. */
const MAX_TAGS = 100

const TAG = /\s*(W\/)?"([\x21\x23-\x7e\x80-\uffff]*)"\s*(,|$)/y

/**
 * Parses `If-Match` or `If-None-Match` (RFC 9110, sections 13.1.1 and 13.1.2).
 * @param header the header's name, for the error
 * @returns undefined if the request does not have the header
 * @throws RequestError 400 if the header is not a list of entity tags
 */
export function parseEntityTags(value: string | undefined, header: string): EntityTags | undefined {
  if (value === undefined) return undefined
  if (value.trim() === '*') return '*'
  const tags: EntityTag[] = []
  TAG.lastIndex = 0
  while (TAG.lastIndex < value.length) {
    const found = TAG.exec(value)
    if (!found || tags.length === MAX_TAGS) throw malformed(header)
    tags.push({ opaque: found[2] ?? '', isWeak: found[1] !== undefined })
    // Reject a trailing comma.
    if (found[3] === ',' && TAG.lastIndex === value.length) throw malformed(header)
  }
  if (tags.length === 0) throw malformed(header)
  return tags
}

function malformed(header: string): RequestError {
  const detail = `${header} must be "*" or at most ${MAX_TAGS} quoted entity tags, separated by commas.`
  return new RequestError({ code: 'bad-request', detail, source: { header } })
}
