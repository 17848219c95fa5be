import { type Fieldsets, parseFieldsets } from './parse-fieldsets.js'
import type { Include } from './include-tree.js'
import type { RestModel } from '../../rest-model.js'
import type { Query } from './parse-query.js'
import type { RequestedCounts } from '../../orm/selection.js'
import type { RestContext } from '../../rest-context.js'

/** The query parameters that determine what a response contains in addition to its primary data. */
export interface ResponseShape {
  readonly query: Query
  readonly include: Include
  readonly fieldsets: Fieldsets
  /** The counts of resources that are related to the primary data. */
  readonly counts: RequestedCounts | undefined
}

/**
 * Parses `fields[type]` and, with its feature, `relatedCount`.
 * @param include the parsed `include`
 * @param model the model of the primary data; undefined for linkage and for rows supplied by the app
 */
export function parseResponseShape(
  query: Query,
  include: Include,
  model: RestModel | undefined,
  context: RestContext,
): ResponseShape {
  const { limits, features } = context.settings
  const counts = features.relatedCounts?.parse(query, model, limits)
  return { query, include, fieldsets: parseFieldsets(query, context.byType), counts }
}
