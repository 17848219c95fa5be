import type { Hooks } from '../http/hooks.js'
import type { Resource } from '../schema/resource.js'
import { compilePolicySchema } from '../policy/schema.js'
import { hookedClient } from './hooked-client.js'
import { hookPlan } from './plan.js'
import { readHooks } from './read-hooks.js'

/**
 * Binds hooks to a schema. What depends on the schema is computed here, once.
 * @param resources the resources of all models that are on the wire
 * @returns makes hooks ready: throws an Error where one is for a model, an operation or a field that is not there
 */
export function hooksOf(resources: readonly Resource[]): <C>(...hooks: readonly object[]) => Hooks<C> {
  const schema = compilePolicySchema(resources)
  return (...hooks) => {
    const read = readHooks(schema, hooks)
    const plan = hookPlan(schema, read)
    return {
      mount: (client, request) => hookedClient(client, schema, plan, request),
      completes: (model) => read.get(model)?.create['before'] !== undefined,
    }
  }
}
