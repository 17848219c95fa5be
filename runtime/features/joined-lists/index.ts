import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'
import { loadListsByJoin } from './load-lists-by-join.js'

/**
 * Enables joins that load several limited lists with one query. The client must have the preview feature `relationJoins`.
 * Called by the emitted `index.ts`.
 */
export function joinedLists(): Feature<'joinedLists'> {
  return restFeature('joinedLists', loadListsByJoin)
}
