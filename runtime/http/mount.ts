import type { ApiHandler } from './handler.js'

/** What every adapter is told (contract 1). `C` is what the framework hands to its handlers: a context, an event, a request. */
export interface AdapterOptions<O, C extends readonly unknown[]> {
  /**
   * Gives the Prisma client for a request; may differ by request, for example by its user. Called once the request was
   * understood. What it throws becomes an error response.
   */
  readonly getOrm: (...context: C) => O | Promise<O>
  /**
   * The path below which the handler is mounted, as it stands in URLs: `/api`, or with parameters `/t/:tenant/api`. A mount
   * point that the framework knows comes before it. Default: the root.
   */
  readonly prefix?: string
  /** The style to serve. Default: RPC, with no options. */
  readonly handler?: ApiHandler<O>
}

/** Adapter options with the handler chosen, as the emitted code passes them on. */
export type WithHandler<O, T> = T & { readonly handler: ApiHandler<O> }

/** Joins parts of a mount point: one `/` before each, none at the end. The root is the empty text. */
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

/** Whether a path, which may have a query behind it, is a mount point or lies below it. Neither is decoded. */
export function isBelow(path: string, mount: string): boolean {
  if (!path.startsWith(mount)) return false
  const next = path[mount.length]
  return mount === '' || next === undefined || next === '/' || next === '?' || next === '#'
}

/**
 * Finds a mount point in the paths below it.
 * @param pattern as {@link joinPath} gives it; a segment that begins with `:` stands for any
 * @returns tells the mount point as the path has it, or undefined where the path is not below it
 */
export function mountFinder(pattern: string): (path: string) => string | undefined {
  if (!pattern.includes('/:')) return (path) => (isBelow(path, pattern) ? pattern : undefined)
  const segments = pattern.split('/').map((segment) => (segment.startsWith(':') ? '[^/?#]+' : escapeRegExp(segment)))
  const expression = new RegExp(`^${segments.join('/')}(?=[/?#]|$)`)
  return (path) => expression.exec(path)?.[0]
}

/**
 * Like {@link mountFinder}, for adapters that answer every request: a path that is not below the mount point gets the pattern
 * itself, which it is not below either, so that the handler answers 404.
 * @param prefix as in {@link AdapterOptions}
 */
export function mountOrPattern(prefix: string | undefined): (path: string) => string {
  const pattern = joinPath(prefix)
  const mountIn = mountFinder(pattern)
  return (path) => mountIn(path) ?? pattern
}

function escapeRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** The first segments of a path: as many as a route's pattern has, so that parameters in it have the request's values. */
export function mountOf(path: string, pattern: string): string {
  let end = 0
  for (let at = 0; at < pattern.length; at++) {
    const isStart = pattern[at] !== '/' && (at === 0 || pattern[at - 1] === '/')
    if (!isStart) continue
    end = path.indexOf('/', end + 1)
    if (end < 0) return path
  }
  return path.slice(0, end)
}

/** The path of an absolute URL, still encoded. */
export function pathOf(url: string): string {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (start < 0) return '/'
  const end = url.slice(start).search(/[?#]/)
  return end < 0 ? url.slice(start) : url.slice(start, start + end)
}
