import type { ComputedLookup } from '../../orm/computed-fields.js'
import type { Rules } from '../rules/rules.js'
import type { PolicyModel } from '../policy-schema.js'
import type { Args } from '../args.js'

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
