import { type Limits, costLimitMessage } from '../../limits.js'
import { filterCost, orderCost } from '../../prisma/filter-cost.js'
import type { Model } from '../../schema/model.js'
import { isObject } from '../../values/is-object.js'
import { type Args, limitExceeded } from './argument-helpers.js'

/** Nested writes whose value is a condition. */
const CONDITIONS: ReadonlySet<string> = new Set(['connect', 'disconnect', 'delete', 'deleteMany', 'set'])

/**
 * Rejects arguments whose conditions and sort orders, at any depth, are too expensive for the database.
 * @param args the validated arguments of a call
 */
export function assertCost(model: Model, args: Args, limits: Limits): void {
  const cost = argumentsCost(model, args)
  if (cost > limits.filterCost) limitExceeded('filterCost', costLimitMessage(cost, limits))
}

/** Returns the cost of all conditions and sort orders of a call, in points. */
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
    for (const [operation, write] of Object.entries(member)) cost += writeCost(relation.target, operation, write)
  }
  return cost
}

function writeCost(model: Model, operation: string, write: unknown): number {
  if (CONDITIONS.has(operation)) return filterCost(model, write)
  if (Array.isArray(write)) return write.reduce<number>((sum, part) => sum + writeCost(model, operation, part), 0)
  if (!isObject(write)) return 0
  // The write is the data of a row, or contains data and a condition.
  return dataCost(model, write) + argumentsCost(model, write)
}
