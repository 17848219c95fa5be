import { PolicyError } from '../../errors/policy-error.js'
import { type Condition, toFilter } from '../rules/condition.js'
import { matchingKeysQuery } from '../read/matching-keys-query.js'
import { idFilter, rowKey } from '../row-id.js'
import type { Action } from '../rules/rules.js'
import { ruleName, type PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'
import { ACTION_VERBS, postUpdateCondition } from './write-condition.js'
import type { WriteContext, DeferredCheck } from './write-context.js'

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
  deferRowCheck(writeContext, 'update', model, row, postUpdateCondition(writeContext.rules, model, names, condition))
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
