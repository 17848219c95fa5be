import type { Limits } from '../limits.js'

/** Whether the response contains the total. `exact` requires an additional query if the page does not determine the total. */
export type Total = 'exact' | 'none'

/** The validated options of a REST handler, with defaults applied. */
export interface Settings {
  readonly endpoint: string
  readonly pageSize: number
  readonly maxPageSize: number
  readonly pagination: 'offset' | 'cursor'
  readonly total: Total
  readonly strict: boolean
  readonly databaseMessages: boolean
  readonly limits: Limits
  /** Returns the `type` of a model's resources. */
  readonly typeOf: (model: string) => string
  /** Whether a model is exposed at the path named after its type. False if `modelNameMapping` omits the model. */
  readonly isExposed: (model: string) => boolean
  /** Returns the alternative spellings of a model's path, which redirect to its type. Empty if `modelNameMapping` is set. */
  readonly getAliases: (model: string) => readonly string[]
  readonly externalId: (model: string) => string | undefined
}
