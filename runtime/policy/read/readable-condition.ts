import { RequestError } from '../../errors/request-error.js'
import type { Condition } from '../rules/condition.js'
import { qualifiedName, ruleName, type PolicyModel, type PolicyRelation } from '../policy-schema.js'
import { deny } from '../../errors/policy-error.js'
import type { ReadContext, UsedFields } from './read-context.js'

/**
 * Returns the fields of the target model that a relation uses: the inverse relation, if there is one. Finding a row through a relation
 * reveals the value of its inverse.
 */
export function inverseFields({ inverseRelation }: PolicyRelation): UsedFields {
  return new Set(inverseRelation ? [inverseRelation.name] : [])
}

/**
 * Returns the conditions under which a row and its used fields are readable. A row is treated as missing if a used field is not readable.
 * @throws PolicyError if a used field is never readable
 * @throws RequestError 403 if a used field is masked
 */
export function readableCondition(
  { rules }: Pick<ReadContext, 'rules'>,
  model: PolicyModel,
  used: Iterable<string>,
): Condition[] {
  if (rules.isMasked) for (const field of used) if (rules.isMasked(model, field)) denyMasked(model, field)
  const conditions = [rules.condition('read', model)]
  if (conditions[0] === false || !rules.hasFieldRules('read', model)) return conditions
  for (const field of used) {
    const condition = rules.condition('read', model, field)
    if (condition === false) {
      const what = `${qualifiedName(model, field)} is not readable and cannot be used in filters, sort orders or aggregates`
      deny(`${what}: no rule ${ruleName('read', model, field)} applies.`)
    }
    conditions.push(condition)
  }
  return conditions
}

function denyMasked(model: PolicyModel, field: string): never {
  const detail = `${qualifiedName(model, field)} is masked and cannot be used in filters, sort orders or aggregates.`
  throw new RequestError({ code: 'forbidden', detail })
}
