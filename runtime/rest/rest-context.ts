import type { Context } from 'hono'

import { decodeSegment } from '../http/decode-url.js'
import type { AdjustArgs } from '../orm/adjust-computed-args.js'
import type { Dialect } from '../orm/dialect.js'
import { RequestError } from '../errors/request-error.js'
import type { ApiEnv } from '../http/handler-types.js'
import type { Schema } from '../schema/compile-schema.js'
import { type Fieldsets, parseFieldsets } from './request/parse-fieldsets.js'
import { type IdValues, parseId } from './request/resource-id.js'
import type { EntityTags } from './document/entity-tag.js'
import type { Include } from './request/parse-include.js'
import type { RestModel } from './rest-model.js'
import type { Query } from './request/parse-query.js'
import { parseRelatedCount } from './request/parse-related-count.js'
import type { LoadLimitedLists } from './orm/loading-types.js'
import type { Selector } from './orm/selection.js'
import type { Settings } from './parse-settings.js'

/** The context shared by all endpoints of a handler. */
export interface RestContext {
  readonly settings: Settings
  readonly schema: Schema
  /** All models, by name. */
  readonly models: ReadonlyMap<string, RestModel>
  /** All models, by resource type. */
  readonly byType: ReadonlyMap<string, RestModel>
  readonly selector: Selector
  readonly dialect: Dialect
  readonly adjust: AdjustArgs
  /** Loads limited lists together. Undefined if each limited list needs its own query. */
  readonly loadLists: LoadLimitedLists | undefined
  readonly tags: EntityTags
}

/** The query parameters that determine what a response contains in addition to its primary data. */
export interface ResponseShape {
  readonly query: Query
  readonly include: Include
  readonly fieldsets: Fieldsets
  /** The relationships of the primary data whose members are counted. */
  readonly counts: ReadonlySet<string>
}

/**
 * Parses `fields[type]` and `relatedCount`.
 * @param include the parsed `include`
 * @param model the model of the primary data; undefined for linkage and for rows supplied by the app
 */
export function parseResponseShape(
  query: Query,
  include: Include,
  model: RestModel | undefined,
  context: RestContext,
): ResponseShape {
  const counts = parseRelatedCount(query, model, context.settings.limits)
  return { query, include, fieldsets: parseFieldsets(query, context.byType), counts }
}

/**
 * Parses the id in the request's URL.
 * @throws RequestError 404 if no resource can have this id
 */
export function parseRequestId(c: Context<ApiEnv>, model: RestModel): IdValues {
  const { path } = c.env
  const end = path.indexOf('/', 1)
  return idOf(end < 0 ? path.slice(1) : path.slice(1, end), model)
}

/**
 * Parses the id of a related resource, which is the third and last segment of the URL.
 * @throws RequestError 404 if no resource can have this id
 */
export function parseRelatedId(c: Context<ApiEnv>, model: RestModel): IdValues {
  const { path } = c.env
  return idOf(path.slice(path.lastIndexOf('/') + 1), model)
}

function idOf(segment: string, model: RestModel): IdValues {
  const id = decodeSegment(segment)
  const values = id === undefined ? undefined : parseId(model.id, id)
  if (!values) throw notFoundError(model)
  return values
}

/** Returns a 404 error for a resource of a model. */
export function notFoundError(model: RestModel): RequestError {
  return new RequestError({ code: 'not-found', detail: `There is no "${model.type}" with this id.` })
}
