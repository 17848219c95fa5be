import type { Limits } from '../limits.js'
import type { Operation } from '../resource.js'
import type { Model } from '../schema.js'
import { type Args, choiceAt, refuseName } from './guard/refuse.js'
import { where } from './guard/where.js'

const OPERATIONS: Readonly<Record<string, readonly Operation[]>> = {
  read: ['list', 'get'],
  create: ['create'],
  update: ['update'],
  delete: ['delete'],
}

/**
 * Answers `check` (design, section 5): whether the model offers an operation at all. `where` is checked as every filter is.
 * @param given `{ operation, where? }`
 */
export function check(model: Model, given: Args, limits: Limits): boolean {
  for (const key of Object.keys(given)) if (key !== 'operation' && key !== 'where') refuseName(key, '')
  const operation = choiceAt(given['operation'], Object.keys(OPERATIONS), 'operation')
  if (Object.hasOwn(given, 'where')) where(model, given['where'], 'where', limits)
  return OPERATIONS[operation]?.some((needed) => model.operations.has(needed)) ?? false
}
