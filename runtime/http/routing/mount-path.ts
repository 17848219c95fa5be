/** Joins the parts of a mount point. In the result, each part has one leading slash and no trailing slash. The root is the empty string. */
export function joinPath(...parts: readonly (string | undefined)[]): string {
  let joined = ''
  for (const part of parts) {
    if (part === undefined) continue
    let start = 0
    let end = part.length
    while (part[start] === '/') start++
    while (end > start && part[end - 1] === '/') end--
    if (end > start) joined += `/${part.slice(start, end)}`
  }
  return joined
}

/** Whether a path, optionally with a query, equals a mount point or is below it. Neither is decoded. */
export function isPathUnder(path: string, mount: string): boolean {
  if (!path.startsWith(mount)) return false
  const next = path[mount.length]
  return mount === '' || next === undefined || next === '/' || next === '?' || next === '#'
}

/**
 * Creates a function that extracts the mount point from a path.
 * @param pattern in the format of {@link joinPath}; a segment that starts with `:` matches any segment
 * @returns a function that returns the mount point as it appears in the path, or undefined if the path is not below it
 */
export function createMountMatcher(pattern: string): (path: string) => string | undefined {
  if (!pattern.includes('/:')) return (path) => (isPathUnder(path, pattern) ? pattern : undefined)
  const segments = pattern.split('/').map((segment) => (segment.startsWith(':') ? '[^/?#]+' : escapeRegExp(segment)))
  const expression = new RegExp(`^${segments.join('/')}(?=[/?#]|$)`)
  return (path) => expression.exec(path)?.[0]
}

/**
 * Like {@link createMountMatcher}, for adapters that handle every request. For a path that is not below the mount point, the matcher
 * returns the pattern itself. The path is not below the pattern either, so the handler responds with 404.
 * @param prefix see {@link AdapterOptions}
 */
export function createMountMatcherOrPattern(prefix: string | undefined): (path: string) => string {
  const pattern = joinPath(prefix)
  const mountIn = createMountMatcher(pattern)
  return (path) => mountIn(path) ?? pattern
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/**
 * Returns as many leading segments of a path as the route pattern has. They contain the request's values for the parameters of the pattern.
 */
export function mountPath(path: string, pattern: string): string {
  let end = 0
  for (let index = 0; index < pattern.length; index++) {
    const isStart = pattern[index] !== '/' && (index === 0 || pattern[index - 1] === '/')
    if (!isStart) continue
    end = path.indexOf('/', end + 1)
    if (end < 0) return path
  }
  return path.slice(0, end)
}

/** Returns the path of an absolute URL, still encoded. */
export function urlPath(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return '/'
  const query = url.indexOf('?', start)
  // A fragment also ends the path and may contain a "?".
  const fragment = url.indexOf('#', start)
  const end = fragment < 0 || (query >= 0 && query < fragment) ? query : fragment
  return end < 0 ? url.slice(start) : url.slice(start, end)
}

/** Returns the part of a URL's path below a prefix, or undefined if the path is not below it. */
export function pathAfterPrefix(url: string, prefix = ''): string | undefined {
  const path = urlPath(url)
  const mount = joinPath(prefix)
  return isPathUnder(path, mount) ? path.slice(mount.length) : undefined
}

/**
 * Decodes a segment of a URL's path.
 * @returns undefined if the segment is not percent-encoded UTF-8
 */
export function decodeSegment(segment: string): string | undefined {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/**
 * Decodes a name or a value of a URL's query as `application/x-www-form-urlencoded`.
 * @returns undefined if the text is not percent-encoded UTF-8
 */
export function decodeForm(text: string): string | undefined {
  return decodeSegment(text.includes('+') ? text.replaceAll('+', ' ') : text)
}

/** Returns the names and values of a URL's query, in order and still encoded. */
export function queryPairs(url: string): readonly (readonly [name: string, value: string])[] {
  const start = url.indexOf('?')
  if (start < 0) return []
  const end = url.indexOf('#', start)
  const pairs = url.slice(start + 1, end < 0 ? undefined : end).split('&')
  return pairs.flatMap((pair) => {
    if (pair === '') return []
    const equals = pair.indexOf('=')
    return [equals < 0 ? [pair, ''] : [pair.slice(0, equals), pair.slice(equals + 1)]] as const
  })
}
