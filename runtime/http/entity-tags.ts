import { RequestError } from '../errors/request-error.js'

/** What a header names: any representation at all (`*`), or some by their tags. */
export type EntityTags = '*' | readonly EntityTag[]

/** An entity tag (RFC 9110, section 8.8.3). */
export interface EntityTag {
  /** What stands between its quotes. */
  readonly opaque: string
  readonly isWeak: boolean
}

/** How many tags a header may name. */
const MOST = 100

const TAG = /\s*(W\/)?"([\x21\x23-\x7e\x80-\uffff]*)"\s*(,|$)/y

/**
 * Reads `If-Match` or `If-None-Match` (RFC 9110, sections 13.1.1 and 13.1.2).
 * @param value the header's value; undefined where the request has none
 * @param header its name
 * @throws RequestError 400 where it is no list of entity tags
 */
export function parseEntityTags(value: string | undefined, header: string): EntityTags | undefined {
  if (value === undefined) return undefined
  if (value.trim() === '*') return '*'
  const tags: EntityTag[] = []
  TAG.lastIndex = 0
  while (TAG.lastIndex < value.length) {
    const found = TAG.exec(value)
    if (!found || tags.length === MOST) throw malformed(header)
    tags.push({ opaque: found[2] ?? '', isWeak: found[1] !== undefined })
    // A comma that nothing follows.
    if (found[3] === ',' && TAG.lastIndex === value.length) throw malformed(header)
  }
  if (tags.length === 0) throw malformed(header)
  return tags
}

function malformed(header: string): RequestError {
  const detail = `${header} must be "*", or at most ${MOST} entity tags, each in quotes, with commas between them.`
  return new RequestError({ code: 'bad-request', detail, source: { header } })
}
