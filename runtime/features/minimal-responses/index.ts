import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'
import { prefersMinimal } from './prefers-minimal.js'

/**
 * Enables `Prefer: return=minimal` (RFC 7240, section 4.2): responses to writes contain only the type, id and link.
 * Called by the emitted `index.ts`.
 */
export function minimalResponses(): Feature<'minimalResponses'> {
  return restFeature('minimalResponses', prefersMinimal)
}
