import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'
import type { Families } from '../../rest/request/parse-query.js'
import { parseFullText } from './parse-full-text.js'

const FAMILIES: Families = new Map([
  [
    'fullText',
    {
      isForLists: true,
      explain: ([fields = '', ...others]) =>
        fields === '' || others.length > 0 ? 'Must name fields: fullText[title,content].' : undefined,
    },
  ],
])

/**
 * Enables searches with the full-text index of the database: `fullText[title,content]=fox`.
 * Called by the emitted `index.ts`.
 */
export function fullTextSearch(): Feature<'fullText'> {
  return restFeature('fullText', { families: FAMILIES, parse: parseFullText })
}
