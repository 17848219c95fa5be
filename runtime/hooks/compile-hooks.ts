import type { PolicyModel, PolicyRelation, PolicySchema } from '../policy/policy-schema.js'
import type { Args } from '../policy/args.js'
import type { Cascade, WriteKind } from '../policy/write/write-context.js'
import { type HookedModels, triggersHooks } from './triggers-hooks.js'
import { hasHooks, type NormalizedHooks } from './normalize-hooks.js'

/** The hooks of an app, and the writes that trigger them. Computed once. */
export interface CompiledHooks {
  getHooks(model: PolicyModel): NormalizedHooks | undefined
  /** Whether any model has a `where` hook. */
  readonly hasScopes: boolean
  hasRowHooks(model: PolicyModel, kind: WriteKind): boolean
  replacesDelete(model: PolicyModel): boolean
  hasBulkHooks(model: PolicyModel, kind: 'update' | 'delete'): boolean
  /** Whether any write of a call triggers hooks. */
  triggersHooks(model: PolicyModel, operation: string, args: Args): boolean
  cascades(model: PolicyModel): readonly Cascade[]
  referencedFields(model: PolicyModel): ReadonlySet<string>
}

/** Determines which writes trigger hooks. */
export function compileHooks(schema: PolicySchema, hooks: ReadonlyMap<string, NormalizedHooks>): CompiledHooks {
  const isHooked = (model: PolicyModel, kind: Exclude<keyof NormalizedHooks, 'where'>): boolean => {
    return hasHooks(hooks.get(model.name)?.[kind] ?? {})
  }
  const deleted = findModelsHookedOnDelete(schema, isHooked)
  const cascades = new Map<PolicyModel, Cascade[]>()
  const referencedFields = new Map<PolicyModel, Set<string>>()
  for (const child of schema.values()) {
    for (const relation of child.relations.values()) {
      const { target, foreignKey } = relation
      const action = deleteAction(relation)
      if (!foreignKey) continue
      if (isHooked(child, 'update')) addAll(referencedFields, target, Object.values(foreignKey))
      if (!action || !(action === 'Cascade' ? deleted.has(child) : isHooked(child, 'update'))) continue
      const inverse = [...target.relations.values()].find((other) => other.inverseRelation === relation)
      const targetCascades = cascades.get(target) ?? []
      targetCascades.push({ model: child, relation, action, path: inverse ? [inverse.name] : [] })
      cascades.set(target, targetCascades)
    }
  }
  const empty: ReadonlySet<string> = new Set()
  const hookedModels: HookedModels = {
    creates: (model) => isHooked(model, 'create'),
    updates: (model) => isHooked(model, 'update'),
    deletes: (model) => isHooked(model, 'delete') || cascades.has(model),
    referencedFields: (model) => referencedFields.get(model) ?? empty,
  }
  return {
    getHooks: (model) => hooks.get(model.name),
    hasScopes: [...hooks.values()].some(({ where }) => where.length > 0),
    hasRowHooks: isHooked,
    replacesDelete: (model) => hooks.get(model.name)?.delete['replaceWith'] !== undefined,
    hasBulkHooks: (model, kind) => isHooked(model, kind === 'update' ? 'updateMany' : 'deleteMany'),
    cascades: (model) => cascades.get(model) ?? [],
    referencedFields: hookedModels.referencedFields,
    triggersHooks: (model, operation, args) => triggersHooks(hookedModels, model, operation, args),
  }
}

/**
 * Returns the action that the database applies to a row when the row that it refers to is deleted.
 * @returns undefined if the database leaves the row unchanged or prevents the deletion
 */
function deleteAction({ foreignKey, onDelete, optional }: PolicyRelation): Cascade['action'] | undefined {
  if (!foreignKey) return undefined
  const action = onDelete ?? (optional ? 'SetNull' : 'Restrict')
  return action === 'Restrict' || action === 'NoAction' ? undefined : action
}

/** Returns the models whose row deletions trigger hooks, directly or through cascades. */
function findModelsHookedOnDelete(
  schema: PolicySchema,
  isHooked: (model: PolicyModel, kind: WriteKind) => boolean,
): ReadonlySet<PolicyModel> {
  const hooked = new Set([...schema.values()].filter((model) => isHooked(model, 'delete')))
  for (const child of schema.values()) {
    for (const relation of child.relations.values()) {
      const action = deleteAction(relation)
      if (action && action !== 'Cascade' && isHooked(child, 'update')) hooked.add(relation.target)
    }
  }
  let before = -1
  while (hooked.size > before) {
    before = hooked.size
    for (const child of schema.values()) {
      for (const relation of child.relations.values()) {
        if (deleteAction(relation) === 'Cascade' && hooked.has(child)) hooked.add(relation.target)
      }
    }
  }
  return hooked
}

function addAll(sets: Map<PolicyModel, Set<string>>, model: PolicyModel, names: readonly string[]): void {
  sets.set(model, new Set([...(sets.get(model) ?? []), ...names]))
}
