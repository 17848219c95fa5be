import { deny, PolicyError } from '../../errors/policy-error.js'
import { callClient } from '../../prisma/call-client.js'
import type { Args } from '../args.js'
import { qualifiedName, ruleName, type PolicyModel, idFilter, rowKey } from '../policy-schema.js'
import { matchingKeysQuery } from '../read/redact.js'
import { allOf, type Condition, restrict, toFilter } from '../rules/condition.js'
import type { Action, Rules } from '../rules/rules.js'
import type { WriteContext, DeferredCheck } from './write-context.js'

/** The past participle of each action, for error messages. */
const ACTION_VERBS: Readonly<Record<string, string>> = {
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

/** Defers the check that a row meets a condition until all rows are written. */
export function deferRowCheck(
  writeContext: WriteContext,
  action: Action,
  model: PolicyModel,
  row: Args,
  condition: Condition,
): void {
  if (condition === true) return
  writeContext.checks.push({
    model,
    id: idFilter(model, row),
    condition: toFilter(model, condition),
    failure: () =>
      new PolicyError(
        `A row of ${model.name} may not be ${ACTION_VERBS[action]} with these values: ` +
          `${ruleName(action, model)} does not match it.`,
      ),
  })
}

/**
 * Defers the check that an updated row is allowed in its final state.
 * @param names the fields and relations that were updated
 * @param condition the condition under which the row could be updated; it also applies to the final state if there is no `post-update` rule
 * @throws PolicyError if no final state is allowed
 */
export function deferUpdateCheck(
  writeContext: WriteContext,
  model: PolicyModel,
  row: Args,
  names: readonly string[],
  condition: Condition,
): void {
  const { rules } = writeContext
  deferRowCheck(writeContext, rules.outcome(model), model, row, postUpdateCondition(rules, model, names, condition))
}

/**
 * Runs all deferred checks, with one query per model and condition. This is the last step of a write before its transaction commits.
 * @throws PolicyError if a row fails its check
 */
export async function runDeferredChecks(writeContext: WriteContext): Promise<void> {
  const groups = new Map<string, DeferredCheck[]>()
  for (const check of writeContext.checks) {
    const key = `${check.model.name} ${conditionKey(check.condition)}`
    const group = groups.get(key) ?? []
    group.push(check)
    groups.set(key, group)
  }
  const matchRows = matchingKeysQuery(() => writeContext.client)
  for (const group of groups.values()) {
    const [first] = group
    if (!first) continue
    const matching = await matchRows(
      first.model,
      group.map(({ id }) => id),
      first.condition,
    )
    const failed = group.find(({ model, id }) => !matching.has(rowKey(model, id)))
    if (failed) throw failed.failure()
  }
}

const conditionKeys = new WeakMap<Args, number>()
let lastKey = 0

/**
 * Returns a key that identifies a condition. Conditions are compared by identity: there are few of them, and each ability caches its
 * conditions.
 */
function conditionKey(condition: Args): number {
  const cached = conditionKeys.get(condition)
  if (cached !== undefined) return cached
  lastKey += 1
  conditionKeys.set(condition, lastKey)
  return lastKey
}
