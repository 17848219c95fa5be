import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'
import { createEntityTags, revisionTag } from './entity-tags.js'
import { bumpVersion } from './precondition.js'
import {
  assertRequiredCondition,
  parseCacheValidators,
  parseUpdateCondition,
  parseUpsertCondition,
} from './parse-precondition.js'

/**
 * Enables ETags and preconditions: `If-Match`, `If-None-Match` and `meta.version`.
 * Called by the emitted `index.ts`.
 */
export function conditionalRequests(): Feature<'conditionalRequests'> {
  return restFeature('conditionalRequests', (models) => ({
    createTag: createEntityTags(models),
    createRevisionTag: revisionTag,
    parse: parseUpdateCondition,
    parseUpsert: parseUpsertCondition,
    assertRequiredCondition,
    parseValidators: parseCacheValidators,
    bumpVersion,
  }))
}
