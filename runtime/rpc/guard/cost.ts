import { type Limits, costLimitExceeded } from '../../limits.js'
import { filterCost, orderCost } from '../../orm/filter-cost.js'
import type { Model } from '../../schema/schema.js'
import { isObject } from '../../values/is-object.js'
import { type Args, limitExceeded } from './arguments.js'

/** Nested writes, what each of which is given is a condition itself. */
const CONDITIONS: ReadonlySet<string> = new Set(['connect', 'disconnect', 'delete', 'deleteMany', 'set'])

/**
 * Refuses arguments whose conditions and orders, wherever they stand, would make the database look at its rows too often.
 * @param args checked arguments of a call
 */
export function assertCost(model: Model, args: Args, limits: Limits): void {
  const cost = argumentsCost(model, args)
  if (cost > limits.filterCost) limitExceeded('filterCost', costLimitExceeded(cost, limits))
}

/** What the conditions and orders of a call cost, in points. */
export function argumentsCost(model: Model, args: Args): number {
  const { where, cursor, having, orderBy, select, include, data, create, update } = args
  return (
    filterCost(model, where) +
    filterCost(model, cursor) +
    filterCost(model, having) +
    orderCost(model, orderBy) +
    selectionCost(model, select) +
    selectionCost(model, include) +
    dataCost(model, data) +
    dataCost(model, create) +
    dataCost(model, update)
  )
}

function selectionCost(model: Model, selection: unknown): number {
  if (!isObject(selection)) return 0
  let cost = 0
  for (const [name, member] of Object.entries(selection)) {
    if (!isObject(member)) continue
    const target = name === '_count' ? model : model.relations.get(name)?.target
    if (target) cost += argumentsCost(target, member)
  }
  return cost
}

function dataCost(model: Model, data: unknown): number {
  if (Array.isArray(data)) return data.reduce<number>((sum, row) => sum + dataCost(model, row), 0)
  if (!isObject(data)) return 0
  let cost = 0
  for (const [name, member] of Object.entries(data)) {
    const relation = model.relations.get(name)
    if (!relation || !isObject(member)) continue
    for (const [operation, given] of Object.entries(member)) cost += writeCost(relation.target, operation, given)
  }
  return cost
}

function writeCost(model: Model, operation: string, given: unknown): number {
  if (CONDITIONS.has(operation)) return filterCost(model, given)
  if (Array.isArray(given)) return given.reduce<number>((sum, each) => sum + writeCost(model, operation, each), 0)
  if (!isObject(given)) return 0
  // A row's own data, or what stands beside a condition.
  return dataCost(model, given) + argumentsCost(model, given)
}
