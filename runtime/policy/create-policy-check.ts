import { isObject } from '../values/is-object.js'
import type { Allows } from '../prisma/policy-check.js'
import { callClient } from '../prisma/call-client.js'
import { restrict } from './rules/condition.js'
import { createReadContext } from './read/read-context.js'
import type { Rules } from './rules/rules.js'
import type { PolicyModel, PolicySchema } from './policy-schema.js'
import { definedEntries, type Args } from './args.js'
import { readableWhere } from './read/readable-where.js'

/**
 * Creates the `$check` method of a client, which returns whether an action is allowed.
 *
 * Without `where`, it checks whether the action is allowed on any row, and does not query the database. With `where`, it checks whether the
 * action is allowed on any readable row that matches. For `create`, `where` contains the values of the new row, which must be sufficient to
 * decide. For `read` without a unique criterion, no query is needed if the values in `where` are sufficient.
 * @param getRules returns the current rules
 * @param client the client that can access every row
 */
export function createPolicyCheck(schema: PolicySchema, getRules: () => Rules, client: object): Allows {
  const check: Allows = async (name, action, where) => {
    const model = schema.get(name)
    if (!model) return false
    const rules = getRules()
    const condition = rules.condition(action, model)
    if (condition === false || where === undefined) return condition !== false
    if (action === 'create') return condition === true || isSufficient(model, condition, where)
    if (action === 'read' && !hasUniqueCriterion(model, where)) {
      const isMet = condition === true || matchesCondition(model, condition, where)
      if (isMet !== undefined) return isMet
    }
    // A row that is not readable cannot be written either.
    const found = readableWhere(createReadContext({ rules }), model, where)
    return (await callClient(client, model, 'count', { where: restrict(model, found, [condition]), take: 1 })) > 0
  }
  return Object.assign(check, {
    restricts(name: string, field: string) {
      const model = schema.get(name)
      const rules = getRules()
      if (!model || !rules.hasFieldRules('read', model)) return false
      return rules.condition('read', model, field) !== rules.condition('read', model)
    },
    showsAll(name: string) {
      const model = schema.get(name)
      return model !== undefined && getRules().isOpen('read', model)
    },
  })
}

/** Whether a filter contains a unique criterion. */
function hasUniqueCriterion(model: PolicyModel, where: Args): boolean {
  const names = definedEntries(where).map(([name]) => name)
  return names.some((name) => model.uniques.has(name) || model.compounds.has(name))
}

/** Whether the given values are sufficient to know that a condition is met. */
function isSufficient(model: PolicyModel, condition: Args, values: Args): boolean {
  return matchesCondition(model, condition, values) === true
}

/** Whether values meet a condition. Undefined if the database is needed to decide. */
function matchesCondition(model: PolicyModel, condition: unknown, values: Args): boolean | undefined {
  if (!isObject(condition)) return undefined
  const parts = definedEntries(condition).map(([key, value]): boolean | undefined => {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value]
    if (key === 'AND') return every(list.map((part) => matchesCondition(model, part, values)))
    if (key === 'OR') return not(every(list.map((part) => not(matchesCondition(model, part, values)))))
    if (key === 'NOT') return every(list.map((part) => not(matchesCondition(model, part, values))))
    return model.fields.has(key) && key in values ? matchesFilter(value, values[key]) : undefined
  })
  return every(parts)
}

function matchesFilter(filter: unknown, input: unknown): boolean | undefined {
  const value = isObject(input) && Object.keys(input).length === 1 && 'equals' in input ? input['equals'] : input
  if (isObject(value)) return undefined
  if (!isObject(filter)) return isEqual(filter, value)
  return every(
    definedEntries(filter).map(([operator, operand]) => {
      if (operator === 'equals') return isEqual(operand, value)
      if (operator === 'not')
        return isObject(operand) ? not(matchesFilter(operand, value)) : not(isEqual(operand, value))
      if (operator === 'in' && Array.isArray(operand)) return operand.some((candidate) => isEqual(candidate, value))
      return undefined
    }),
  )
}

function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (a instanceof Date && b instanceof Date && a.getTime() === b.getTime())
}

/** Combines results with AND. Undefined results are undecided. */
function every(parts: readonly (boolean | undefined)[]): boolean | undefined {
  if (parts.includes(false)) return false
  return parts.includes(undefined) ? undefined : true
}

function not(value: boolean | undefined): boolean | undefined {
  return value === undefined ? undefined : !value
}
