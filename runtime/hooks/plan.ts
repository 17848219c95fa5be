import type { PolicyModel, PolicyRelation, PolicySchema } from '../policy/schema.js'
import type { Tree } from '../policy/tree.js'
import type { Cascade, WriteKind } from '../policy/write/row-hooks.js'
import { isObject } from '../values/is-object.js'
import { isAny, type ReadHooks } from './read-hooks.js'

/** What hooks there are, and which writes concern them: computed once. */
export interface HookPlan {
  hooksOf(model: PolicyModel): ReadHooks | undefined
  hearsRow(model: PolicyModel, kind: WriteKind): boolean
  keeps(model: PolicyModel): boolean
  hearsSet(model: PolicyModel, kind: 'update' | 'delete'): boolean
  /** Whether anything that a call writes is told. */
  hearsCall(model: PolicyModel, operation: string, args: Tree): boolean
  cascades(model: PolicyModel): readonly Cascade[]
  referred(model: PolicyModel): ReadonlySet<string>
}

/** Finds out what of a schema's writes an app wants to be told. */
export function hookPlan(schema: PolicySchema, hooks: ReadonlyMap<string, ReadHooks>): HookPlan {
  const hears = (model: PolicyModel, kind: Exclude<keyof ReadHooks, 'where'>): boolean => {
    return isAny(hooks.get(model.name)?.[kind] ?? {})
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
  const writes = (model: PolicyModel) =>
    hears(model, 'create') ||
    hears(model, 'update') ||
    hears(model, 'delete') ||
    cascades.has(model) ||
    referred.has(model)
  const none: ReadonlySet<string> = new Set()
  return {
    hooksOf: (model) => hooks.get(model.name),
    hearsRow: hears,
    keeps: (model) => hooks.get(model.name)?.delete['update'] !== undefined,
    hearsSet: (model, kind) => hears(model, kind === 'update' ? 'updateMany' : 'deleteMany'),
    cascades: (model) => cascades.get(model) ?? [],
    referred: (model) => referred.get(model) ?? none,
    hearsCall(model, operation, args) {
      if (operation.startsWith('delete')) return hears(model, 'delete') || cascades.has(model)
      if (operation === 'upsert' || operation.startsWith('create')) if (hears(model, 'create')) return true
      if (operation === 'upsert' || operation.startsWith('update')) {
        if (hears(model, 'update') || referred.has(model)) return true
      }
      return [args['data'], args['create'], args['update']].some((data) => nestsHeard(model, data, writes))
    },
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

/** Whether data nests a write to rows of a model that is told of any. */
function nestsHeard(model: PolicyModel, data: unknown, writes: (model: PolicyModel) => boolean): boolean {
  if (Array.isArray(data)) return data.some((one) => nestsHeard(model, one, writes))
  if (!isObject(data)) return false
  return Object.entries(data).some(([name, operations]) => {
    const relation = model.relations.get(name)
    if (!relation || !isObject(operations)) return false
    const { target, foreignKey } = relation
    // The row itself holds the key: what it is tied to is not written.
    const written = Object.entries(operations).filter(([operation]) => !foreignKey || !TIES.includes(operation))
    if (written.length === 0) return false
    return writes(target) || written.some(([, nested]) => nestsBelow(target, nested, writes))
  })
}

const TIES: readonly string[] = ['connect', 'disconnect']

/** Data may stand in an operation itself, or in a member of it, as `create` of an upsert. */
function nestsBelow(model: PolicyModel, nested: unknown, writes: (model: PolicyModel) => boolean): boolean {
  if (Array.isArray(nested)) return nested.some((one) => nestsBelow(model, one, writes))
  if (!isObject(nested)) return false
  return [nested, nested['data'], nested['create'], nested['update']].some((data) => nestsHeard(model, data, writes))
}
