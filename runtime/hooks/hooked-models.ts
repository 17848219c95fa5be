import { isOneToOneKey, type PolicyModel, type PolicyRelation } from '../policy/schema.js'
import { toArray, type Args } from '../policy/args.js'
import { isObject } from '../values/is-object.js'

/** Of which rows of a model an app is told, or of rows that are written with them. */
export interface HookedModels {
  creates(model: PolicyModel): boolean
  updates(model: PolicyModel): boolean
  /** Rows that the database deletes or changes with them count. */
  deletes(model: PolicyModel): boolean
  /** The fields of a model that told rows refer to. */
  referred(model: PolicyModel): ReadonlySet<string>
}

/** Whether an app is told of anything that a call writes. What it is not told of is left to the client as it is. */
export function triggersHooks(heard: HookedModels, model: PolicyModel, operation: string, args: Args): boolean {
  if (operation.startsWith('delete')) return heard.deletes(model)
  if (operation.startsWith('create')) return toArray(args['data']).some((data) => creates(heard, model, data))
  if (operation.startsWith('update')) return changes(heard, model, args['data'])
  return creates(heard, model, args['create']) || changes(heard, model, args['update'])
}

function creates(heard: HookedModels, model: PolicyModel, data: unknown): boolean {
  return heard.creates(model) || nests(heard, model, data)
}

function changes(heard: HookedModels, model: PolicyModel, data: unknown): boolean {
  if (heard.updates(model) || nests(heard, model, data)) return true
  const referred = heard.referred(model)
  return referred.size > 0 && isObject(data) && Object.keys(data).some((name) => referred.has(name))
}

function nests(heard: HookedModels, model: PolicyModel, data: unknown): boolean {
  if (!isObject(data)) return false
  return Object.entries(data).some(([name, operations]) => {
    const relation = model.relations.get(name)
    if (!relation || !isObject(operations)) return false
    return Object.entries(operations).some(([operation, value]) => {
      return toArray(value).some((one) => writes(heard, model, relation, operation, one))
    })
  })
}

/** Whether one nested write is told. */
function writes(
  heard: HookedModels,
  model: PolicyModel,
  relation: PolicyRelation,
  operation: string,
  value: unknown,
): boolean {
  const { target, many } = relation
  const member = (name: string): unknown => (isObject(value) ? value[name] : undefined)
  // Another row lets go of a key that only one may have.
  const ties = isOneToOneKey(model, relation) ? heard.updates(model) : tiesRows(relation) && heard.updates(target)
  switch (operation) {
    case 'connect':
    case 'disconnect':
    case 'set':
      return ties
    case 'create':
      // The row that is in its place leaves.
      return creates(heard, target, value) || (ties && !many)
    case 'createMany':
      return heard.creates(target)
    case 'connectOrCreate':
      return ties || creates(heard, target, member('create'))
    case 'update':
    case 'updateMany':
      return changes(heard, target, value) || changes(heard, target, member('data'))
    case 'upsert':
      return creates(heard, target, member('create')) || changes(heard, target, member('update'))
    case 'delete':
    case 'deleteMany':
      return heard.deletes(target)
    default:
      return true
  }
}

/** Whether rows of the other model hold the key: not the row itself, nor a table between the two. */
function tiesRows({ foreignKey, many, back }: PolicyRelation): boolean {
  return !foreignKey && !(many && back?.many)
}
