import { type Fieldsets, parseFieldsets } from './parse-fieldsets.js'
import type { Include } from './include-tree.js'
import type { RestModel } from '../../rest-model.js'
import type { Query } from './parse-query.js'
import type { RestContext } from '../../rest-context.js'

/** The query parameters that determine what a response contains in addition to its primary data. */
export interface ResponseShape {
  readonly query: Query
  readonly include: Include
  readonly fieldsets: Fieldsets
  /** The relationships of the primary data whose related resources are counted. */
  readonly counts: ReadonlySet<string>
}

const NONE: ReadonlySet<string> = new Set()

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
  const counts = features.relatedCounts?.parse(query, model, limits) ?? NONE
  return { query, include, fieldsets: parseFieldsets(query, context.byType), counts }
}
