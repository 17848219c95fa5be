import type { AdjustArgs } from '../prisma/adjust-computed-args.js'
import type { Dialect } from '../prisma/dialect.js'
import type { LockableOf } from '../prisma/owner-locks.js'
import type { Limits } from '../limits.js'
import type { Schema } from '../schema/model.js'

/** The context that the routers of all models share. */
export interface RouterContext {
  /** All property names that results can contain. */
  readonly names: ReadonlySet<string>
  readonly schema: Schema
  readonly limits: Limits
  readonly dialect: Dialect
  readonly adjust: AdjustArgs
  readonly lockableOf: LockableOf
}
