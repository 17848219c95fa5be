import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'
import { jsonPathCondition } from './json-path-condition.js'

/**
 * Enables filters by values inside Json fields: `filter[settings.theme]=dark`.
 * Called by the emitted `index.ts`.
 */
export function jsonFilters(): Feature<'jsonFilters'> {
  return restFeature('jsonFilters', jsonPathCondition)
}
