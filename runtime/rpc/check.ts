import { policyCheckOf, type CheckedAction } from '../orm/allows.js'
import type { Limits } from '../limits.js'
import type { Operation } from '../schema/resource.js'
import type { Model } from '../schema/schema.js'
import { assertCost } from './guard/cost.js'
import { type Args, expectEnum, unknownName } from './guard/arguments.js'
import { where } from './guard/where/where.js'

const ACTIONS = ['read', 'create', 'update', 'delete'] as const satisfies readonly CheckedAction[]

const OPERATIONS: Readonly<Record<CheckedAction, readonly Operation[]>> = {
  read: ['list', 'get'],
  create: ['create'],
  update: ['update'],
  delete: ['delete'],
}

/**
 * Answers `check` (design, section 5): whether the model offers an operation at all, and whether the client's access policies
 * allow it, where it has some. `where` is checked as every filter is.
 * @param given `{ operation, where? }`
 * @param client gives the client of the request
 */
export async function check(model: Model, given: Args, limits: Limits, client: () => unknown): Promise<boolean> {
  for (const key of Object.keys(given)) if (key !== 'operation' && key !== 'where') unknownName(key, '')
  const operation = expectEnum(given['operation'], ACTIONS, 'operation')
  const filter = Object.hasOwn(given, 'where') ? where(model, given['where'], 'where', limits) : undefined
  assertCost(model, { where: filter }, limits)
  if (!OPERATIONS[operation].some((needed) => model.operations.has(needed))) return false
  const allows = policyCheckOf(await client())
  return allows ? allows(model.name, operation, filter) : true
}
