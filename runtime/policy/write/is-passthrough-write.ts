import { isObject } from '../../values/is-object.js'
import { type ReadContext, createReadContext } from '../read/read-context.js'
import { readableCondition } from '../read/readable-condition.js'
import type { Action, Rules } from '../rules/rules.js'
import type { PolicyModel, PolicySchema } from '../policy-schema.js'
import { readableSelection } from '../read/readable-selection.js'
import { definedEntries, toArray, type Args } from '../args.js'
import { flattenUniqueWhere, readableWhere } from '../read/readable-where.js'
import { relationsUsingFields } from './assert-targets-readable.js'

const ACTIONS: readonly Action[] = ['create', 'read', 'update', 'delete']

/** Whether a write can be passed to the client unchanged: everything that it writes and returns is allowed on every row. */
export function isPassthroughWrite(
  access: Pick<ReadContext, 'rules' | 'computed'>,
  schema: PolicySchema,
  model: PolicyModel,
  operation: string,
  args: Args,
): boolean {
  // Nested writes are inspected even if every model is open, because they could reach a hidden model that has no rules.
  const { rules } = access
  const readContext = createReadContext(access)
  if (!rules.isOpen('read', model)) return false
  const selected = readableSelection(readContext, model, args)
  if (selected.args !== args || selected.plan || readContext.cursors.length > 0) return false
  if (args['where'] !== undefined) {
    const where = flattenUniqueWhere(model, args['where'])
    if (readableWhere(readContext, model, where) !== where) return false
  }
  if (operation.startsWith('delete')) return rules.isOpen('delete', model)
  const data = operation === 'upsert' ? [args['create'], args['update']] : toArray(args['data'])
  const isCreate = operation === 'upsert' || operation.startsWith('create')
  const isUpdate = operation === 'upsert' || operation.startsWith('update')
  if (isCreate && !rules.isOpen('create', model)) return false
  if (isUpdate && !(rules.isOpen('update', model) && rules.isOpen(rules.outcome(model), model))) return false
  return data.every((row) => isPlainData(rules, schema, model, row))
}

/**
 * Whether a write connects rows under a condition. Prisma checks the condition in a separate query, but policies check it in the statement
 * that connects the rows.
 */
export function connectsConditionally({ relations }: PolicyModel, { data, create, update }: Args): boolean {
  return [data, create, update].flatMap(toArray).some((row) => {
    return isObject(row) && definedEntries(row).some(([name, value]) => relations.has(name) && hasCondition(value))
  })
}

function hasCondition(operations: unknown): boolean {
  return isObject(operations) && toArray(operations['connect']).some((where) => isObject(where) && 'AND' in where)
}

function isPlainData(rules: Rules, schema: PolicySchema, model: PolicyModel, data: unknown): boolean {
  if (!isObject(data)) return false
  const names = new Set(definedEntries(data).map(([name]) => name))
  // Nested operations may find rows by masked fields.
  const mayNest = () => !rules.isMasked && areAllOpen(rules, schema)
  for (const name of names) if (!model.fields.has(name)) return mayNest() && isSimpleData(model, data)
  return relationsUsingFields(model, names).every(({ target }) =>
    readableCondition({ rules }, target, []).every((condition) => condition === true),
  )
}

/** Whether every action is allowed on every model of the schema. Nested writes that only use these models are then allowed too. */
function areAllOpen(rules: Rules, schema: PolicySchema): boolean {
  return [...schema.values()].every((model) =>
    [...ACTIONS, rules.outcome(model)].every((action) => rules.isOpen(action, model)),
  )
}

function isSimpleData(model: PolicyModel, data: unknown): boolean {
  if (Array.isArray(data)) return data.every((item) => isSimpleData(model, item))
  if (!isObject(data)) return true
  return definedEntries(data).every(([name, value]) => {
    if (model.fields.has(name)) return true
    const relation = model.relations.get(name)
    if (!relation || !isObject(value)) return false
    return definedEntries(value).every(([operation, written]) => isSimpleWrite(relation.target, operation, written))
  })
}

function isSimpleWrite(target: PolicyModel, operation: string, written: unknown): boolean {
  if (operation === 'create') return isSimpleData(target, written)
  return operation === 'connect' || operation === 'disconnect' || operation === 'set'
}
