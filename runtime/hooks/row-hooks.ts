import type { PolicyModel } from '../policy/schema.js'
import type { Args } from '../policy/args.js'
import type { RowHooks } from '../policy/write/row-hooks.js'
import type { WriteContext } from '../policy/write/write-context.js'
import { isObject } from '../values/is-object.js'
import { validateHookData, assertRequiredFields } from './hook-data.js'
import { locateHookError } from './locate-error.js'
import type { HookPlan } from './hook-plan.js'
import type { AnyHook, NamedHooks } from './normalize-hooks.js'
import type { HookSession } from './session.js'

/** One call of the client, with the state that the hooks of its writes need. */
export interface HookInvocation {
  readonly session: HookSession
  /** The operation of the call. */
  readonly operation: string
  /** The client that hooks receive, inside the call's transaction. */
  readonly client: object
  /** The number of hooks that the call is nested in. */
  readonly depth: number
  /** Registers a hook to be called after the transaction is committed. */
  defer(hook: DeferredHook): void
  /** Called before each hook. */
  onInvoke(): void
}

/** A hook to be called after the commit. */
export interface DeferredHook {
  /** The hook's name in the app's code: `Post.create.afterCommit`. */
  readonly at: string
  call(): unknown
}

/** The part of an event that this file reads. */
interface WriteEvent {
  readonly path: readonly (string | number)[]
}

/** Creates the {@link RowHooks} of one call from the app's hooks. */
export function createRowHooks(
  plan: HookPlan,
  { session, operation, client, depth, defer, onInvoke }: HookInvocation,
): RowHooks {
  const named = (model: PolicyModel, kind: 'create' | 'update' | 'delete' | 'updateMany' | 'deleteMany') =>
    plan.getHooks(model)?.[kind] ?? {}
  const createEvent = ({ path }: WriteContext, { name }: PolicyModel, more: object) => {
    return { ...session.event, model: name, operation, path, ...more }
  }
  const call = async (event: WriteEvent, work: () => unknown): Promise<unknown> => {
    onInvoke()
    try {
      return await work()
    } catch (error) {
      throw locateHookError(error, { session, operation, path: event.path, depth })
    }
  }
  const runBeforeHooks = async (hooks: NamedHooks, event: WriteEvent) => {
    for (const hook of hooks['before'] ?? []) await call(event, () => hook({ ...event, client }))
  }
  const transformData = async (
    at: string,
    model: PolicyModel,
    hooks: readonly AnyHook[] = [],
    event: WriteEvent,
    data: Args,
  ) => {
    let current = data
    for (const hook of hooks) {
      current = validateHookData(at, model, await call(event, () => hook({ ...event, data: current, client })))
    }
    return current
  }
  const runAfterHooks = async (at: string, hooks: NamedHooks, event: WriteEvent) => {
    for (const hook of hooks['after'] ?? []) await call(event, () => hook({ ...event, client }))
    for (const hook of hooks['afterCommit'] ?? []) defer({ at: `${at}.afterCommit`, call: () => hook(event) })
  }
  return {
    hasRowHooks: plan.hasRowHooks,
    hasBulkHooks: plan.hasBulkHooks,
    triggersHooks: plan.triggersHooks,
    replacesDelete: plan.replacesDelete,
    cascades: plan.cascades,
    referencedFields: plan.referencedFields,
    async beforeCreate(writing, model, data) {
      const { before } = named(model, 'create')
      if (!before) return data
      const event = createEvent(writing, model, {})
      const transformed = await transformData(`${model.name}.create.before`, model, before, event, data)
      await call(event, () => assertRequiredFields(model, transformed))
      return transformed
    },
    afterCreate: (writing, model, row) =>
      runAfterHooks(`${model.name}.create`, named(model, 'create'), createEvent(writing, model, { row })),
    beforeUpdate: (writing, model, row, data) => {
      const at = `${model.name}.update.before`
      return transformData(
        at,
        model,
        named(model, 'update')['before'],
        createEvent(writing, model, { row }),
        plain(model, data),
      )
    },
    afterUpdate: (writing, model, before, row) => {
      return runAfterHooks(`${model.name}.update`, named(model, 'update'), createEvent(writing, model, { before, row }))
    },
    async beforeDelete(writing, model, row) {
      const hooks = named(model, 'delete')
      const event = createEvent(writing, model, { row })
      await runBeforeHooks(hooks, event)
      return (
        hooks['replaceWith'] &&
        transformData(`${model.name}.delete.replaceWith`, model, hooks['replaceWith'], event, {})
      )
    },
    afterDelete: (writing, model, row) =>
      runAfterHooks(`${model.name}.delete`, named(model, 'delete'), createEvent(writing, model, { row })),
    beforeUpdateMany: (writing, model, where, data) => {
      const at = `${model.name}.update.many.before`
      return transformData(
        at,
        model,
        named(model, 'updateMany')['before'],
        createEvent(writing, model, { where }),
        plain(model, data),
      )
    },
    afterUpdateMany: (writing, model, where, data, count) => {
      return runAfterHooks(
        `${model.name}.update.many`,
        named(model, 'updateMany'),
        createEvent(writing, model, { where, data, count }),
      )
    },
    async beforeDeleteMany(writing, model, where) {
      const hooks = named(model, 'deleteMany')
      const event = createEvent(writing, model, { where })
      await runBeforeHooks(hooks, event)
      return (
        hooks['replaceWith'] &&
        transformData(`${model.name}.delete.many.replaceWith`, model, hooks['replaceWith'], event, {})
      )
    },
    afterDeleteMany: (writing, model, where, count) => {
      return runAfterHooks(
        `${model.name}.delete.many`,
        named(model, 'deleteMany'),
        createEvent(writing, model, { where, count }),
      )
    },
  }
}

/**
 * Replaces `{ set: value }` with the value, so that hooks receive one form only. Json fields are left as they are: such an object can be
 * their value.
 */
function plain({ fields }: PolicyModel, data: Args): Args {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const field = fields.get(name)
      const isWrapped = isObject(value) && 'set' in value && Object.keys(value).length === 1
      return [name, isWrapped && field && field.type !== 'Json' && !field.list ? value['set'] : value]
    }),
  )
}
