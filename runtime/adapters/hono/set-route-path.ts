import type { Context } from 'hono'

/**
 * Makes `routePath(c)` and `c.req.routePath` return the route that handled a request instead of `/api/*`, for middleware that reads them
 * afterwards. Hono itself only knows `/api/*`, because handlers have their own routers.
 * @param path the pattern of the route, with the mount point
 */
export function setRoutePath({ req }: Context, path: string): void {
  const { routeIndex } = req
  // Hono stores the matched routes of a request under a symbol that it does not export. The list may be shared with other requests, so it
  // is copied.
  for (const key of Object.getOwnPropertySymbols(Object.getPrototypeOf(req))) {
    const matched: unknown = Reflect.get(req, key)
    if (!isList(matched)) continue
    const [found, ...params] = matched
    const entry = isList(found) ? found[routeIndex] : undefined
    if (!isList(found) || !isList(entry)) continue
    const [handled, ...names] = entry
    if (!isList(handled)) continue
    const [handler, route] = handled
    const updatedEntry = [[handler, Object.assign({}, route, { path })], ...names]
    const routes = found.map((other, index) => (index === routeIndex ? updatedEntry : other))
    Object.defineProperty(req, key, { value: [routes, ...params], configurable: true })
  }
  Object.defineProperty(req, 'routePath', { value: path, configurable: true })
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
