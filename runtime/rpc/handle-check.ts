import { policyCheckOf, type CheckedAction } from '../prisma/policy-check.js'
import type { Limits } from '../limits.js'
import type { Operation } from '../schema/resource.js'
import type { Model } from '../schema/model.js'
import { assertCost } from './guard/assert-cost.js'
import { type Args, expectEnum, unknownName } from './guard/argument-helpers.js'
import { where } from './guard/where/where.js'

const ACTIONS = ['read', 'create', 'update', 'delete'] as const satisfies readonly CheckedAction[]

const OPERATIONS: Readonly<Record<CheckedAction, readonly Operation[]>> = {
  read: ['list', 'get'],
  create: ['create'],
  update: ['update'],
  delete: ['delete'],
}

/**
 * Handles `check`: returns whether the model exposes an operation and the client's access policies, if any, allow it. `where` is validated
 * like any other filter.
 * @param input `{ operation, where? }`
 * @param client returns the client of the request
 */
export async function handleCheck(model: Model, input: Args, limits: Limits, client: () => unknown): Promise<boolean> {
  for (const key of Object.keys(input)) if (key !== 'operation' && key !== 'where') unknownName(key, '')
  const operation = expectEnum(input['operation'], ACTIONS, 'operation')
  const filter = Object.hasOwn(input, 'where') ? where(model, input['where'], 'where', limits) : undefined
  assertCost(model, { where: filter }, limits)
  if (!OPERATIONS[operation].some((candidate) => model.operations.has(candidate))) return false
  const allows = policyCheckOf(await client())
  return allows ? allows(model.name, operation, filter) : true
}
