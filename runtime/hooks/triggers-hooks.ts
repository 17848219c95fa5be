import { isOneToOneKey, type PolicyModel, type PolicyRelation } from '../policy/policy-schema.js'
import { toArray, type Args } from '../policy/args.js'
import { isObject } from '../values/is-object.js'

/** The models whose writes trigger hooks, for the row itself or for rows that are written with it. */
export interface HookedModels {
  creates(model: PolicyModel): boolean
  updates(model: PolicyModel): boolean
  /** Also true if the database deletes or updates hooked rows together with a row of the model. */
  deletes(model: PolicyModel): boolean
  /** The fields of a model that hooked rows refer to with foreign keys. */
  referencedFields(model: PolicyModel): ReadonlySet<string>
}

/** Whether any write of a call triggers hooks. Calls that trigger none are passed to the client unchanged. */
export function triggersHooks(hookedModels: HookedModels, model: PolicyModel, operation: string, args: Args): boolean {
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
