import type { Rules } from '../policy/rules/rules.js'
import type { CompiledHooks } from './compile-hooks.js'

/** Returns the rules with `isMasked` set: fields with a `mask` hook cannot be used to filter, order or aggregate. */
export function markMaskedFields(rules: () => Rules, plan: CompiledHooks): () => Rules {
  const isMasked: Rules['isMasked'] = (model, field) => plan.getHooks(model)?.mask[field] !== undefined
  const cache = new WeakMap<Rules, Rules>()
  return () => {
    const currentRules = rules()
    const masked = cache.get(currentRules) ?? { ...currentRules, isMasked }
    cache.set(currentRules, masked)
    return masked
  }
}
