import { supportsLoadStrategy, type Dialect } from '../prisma/dialect.js'
import { withQueryStrategy, STRATEGY } from '../prisma/load-strategy.js'
import type { Model } from '../schema/model.js'
import { isObject } from '../values/is-object.js'
import type { Args } from './guard/argument-helpers.js'

/**
 * Loads relations with separate queries if the client's joins fail or lose precision. Prisma 7.10 generates invalid SQL for an included
 * list that is ordered by the number of related rows.
 * @param args validated arguments of an operation that returns one row, or of a read that returns multiple rows
 * @returns the same object if joins are safe
 */
export function withSafeLoadStrategy(model: Model, args: Args, dialect: Dialect): Args {
  if (!supportsLoadStrategy(dialect)) return args
  return Object.values(selected(args)).some(isOrderedByCount)
    ? { ...args, [STRATEGY]: 'query' }
    : withQueryStrategy(model, args)
}

function isOrderedByCount(list: unknown): boolean {
  if (!isObject(list)) return false
  const orders = [list['orderBy']].flat().filter(isObject)
  return (
    orders.some((order) => Object.values(order).some(counts)) || Object.values(selected(list)).some(isOrderedByCount)
  )
}

/** Whether a sort order is `{ _count: 'desc' }`, possibly nested in to-one relations. */
function counts(order: unknown): boolean {
  return isObject(order) && (Object.hasOwn(order, '_count') || Object.values(order).some(counts))
}

function selected(args: Args): Args {
  return { ...Object(args['select']), ...Object(args['include']) }
}
