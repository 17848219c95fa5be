import { isObject } from '../values/is-object.js'
import type { Allows } from '../orm/allows.js'
import { callClient } from '../orm/client-port.js'
import { restrict } from './rules/condition.js'
import { createReadContext } from './read/context.js'
import type { Rules } from './rules/rules.js'
import type { PolicyModel, PolicySchema } from './schema.js'
import { definedMembers, type Args } from './args.js'
import { readableWhere } from './read/where.js'

/**
 * Answers whether an action is allowed.
 *
 * Without `where`: on any row at all, without a look at rows. With it: on a row that meets it and may be read; for `create`, on a
 * row that has the values that it says, as far as these decide it. For `read` as well, where they name no row and decide it.
 * @param rulesNow the rules as they are when it is asked
 * @param client sees every row
 */
export function checkAllowed(schema: PolicySchema, rulesNow: () => Rules, client: object): Allows {
  const answer: Allows = async (name, action, where) => {
    const model = schema.get(name)
    if (!model) return false
    const rules = rulesNow()
    const condition = rules.condition(action, model)
    if (condition === false || where === undefined) return condition !== false
    if (action === 'create') return condition === true || decides(model, condition, where)
    if (action === 'read' && !namesRow(model, where)) {
      const isMet = condition === true || holds(model, condition, where)
      if (isMet !== undefined) return isMet
    }
    // A row that may not be read cannot be changed either.
    const found = readableWhere(createReadContext({ rules }), model, where)
    return (await callClient(client, model, 'count', { where: restrict(model, found, [condition]), take: 1 })) > 0
  }
  return Object.assign(answer, {
    restricts(name: string, field: string) {
      const model = schema.get(name)
      const rules = rulesNow()
      if (!model || !rules.hasFieldRules('read', model)) return false
      return rules.condition('read', model, field) !== rules.condition('read', model)
    },
    showsAll(name: string) {
      const model = schema.get(name)
      return model !== undefined && rulesNow().isOpen('read', model)
    },
  })
}

/** Whether a filter asks for one row, by a unique criterion. */
function namesRow(model: PolicyModel, where: Args): boolean {
  const names = definedMembers(where).map(([name]) => name)
  return names.some((name) => model.uniques.has(name) || model.compounds.has(name))
}

/** Whether values alone meet a condition. Of what they do not tell, nothing is assumed. */
function decides(model: PolicyModel, condition: Args, values: Args): boolean {
  return holds(model, condition, values) === true
}

function holds(model: PolicyModel, condition: unknown, values: Args): boolean | undefined {
  if (!isObject(condition)) return undefined
  const parts = definedMembers(condition).map(([key, value]): boolean | undefined => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (key === 'AND') return every(list.map((one) => holds(model, one, values)))
    if (key === 'OR') return not(every(list.map((one) => not(holds(model, one, values)))))
    if (key === 'NOT') return every(list.map((one) => not(holds(model, one, values))))
    return model.fields.has(key) && key in values ? meets(value, values[key]) : undefined
  })
  return every(parts)
}

function meets(filter: unknown, given_: unknown): boolean | undefined {
  const value = isObject(given_) && Object.keys(given_).length === 1 && 'equals' in given_ ? given_['equals'] : given_
  if (isObject(value)) return undefined
  if (!isObject(filter)) return same(filter, value)
  return every(
    definedMembers(filter).map(([operator, operand]) => {
      if (operator === 'equals') return same(operand, value)
      if (operator === 'not') return isObject(operand) ? not(meets(operand, value)) : not(same(operand, value))
      if (operator === 'in' && Array.isArray(operand)) return operand.some((one) => same(one, value))
      return undefined
    }),
  )
}

function same(a: unknown, b: unknown): boolean {
  return a === b || (a instanceof Date && b instanceof Date && a.getTime() === b.getTime())
}

function every(parts: readonly (boolean | undefined)[]): boolean | undefined {
  if (parts.includes(false)) return false
  return parts.includes(undefined) ? undefined : true
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value
}
