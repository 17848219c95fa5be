import type { Log } from '../http/handler-types.js'
import type { Style } from '../http/telemetry.js'
import { type Args, toArray } from '../policy/args.js'
import { type PolicyModel, type PolicyRelation, type PolicySchema, isOneToOneKey } from '../policy/policy-schema.js'
import type { Cascade, WriteKind } from '../policy/write/write-context.js'
import { isObject } from '../values/is-object.js'
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

/**
 * Checks that the result of a hook is not a promise, and returns the result.
 * @throws Error if it is a promise
 */
export function assertSync<R>(hookName: string, result: R): R {
  if (!(result instanceof Promise)) return result
  // Prevents an unhandled rejection. Only the error below is reported.
  result.catch(() => {})
  throw new Error(`The hook ${hookName} must not return a promise. Load the data it needs in "context".`)
}

/** Values that are the same for all hooks of a request. */
export interface HookSession {
  /** The part of the event that every hook receives. */
  readonly event: { readonly context: unknown; readonly style: Style }
  readonly log: Log
}

/** The models whose writes trigger hooks, for the row itself or for rows that are written with it. */
interface HookedModels {
  creates(model: PolicyModel): boolean
  updates(model: PolicyModel): boolean
  /** Also true if the database deletes or updates hooked rows together with a row of the model. */
  deletes(model: PolicyModel): boolean
  /** The fields of a model that hooked rows refer to with foreign keys. */
  referencedFields(model: PolicyModel): ReadonlySet<string>
}

/** Whether any write of a call triggers hooks. Calls that trigger none are passed to the client unchanged. */
function triggersHooks(hookedModels: HookedModels, model: PolicyModel, operation: string, args: Args): boolean {
  if (operation.startsWith('delete')) return hookedModels.deletes(model)
  if (operation.startsWith('create'))
    return toArray(args['data']).some((data) => createTriggersHooks(hookedModels, model, data))
  if (operation.startsWith('update')) return updateTriggersHooks(hookedModels, model, args['data'])
  return (
    createTriggersHooks(hookedModels, model, args['create']) || updateTriggersHooks(hookedModels, model, args['update'])
  )
}

function createTriggersHooks(hookedModels: HookedModels, model: PolicyModel, data: unknown): boolean {
  return hookedModels.creates(model) || nestedWriteTriggersHooks(hookedModels, model, data)
}

function updateTriggersHooks(hookedModels: HookedModels, model: PolicyModel, data: unknown): boolean {
  if (hookedModels.updates(model) || nestedWriteTriggersHooks(hookedModels, model, data)) return true
  const referencedFields = hookedModels.referencedFields(model)
  return referencedFields.size > 0 && isObject(data) && Object.keys(data).some((name) => referencedFields.has(name))
}

function nestedWriteTriggersHooks(hookedModels: HookedModels, model: PolicyModel, data: unknown): boolean {
  if (!isObject(data)) return false
  return Object.entries(data).some(([name, operations]) => {
    const relation = model.relations.get(name)
    if (!relation || !isObject(operations)) return false
    return Object.entries(operations).some(([operation, value]) => {
      return toArray(value).some((item) => operationTriggersHooks(hookedModels, model, relation, operation, item))
    })
  })
}

function operationTriggersHooks(
  hookedModels: HookedModels,
  model: PolicyModel,
  relation: PolicyRelation,
  operation: string,
  value: unknown,
): boolean {
  const { target, many } = relation
  const operand = (name: string): unknown => (isObject(value) ? value[name] : undefined)
  // If the key is unique, connecting a row also removes the key from the row that had it before.
  const linksTrigger = isOneToOneKey(model, relation)
    ? hookedModels.updates(model)
    : isKeyOnTarget(relation) && hookedModels.updates(target)
  switch (operation) {
    case 'connect':
    case 'disconnect':
    case 'set':
      return linksTrigger
    case 'create':
      // Creating a row in a to-one relation disconnects the existing related row.
      return createTriggersHooks(hookedModels, target, value) || (linksTrigger && !many)
    case 'createMany':
      return hookedModels.creates(target)
    case 'connectOrCreate':
      return linksTrigger || createTriggersHooks(hookedModels, target, operand('create'))
    case 'update':
    case 'updateMany':
      return (
        updateTriggersHooks(hookedModels, target, value) || updateTriggersHooks(hookedModels, target, operand('data'))
      )
    case 'upsert':
      return (
        createTriggersHooks(hookedModels, target, operand('create')) ||
        updateTriggersHooks(hookedModels, target, operand('update'))
      )
    case 'delete':
    case 'deleteMany':
      return hookedModels.deletes(target)
    default:
      return true
  }
}

/** Whether the foreign key is in the target model, and not in the model itself or in a join table. */
function isKeyOnTarget({ foreignKey, many, inverseRelation }: PolicyRelation): boolean {
  return !foreignKey && !(many && inverseRelation?.many)
}
