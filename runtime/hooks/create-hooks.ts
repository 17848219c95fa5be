import type { Hooks } from '../http/wrap-client-with-hooks.js'
import type { Resource } from '../schema/resource.js'
import { compilePolicySchema, type PolicySchema } from '../policy/policy-schema.js'
import { createHookedClient } from './create-hooked-client.js'
import { type CompiledHooks, compileHooks } from './compile-hooks.js'
import { normalizeHooks } from './normalize-hooks.js'

/**
 * Compiles a schema for hooks. Everything that depends only on the schema is computed here, once.
 * Called by the emitted `hooks.ts`.
 * @param resources the resources of all exposed models
 * @returns a function that validates hooks and throws an Error if a hook is for a model, operation or field that does not exist
 */
export function createHooks(resources: readonly Resource[]): <C>(...hooks: readonly object[]) => Hooks<C> {
  const schema = compilePolicySchema(resources)
  return (...hooks) => {
    const normalizedHooks = normalizeHooks(schema, hooks)
    // Policies compile their own schema, and compiled hooks are keyed by its model objects.
    const compiledHooks = new WeakMap<PolicySchema, CompiledHooks>()
    const compiledFor = (used: PolicySchema): CompiledHooks => {
      const plan = compiledHooks.get(used) ?? compileHooks(used, normalizedHooks)
      compiledHooks.set(used, plan)
      return plan
    }
    compiledFor(schema)
    return {
      mount: (client, request) => createHookedClient(client, schema, compiledFor, request),
      addsData: (model) => normalizedHooks.get(model)?.create['before'] !== undefined,
    }
  }
}
