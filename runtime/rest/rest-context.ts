import type { AdjustArgs } from '../prisma/computed-fields.js'
import type { Dialect } from '../prisma/dialect.js'
import type { Schema } from '../schema/model.js'
import type { ConditionalContext } from './conditional-requests.js'
import type { RestModel } from './rest-model.js'
import type { JoinLimitedLists } from './orm/loading-types.js'
import type { Selector } from './orm/selection.js'
import type { Settings } from './settings.js'

/** The context shared by all endpoints of a handler. */
export interface RestContext extends ConditionalContext {
  readonly settings: Settings
  readonly schema: Schema
  /** All models, by name. */
  readonly models: ReadonlyMap<string, RestModel>
  /** All models, by resource type. */
  readonly byType: ReadonlyMap<string, RestModel>
  readonly selector: Selector
  readonly dialect: Dialect
  readonly adjust: AdjustArgs
  /** Loads limited lists together. Undefined if each limited list requires its own query. */
  readonly joinLists: JoinLimitedLists | undefined
}
