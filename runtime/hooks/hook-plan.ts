import type { PolicyModel, PolicyRelation, PolicySchema } from '../policy/schema.js'
import type { Args } from '../policy/args.js'
import type { Cascade, WriteKind } from '../policy/write/row-hooks.js'
import { type HookedModels, triggersHooks } from './hooked-models.js'
import { hasHooks, type NormalizedHooks } from './normalize-hooks.js'

/** What hooks there are, and which writes concern them: computed once. */
export interface HookPlan {
  createHooks(model: PolicyModel): NormalizedHooks | undefined
  /** Whether reads of any model are narrowed. */
  readonly narrows: boolean
  hearsRow(model: PolicyModel, kind: WriteKind): boolean
  keeps(model: PolicyModel): boolean
  hearsSet(model: PolicyModel, kind: 'update' | 'delete'): boolean
  /** Whether anything that a call writes is told. */
  hearsCall(model: PolicyModel, operation: string, args: Args): boolean
  cascades(model: PolicyModel): readonly Cascade[]
  referred(model: PolicyModel): ReadonlySet<string>
}

/** Finds out what of a schema's writes an app wants to be told. */
export function createHookPlan(schema: PolicySchema, hooks: ReadonlyMap<string, NormalizedHooks>): HookPlan {
  const hears = (model: PolicyModel, kind: Exclude<keyof NormalizedHooks, 'where'>): boolean => {
    return hasHooks(hooks.get(model.name)?.[kind] ?? {})
  }
  const deleted = heardWhenDeleted(schema, hears)
  const cascades = new Map<PolicyModel, Cascade[]>()
  const referred = new Map<PolicyModel, Set<string>>()
  for (const child of schema.values()) {
    for (const relation of child.relations.values()) {
      const { target, foreignKey } = relation
      const action = deleteAction(relation)
      if (!foreignKey) continue
      if (hears(child, 'update')) addAll(referred, target, Object.values(foreignKey))
      if (!action || !(action === 'Cascade' ? deleted.has(child) : hears(child, 'update'))) continue
      const back = [...target.relations.values()].find((other) => other.back === relation)
      const ofTarget = cascades.get(target) ?? []
      ofTarget.push({ model: child, relation, action, path: back ? [back.name] : [] })
      cascades.set(target, ofTarget)
    }
  }
  const none: ReadonlySet<string> = new Set()
  const heard: HookedModels = {
    creates: (model) => hears(model, 'create'),
    updates: (model) => hears(model, 'update'),
    deletes: (model) => hears(model, 'delete') || cascades.has(model),
    referred: (model) => referred.get(model) ?? none,
  }
  return {
    createHooks: (model) => hooks.get(model.name),
    narrows: [...hooks.values()].some(({ where }) => where.length > 0),
    hearsRow: hears,
    keeps: (model) => hooks.get(model.name)?.delete['replaceWith'] !== undefined,
    hearsSet: (model, kind) => hears(model, kind === 'update' ? 'updateMany' : 'deleteMany'),
    cascades: (model) => cascades.get(model) ?? [],
    referred: heard.referred,
    hearsCall: (model, operation, args) => triggersHooks(heard, model, operation, args),
  }
}

/** What the database does to a row when the row is deleted that it refers to; undefined where it does nothing, or forbids it. */
function deleteAction({ foreignKey, onDelete, optional }: PolicyRelation): Cascade['action'] | undefined {
  if (!foreignKey) return undefined
  const action = onDelete ?? (optional ? 'SetNull' : 'Restrict')
  return action === 'Restrict' || action === 'NoAction' ? undefined : action
}

/** The models of which rows are told when they are deleted, or rows that go with them are. */
function heardWhenDeleted(
  schema: PolicySchema,
  hears: (model: PolicyModel, kind: WriteKind) => boolean,
): ReadonlySet<PolicyModel> {
  const heard = new Set([...schema.values()].filter((model) => hears(model, 'delete')))
  for (const child of schema.values()) {
    for (const relation of child.relations.values()) {
      const action = deleteAction(relation)
      if (action && action !== 'Cascade' && hears(child, 'update')) heard.add(relation.target)
    }
  }
  let before = -1
  while (heard.size > before) {
    before = heard.size
    for (const child of schema.values()) {
      for (const relation of child.relations.values()) {
        if (deleteAction(relation) === 'Cascade' && heard.has(child)) heard.add(relation.target)
      }
    }
  }
  return heard
}

function addAll(sets: Map<PolicyModel, Set<string>>, model: PolicyModel, names: readonly string[]): void {
  sets.set(model, new Set([...(sets.get(model) ?? []), ...names]))
}
