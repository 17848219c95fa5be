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

/** What is called around one call of the client, and all that it writes. */
export interface HookInvocation {
  readonly session: HookSession
  /** The operation of that call. */
  readonly operation: string
  /** What hooks are given, in its transaction. */
  readonly client: object
  /** How many hooks it was made through. */
  readonly depth: number
  /** Notes a hook that is called once the transaction is committed. */
  later(hook: DeferredHook): void
  /** Notes that a hook is called. */
  calling(): void
}

/** A hook that waits for a commit. */
export interface DeferredHook {
  /** Its name, as the app's author wrote it: `Post.create.afterCommit`. */
  readonly at: string
  call(): unknown
}

/** What a hook is told, as far as it matters here. */
interface Told {
  readonly path: readonly (string | number)[]
}

/** The hooks of an app, as the writes of one call are told to them. */
export function createRowHooks(
  plan: HookPlan,
  { session, operation, client, depth, later, calling }: HookInvocation,
): RowHooks {
  const named = (model: PolicyModel, kind: 'create' | 'update' | 'delete' | 'updateMany' | 'deleteMany') =>
    plan.createHooks(model)?.[kind] ?? {}
  const told = ({ path }: WriteContext, { name }: PolicyModel, more: object) => {
    return { ...session.event, model: name, operation, path, ...more }
  }
  const call = async (event: Told, work: () => unknown): Promise<unknown> => {
    calling()
    try {
      return await work()
    } catch (error) {
      throw locateHookError(error, { session, operation, path: event.path, depth })
    }
  }
  const tell = async (hooks: NamedHooks, event: Told) => {
    for (const hook of hooks['before'] ?? []) await call(event, () => hook({ ...event, client }))
  }
  const give = async (at: string, model: PolicyModel, hooks: readonly AnyHook[] = [], event: Told, data: Args) => {
    let given = data
    for (const hook of hooks) {
      given = validateHookData(at, model, await call(event, () => hook({ ...event, data: given, client })))
    }
    return given
  }
  const after = async (at: string, hooks: NamedHooks, event: Told) => {
    for (const hook of hooks['after'] ?? []) await call(event, () => hook({ ...event, client }))
    for (const hook of hooks['afterCommit'] ?? []) later({ at: `${at}.afterCommit`, call: () => hook(event) })
  }
  return {
    hearsRow: plan.hearsRow,
    hearsSet: plan.hearsSet,
    hearsCall: plan.hearsCall,
    keeps: plan.keeps,
    cascades: plan.cascades,
    referred: plan.referred,
    async creating(writing, model, data) {
      const { before } = named(model, 'create')
      if (!before) return data
      const event = told(writing, model, {})
      const given = await give(`${model.name}.create.before`, model, before, event, data)
      await call(event, () => assertRequiredFields(model, given))
      return given
    },
    created: (writing, model, row) =>
      after(`${model.name}.create`, named(model, 'create'), told(writing, model, { row })),
    changing: (writing, model, row, data) => {
      const at = `${model.name}.update.before`
      return give(at, model, named(model, 'update')['before'], told(writing, model, { row }), plain(model, data))
    },
    changed: (writing, model, before, row) => {
      return after(`${model.name}.update`, named(model, 'update'), told(writing, model, { before, row }))
    },
    async removing(writing, model, row) {
      const hooks = named(model, 'delete')
      const event = told(writing, model, { row })
      await tell(hooks, event)
      return hooks['replaceWith'] && give(`${model.name}.delete.replaceWith`, model, hooks['replaceWith'], event, {})
    },
    removed: (writing, model, row) =>
      after(`${model.name}.delete`, named(model, 'delete'), told(writing, model, { row })),
    changingSet: (writing, model, where, data) => {
      const at = `${model.name}.update.many.before`
      return give(at, model, named(model, 'updateMany')['before'], told(writing, model, { where }), plain(model, data))
    },
    changedSet: (writing, model, where, data, count) => {
      return after(
        `${model.name}.update.many`,
        named(model, 'updateMany'),
        told(writing, model, { where, data, count }),
      )
    },
    async removingSet(writing, model, where) {
      const hooks = named(model, 'deleteMany')
      const event = told(writing, model, { where })
      await tell(hooks, event)
      return (
        hooks['replaceWith'] && give(`${model.name}.delete.many.replaceWith`, model, hooks['replaceWith'], event, {})
      )
    },
    removedSet: (writing, model, where, count) => {
      return after(`${model.name}.delete.many`, named(model, 'deleteMany'), told(writing, model, { where, count }))
    },
  }
}

/** Data in which `{ set: value }` is the value itself, so that hooks need not know both spellings. Json may look like that. */
function plain({ fields }: PolicyModel, data: Args): Args {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      const field = fields.get(name)
      const isWrapped = isObject(value) && 'set' in value && Object.keys(value).length === 1
      return [name, isWrapped && field && field.type !== 'Json' && !field.list ? value['set'] : value]
    }),
  )
}
