import { RequestError } from '../../errors/request-error.js'
import type { ComputedLookup } from '../../orm/computed.js'
import { type Condition } from '../rules/condition.js'
import type { Rules } from '../rules/rules.js'
import { qualifiedName, ruleName, type PolicyModel, type PolicyRelation } from '../schema.js'
import { deny, type Args } from '../args.js'

/** What reading under rules needs. */
export interface ReadContext {
  readonly rules: Rules
  /** What the client that policies extend computes itself. Undefined where that is nothing, and where nothing is selected. */
  readonly computed?: ComputedLookup | undefined
  /** Cursors whose rows have to be looked for before the query itself. */
  readonly cursors: Cursor[]
  readonly sense: Sense
}

/**
 * How a filter stands in the whole one, for conditions that may be unknown to the database: in its own sense, under a negation,
 * or so that it depends on Prisma's SQL (inside `isNot`, a join keeps "unknown" where a subquery makes it false).
 */
type Sense = 'plain' | 'negated' | 'open'

/** Begins to read. */
export function createReadContext({ rules, computed }: Pick<ReadContext, 'rules' | 'computed'>): ReadContext {
  return { rules, computed, cursors: [], sense: 'plain' }
}

/** What is read inside `NOT`. */
export function negated(reading: ReadContext): ReadContext {
  if (reading.sense === 'open') return reading
  return { ...reading, sense: reading.sense === 'plain' ? 'negated' : 'plain' }
}

/** A cursor, and what becomes of the arguments that have it where its row is not there for the caller. */
export interface Cursor {
  readonly model: PolicyModel
  /** Finds the row, if it may be read. */
  readonly where: Args
  /** Makes the arguments find nothing, as they do with a cursor that is no row. */
  readonly giveUp: () => void
}

/** The fields that arguments use of one model's rows, wherever they use them. Relations are fields too. */
export type UsedFields = Set<string>

/**
 * What a relation uses of the rows that it leads to: its other end, where that holds the foreign key, or a table between the two
 * does. Whoever finds a row through it learns what stands there.
 */
export function inverseFields({ back }: PolicyRelation): UsedFields {
  return new Set(back ? [back.name] : [])
}

/**
 * What rows must meet so that they may be read, and so that what is used of them may be: a row with a field that may not be
 * read is, where that field is used, no row.
 * @throws PolicyError where a field may never be read
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
      const what = `${qualifiedName(model, field)} may not be read, so nothing can be filtered, ordered or summed up by it`
      deny(`${what}: no rule ${ruleName('read', model, field)} applies.`)
    }
    conditions.push(condition)
  }
  return conditions
}

function denyMasked(model: PolicyModel, field: string): never {
  const detail = `${qualifiedName(model, field)} is not shown as it is, so nothing can be found, ordered or summed up by it.`
  throw new RequestError({ code: 'forbidden', detail })
}
