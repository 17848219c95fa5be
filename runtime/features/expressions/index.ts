import type { Feature } from '../../http/feature.js'
import { restFeature } from '../../rest/rest-features.js'
import { FUNCTIONS } from './comparison-functions.js'
import { compileExpression } from './compile-expression.js'

/**
 * Enables filter expressions: `filter=or(equals(status,'DRAFT'),has(comments))`.
 * Called by the emitted `index.ts`.
 */
export function filterExpressions(): Feature<'expressions'> {
  return restFeature('expressions', { functions: FUNCTIONS, compile: compileExpression })
}
