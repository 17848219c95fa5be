import { RequestError } from '../errors/request-error.js'
import type { RestModel } from './rest-model.js'

/** Returns the 404 error for a resource that does not exist. */
export function notFoundError(model: RestModel): RequestError {
  return new RequestError({ code: 'not-found', detail: `There is no "${model.type}" with this id.` })
}
