import type { ComputedLookup } from '../../prisma/internals.js'
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
  readonly polarity: Polarity
}

/**
 * Whether a filter is negated. This matters for conditions that the database may evaluate to unknown. With `undetermined`, the result
 * depends on Prisma's SQL: inside `isNot`, a join keeps "unknown", but a subquery turns it into false.
 */
type Polarity = 'plain' | 'negated' | 'undetermined'

/** Creates the context of a read. */
export function createReadContext({ rules, computed }: Pick<ReadContext, 'rules' | 'computed'>): ReadContext {
  return { rules, computed, cursors: [], polarity: 'plain' }
}

/** Returns the context for a filter inside `NOT`. */
export function negateContext(readContext: ReadContext): ReadContext {
  if (readContext.polarity === 'undetermined') return readContext
  return { ...readContext, polarity: readContext.polarity === 'plain' ? 'negated' : 'plain' }
}

/** A cursor whose row must be readable. */
export interface Cursor {
  readonly model: PolicyModel
  /** Matches the row if it is readable. */
  readonly where: Args
  /** Changes the arguments so that they match no rows, as if the row of the cursor did not exist. */
  readonly drop: () => void
}

/** The fields and relations of one model that arguments use, in any position. */
export type UsedFields = Set<string>
