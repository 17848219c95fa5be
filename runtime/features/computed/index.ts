import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'
import { computedAttributeWriter } from './computed-attribute-writer.js'
import { createClientCheck } from './create-client-check.js'
import { parseComputed } from './parse-computed.js'

/**
 * Enables the handler option `computed`, which exposes computed fields of the client.
 * Called by the emitted `index.ts`.
 */
export function computed(): Feature<'computed'> {
  return restFeature('computed', {
    parse: parseComputed,
    createClientCheck,
    createWriter: computedAttributeWriter,
  })
}
