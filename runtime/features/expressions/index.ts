import type { RestFeature } from '../../rest/rest-features.js'
import { FUNCTIONS } from './comparison-functions.js'
import { compileExpression } from './compile-expression.js'

/** Enables filter expressions: `filter=or(equals(status,'DRAFT'),has(comments))`. */
export function filterExpressions(): RestFeature<'expressions'> {
  return { expressions: { functions: FUNCTIONS, compile: compileExpression } }
}
