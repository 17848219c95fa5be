import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'
import { cursorPaging, parseCursorPage } from './cursor-paging.js'

/**
 * Enables cursor pagination, as defined by the cursor pagination profile: `page[after]` and `page[before]`.
 * Called by the emitted `index.ts`.
 */
export function cursorPagination(): Feature<'cursors'> {
  return restFeature('cursors', { parse: parseCursorPage, createPaging: cursorPaging })
}
