import type { Context } from 'hono'

/**
 * Has `routePath(c)` and `c.req.routePath`, which middleware asks for when we have answered, give the route of the answer in place of
 * `/api/*`. Hono knows the latter alone: the routes of a handler are found by routers of its own.
 * @param path the pattern of the route, with the mount point
 */
export function setRoutePath({ req }: Context, path: string): void {
  const { routeIndex } = req
  // What a request has matched stands under a symbol that Hono does not export. It may be shared with other requests, and is not changed.
  for (const key of Object.getOwnPropertySymbols(Object.getPrototypeOf(req))) {
    const matched: unknown = Reflect.get(req, key)
    if (!isList(matched)) continue
    const [found, ...params] = matched
    const entry = isList(found) ? found[routeIndex] : undefined
    if (!isList(found) || !isList(entry)) continue
    const [handled, ...names] = entry
    if (!isList(handled)) continue
    const [handler, route] = handled
    const answered = [[handler, Object.assign({}, route, { path })], ...names]
    const routes = found.map((each, index) => (index === routeIndex ? answered : each))
    Object.defineProperty(req, key, { value: [routes, ...params], configurable: true })
  }
  Object.defineProperty(req, 'routePath', { value: path, configurable: true })
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}
