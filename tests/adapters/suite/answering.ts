import type { ApiHandler } from '../../../runtime/http/handler-types.js'

/** Creates a handler from a `fetch` function, with an empty `drain`. */
export function answering<O, C = unknown>(fetch: ApiHandler<O, C>['fetch']): ApiHandler<O, C> {
  return { fetch, drain: async () => undefined }
}
