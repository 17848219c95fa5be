import type { PolicyModel } from '../policy/schema.js'
import type { Tree } from '../policy/tree.js'
import type { RowHooks } from '../policy/write/row-hooks.js'
import type { Writing } from '../policy/write/writing.js'
import { callHook } from './call-hook.js'
import type { HookPlan } from './plan.js'
import type { AnyHook, NamedHooks } from './read-hooks.js'
import type { Session } from './session.js'

/** What is called around one call of the client, and all that it writes. */
export interface Around {
  readonly session: Session
  /** The operation of that call. */
  readonly operation: string
  /** What hooks are given, in its transaction. */
  readonly client: object
  /** Notes what is done once the transaction is committed. */
  later(task: () => Promise<void>): void
}

/** The hooks of an app, as the writes of one call are told to them. */
export function rowHooks(plan: HookPlan, { session, operation, client, later }: Around): RowHooks {
  const named = (model: PolicyModel, kind: 'create' | 'update' | 'delete' | 'updateMany' | 'deleteMany') =>
    plan.hooksOf(model)?.[kind] ?? {}
  const told = ({ path }: Writing, more: object) => ({ ...session.event, operation, path, ...more })
  const tell = async (model: PolicyModel, at: string, hook: AnyHook | undefined, event: object) => {
    if (hook) await callHook({ at: `${model.name}.${at}`, hook, event: { ...event, client } })
  }
  const give = async (model: PolicyModel, at: string, hook: AnyHook | undefined, event: object, data: Tree) => {
    return hook ? callHook({ at: `${model.name}.${at}`, hook, event: { ...event, client }, gives: model }) : data
  }
  const after = async (model: PolicyModel, kind: string, hooks: NamedHooks, event: object) => {
    await tell(model, `${kind}.after`, hooks['after'], event)
    const hook = hooks['afterCommit']
    if (hook) later(async () => void (await callHook({ at: `${model.name}.${kind}.afterCommit`, hook, event })))
  }
  return {
    hearsRow: plan.hearsRow,
    hearsSet: plan.hearsSet,
    hearsCall: plan.hearsCall,
    keeps: plan.keeps,
    cascades: plan.cascades,
    referred: plan.referred,
    creating: (writing, model, data) => {
      return give(model, 'create.before', named(model, 'create')['before'], told(writing, { data }), data)
    },
    created: (writing, model, row) => after(model, 'create', named(model, 'create'), told(writing, { row })),
    changing: (writing, model, row, data) => {
      return give(model, 'update.before', named(model, 'update')['before'], told(writing, { data, row }), data)
    },
    changed: (writing, model, before, row) => {
      return after(model, 'update', named(model, 'update'), told(writing, { before, row }))
    },
    async removing(writing, model, row) {
      const { before, update } = named(model, 'delete')
      const event = told(writing, { row })
      await tell(model, 'delete.before', before, event)
      return update && give(model, 'delete.update', update, event, {})
    },
    removed: (writing, model, row) => after(model, 'delete', named(model, 'delete'), told(writing, { row })),
    changingSet: (writing, model, where, data) => {
      const { before } = named(model, 'updateMany')
      return give(model, 'update.many.before', before, told(writing, { where, data }), data)
    },
    changedSet: (writing, model, where, data, count) => {
      return after(model, 'update.many', named(model, 'updateMany'), told(writing, { where, data, count }))
    },
    async removingSet(writing, model, where) {
      const { before, update } = named(model, 'deleteMany')
      const event = told(writing, { where })
      await tell(model, 'delete.many.before', before, event)
      return update && give(model, 'delete.many.update', update, event, {})
    },
    removedSet: (writing, model, where, count) => {
      return after(model, 'delete.many', named(model, 'deleteMany'), told(writing, { where, count }))
    },
  }
}
