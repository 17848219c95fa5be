import type { Feature } from '../../http/feature.js'
import { rpcFeature } from '../../rpc/rpc-features.js'
import { createVersionChecks } from './create-version-checks.js'
import { withVersionCheck } from './with-version-check.js'

/**
 * Enables versions in RPC writes: the version in `where` is checked, and every write sets the next one.
 * Called by the emitted `index.ts`.
 */
export function versionChecks(): Feature<'conditionalRequests'> {
  return rpcFeature('conditionalRequests', { createVersionChecks, withVersionCheck })
}
