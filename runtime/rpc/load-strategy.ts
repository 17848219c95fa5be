import { supportsLoadStrategy, type Dialect } from '../orm/dialect.js'
import { withQueryStrategy, STRATEGY } from '../orm/load-strategy.js'
import type { Model } from '../schema/schema.js'
import { isObject } from '../values/is-object.js'
import type { Args } from './guard/arguments.js'

/**
 * Has relations loaded by queries of their own where the client's joins fail, or would not give all values as they are: Prisma 7.10 makes SQL
 * that the database refuses of an included list that is ordered by how many related rows there are.
 * @param args of an operation that gives one row, or of a read of several; checked
 * @returns the same object where nothing is in the way
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

/** `{ _count: 'desc' }`, however many relations to one lead there. */
function counts(order: unknown): boolean {
  return isObject(order) && (Object.hasOwn(order, '_count') || Object.values(order).some(counts))
}

function selected(args: Args): Args {
  return { ...Object(args['select']), ...Object(args['include']) }
}
