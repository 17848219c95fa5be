import type { Context } from 'hono'
import { decodeSegment } from '../../http/decode-url.js'
import type { ApiEnv } from '../../http/handler-types.js'
import { type IdValues, parseId } from './resource-id.js'
import type { RestModel } from '../rest-model.js'
import { notFoundError } from '../not-found-error.js'

/**
 * Parses the id in the request's URL.
 * @throws RequestError 404 if no resource can have this id
 */
export function parseUrlId(c: Context<ApiEnv>, model: RestModel): IdValues {
  const { path } = c.req
  const end = path.indexOf('/', 1)
  return idOf(end < 0 ? path.slice(1) : path.slice(1, end), model)
}

/**
 * Parses the id of a related resource, which is the third and last segment of the URL.
 * @throws RequestError 404 if no resource can have this id
 */
export function parseRelatedId(c: Context<ApiEnv>, model: RestModel): IdValues {
  const { path } = c.req
  return idOf(path.slice(path.lastIndexOf('/') + 1), model)
}

function idOf(segment: string, model: RestModel): IdValues {
  const id = decodeSegment(segment)
  const values = id === undefined ? undefined : parseId(model.id, id)
  if (!values) throw notFoundError(model)
  return values
}
