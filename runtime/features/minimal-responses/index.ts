import type { RestFeature } from '../../rest/rest-features.js'
import { prefersMinimal } from './prefers-minimal.js'

/** Enables `Prefer: return=minimal` (RFC 7240, section 4.2), with which the response to a write contains only the id. */
export function minimalResponses(): RestFeature<'minimalResponses'> {
  return { minimalResponses: prefersMinimal }
}
