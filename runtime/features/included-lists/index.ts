import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'
import type { Families } from '../../rest/request/parse-query.js'
import { loadLimitedLists } from './load-limited-lists.js'
import { addIncludedLists } from './parse-included-lists.js'

const PATH = 'Paths use dots: [posts.comments].'

const FAMILIES: Families = new Map([
  [
    'includeFilter',
    {
      explain: (path) =>
        path.length === 0 ? `Must name the included path first: includeFilter[comments]. ${PATH}` : undefined,
    },
  ],
  [
    'includeSort',
    {
      explain: (path) =>
        path.length === 1 ? undefined : `Must name the included path: includeSort[comments]. ${PATH}`,
    },
  ],
  [
    'includePage',
    {
      explain: (path) =>
        path.length === 2 ? undefined : `Must name the included path first: includePage[comments][limit]. ${PATH}`,
    },
  ],
])

/**
 * Enables filters, sort orders and limits for included lists: `include=comments&includePage[comments][limit]=3`.
 * Called by the emitted `index.ts`.
 */
export function includedLists(): Feature<'includedLists'> {
  return restFeature('includedLists', { families: FAMILIES, add: addIncludedLists, load: loadLimitedLists })
}
