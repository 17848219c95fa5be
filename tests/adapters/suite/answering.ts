import type { ApiHandler } from '../../../runtime/http/api-handler.js'

/** A handler that answers as a function does, with nothing to drain. */
export function answering<O, C = unknown>(fetch: ApiHandler<O, C>['fetch']): ApiHandler<O, C> {
  return { fetch, drain: async () => undefined }
}
