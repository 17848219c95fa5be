import { deny } from '../../errors/policy-error.js'
import { callClient } from '../../prisma/call-client.js'
import { allOf, type Condition, restrict } from '../rules/condition.js'
import { idFilter } from '../row-id.js'
import type { Action, Rules } from '../rules/rules.js'
import { qualifiedName, ruleName, type PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'
import type { WriteContext } from './write-context.js'

/** The past participle of each action, for error messages. */
export const ACTION_VERBS: Readonly<Record<string, string>> = {
  create: 'created',
  update: 'changed',
  'post-update': 'changed',
  delete: 'deleted',
}

/**
 * Returns the condition under which a row of a model, including the given fields and relations, may be written.
 * @throws PolicyError if no row may be written
 */
export function writeCondition(rules: Rules, action: Action, model: PolicyModel, names: readonly string[]): Condition {
  const row = rules.condition(action, model)
  if (row === false)
    return deny(`No row of ${model.name} may be ${ACTION_VERBS[action]}: no rule ${ruleName(action, model)} applies.`)
  if (names.length === 0 || !rules.hasFieldRules(action, model)) return row
  return allOf(
    names.map((name) => {
      const condition = rules.condition(action, model, name)
      if (condition !== false) return condition
      const what = `${qualifiedName(model, name)} may not be written when a row is ${ACTION_VERBS[action]}`
      return deny(`${what}: no rule ${ruleName(action, model, name)} applies.`)
    }),
  )
}

/**
 * Checks that a row meets a condition at this point in the transaction.
 * @throws PolicyError if it does not
 */
export async function assertConditionMet(
  writeContext: WriteContext,
  action: Action,
  model: PolicyModel,
  row: Args,
  condition: Condition,
): Promise<void> {
  if (condition === true) return
  const where = restrict(model, idFilter(model, row), [condition])
  if ((await callClient(writeContext.client, model, 'count', { where })) === 0) {
    denyRow(action, model)
  }
}

/**
 * Denies an action on one row.
 * @throws PolicyError that names the rule whose condition the row does not meet
 */
export function denyRow(action: Action, model: PolicyModel, row = 'This row'): never {
  const verb = ACTION_VERBS[action]
  return deny(`${row} of ${model.name} may not be ${verb}: ${ruleName(action, model)} does not match it.`)
}

/** Returns the condition that a row must meet after an update. See {@link deferUpdateCheck}. */
export function postUpdateCondition(
  rules: Rules,
  model: PolicyModel,
  names: readonly string[],
  condition: Condition,
): Condition {
  const action = rules.outcome(model)
  return action === 'update' ? condition : writeCondition(rules, action, model, names)
}
