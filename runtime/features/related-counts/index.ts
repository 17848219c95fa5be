import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'
import { explainBrackets, type Families } from '../../rest/request/parse-query.js'
import { parseRelatedCount } from './parse-related-count.js'

const FAMILIES: Families = new Map([['relatedCount', { explain: explainBrackets }]])

/**
 * Enables counts of related resources: `relatedCount=comments`.
 * Called by the emitted `index.ts`.
 */
export function relatedCounts(): Feature<'relatedCounts'> {
  return restFeature('relatedCounts', { families: FAMILIES, parse: parseRelatedCount })
}
