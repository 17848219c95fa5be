import { RequestError } from '../../errors/request-error.js'
import type { ComputedLookup } from '../../orm/computed-fields.js'
import { type Condition } from '../rules/condition.js'
import type { Rules } from '../rules/rules.js'
import { qualifiedName, ruleName, type PolicyModel, type PolicyRelation } from '../policy-schema.js'
import { deny, type Args } from '../args.js'

/** The context of a read under rules. */
export interface ReadContext {
  readonly rules: Rules
  /** The computed fields of the client that policies extend; undefined if it has none, or if the read selects no fields. */
  readonly computed?: ComputedLookup | undefined
  /** Cursors whose rows must be checked before the query. */
  readonly cursors: Cursor[]
  readonly sense: Sense
}

/**
 * The position of a filter, for conditions that the database may evaluate to unknown: not negated, negated, or so that the result depends
 * on Prisma's SQL. Inside `isNot`, a join keeps "unknown", but a subquery turns it into false.
 */
type Sense = 'plain' | 'negated' | 'open'

/** Creates the context of a read. */
export function createReadContext({ rules, computed }: Pick<ReadContext, 'rules' | 'computed'>): ReadContext {
  return { rules, computed, cursors: [], sense: 'plain' }
}

/** Returns the context for a filter inside `NOT`. */
export function negateContext(readContext: ReadContext): ReadContext {
  if (readContext.sense === 'open') return readContext
  return { ...readContext, sense: readContext.sense === 'plain' ? 'negated' : 'plain' }
}

/** A cursor whose row must be readable. */
export interface Cursor {
  readonly model: PolicyModel
  /** Finds the row if it is readable. */
  readonly where: Args
  /** Changes the arguments so that they find no rows, like a cursor that does not exist. */
  readonly drop: () => void
}

/** The fields and relations of one model that arguments use, in any position. */
export type UsedFields = Set<string>

/**
 * Returns the fields of the target model that a relation uses: its inverse relation. Finding a row through a relation reveals the value of
 * the inverse.
 */
export function inverseFields({ inverseRelation }: PolicyRelation): UsedFields {
  return new Set(inverseRelation ? [inverseRelation.name] : [])
}

/**
 * Returns the conditions under which a row and the used fields of it are readable. A row is treated as missing if a used field is not
 * readable.
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
      const what = `${qualifiedName(model, field)} is not readable and cannot be used in filters, orders or aggregates`
      deny(`${what}: no rule ${ruleName('read', model, field)} applies.`)
    }
    conditions.push(condition)
  }
  return conditions
}

function denyMasked(model: PolicyModel, field: string): never {
  const detail = `${qualifiedName(model, field)} is masked and cannot be used in filters, orders or aggregates.`
  throw new RequestError({ code: 'forbidden', detail })
}
