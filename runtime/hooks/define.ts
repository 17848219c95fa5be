import type { Hooks } from '../http/hooks-mount.js'
import type { Resource } from '../schema/resource.js'
import { compilePolicySchema, type PolicySchema } from '../policy/schema.js'
import { createHookedClient } from './hooked-client.js'
import { type HookPlan, createHookPlan } from './hook-plan.js'
import { normalizeHooks } from './normalize-hooks.js'

/**
 * Binds hooks to a schema. What depends on the schema is computed here, once.
 * @param resources the resources of all models that are on the wire
 * @returns makes hooks ready: throws an Error where one is for a model, an operation or a field that is not there
 */
export function createHooks(resources: readonly Resource[]): <C>(...hooks: readonly object[]) => Hooks<C> {
  const schema = compilePolicySchema(resources)
  return (...hooks) => {
    const read = normalizeHooks(schema, hooks)
    // Policies have a schema of their own, and what is planned is known by its models.
    const plans = new WeakMap<PolicySchema, HookPlan>()
    const planOf = (used: PolicySchema): HookPlan => {
      const plan = plans.get(used) ?? createHookPlan(used, read)
      plans.set(used, plan)
      return plan
    }
    planOf(schema)
    return {
      mount: (client, request) => createHookedClient(client, schema, planOf, request),
      completes: (model) => read.get(model)?.create['before'] !== undefined,
    }
  }
}
