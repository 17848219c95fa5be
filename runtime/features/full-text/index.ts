import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'
import type { Families } from '../../rest/request/parse-query.js'
import { parseFullText } from './parse-full-text.js'

const FAMILIES: Families = new Map([
  [
    'fullText',
    {
      isCollectionOnly: true,
      explain: ([fields = '', ...others]) =>
        fields === '' || others.length > 0 ? 'Must name fields: fullText[title,content].' : undefined,
    },
  ],
])

/**
 * Enables full-text search over several fields: `fullText[title,content]=fox`.
 * Called by the emitted `index.ts`.
 */
export function fullTextSearch(): Feature<'fullText'> {
  return restFeature('fullText', { families: FAMILIES, parse: parseFullText })
}
