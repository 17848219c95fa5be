import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'

/**
 * Enables `Prefer: return=minimal` (RFC 7240, section 4.2): responses to writes contain only the type, id and link.
 * Called by the emitted `index.ts`.
 */
export function minimalResponses(): Feature<'minimalResponses'> {
  return restFeature('minimalResponses', prefersMinimal)
}

/**
 * Whether the caller prefers a minimal response to a write: `Prefer: return=minimal` (RFC 7240, section 4.2). If a preference is repeated,
 * the first one counts.
 * @param header the `Prefer` header
 */
function prefersMinimal(header: string | undefined | null): boolean {
  if (header === undefined || header === null) return false
  const returns = header
    .split(',')
    .map((preference) => /^\s*return\s*=\s*"?([\w-]*)"?\s*(?:;|$)/i.exec(preference)?.[1]?.toLowerCase())
    .find((value) => value !== undefined)
  return returns === 'minimal'
}
