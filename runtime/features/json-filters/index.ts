import type { RestFeature } from '../../rest/rest-features.js'
import { jsonPathCondition } from './json-path-condition.js'

/** Enables filters by values inside Json fields: `filter[settings.theme]=dark`. */
export function jsonFilters(): RestFeature<'jsonFilters'> {
  return { jsonFilters: jsonPathCondition }
}
