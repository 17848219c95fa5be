import type { Feature } from '../../http/feature.js'
import { STRATEGY, type WithSafeStrategy, withQueryStrategy } from '../../prisma/load-strategy.js'
import { isObject } from '../../values/is-object.js'

/**
 * Loads relations with separate queries if a join would fail or lose precision. The client must have the preview feature `relationJoins`.
 * Called by the emitted `index.ts`.
 */
export function loadStrategy(): Feature<'loadStrategy'> {
  return { name: 'loadStrategy', implementation: withSafeStrategy }
}

/** Prisma 7.10 generates invalid SQL for an included list that is ordered by the number of related rows, if it loads the list with a join. */
const withSafeStrategy: WithSafeStrategy = (model, args) =>
  Object.values(selected(args)).some(isOrderedByCount)
    ? { ...args, [STRATEGY]: 'query' }
    : withQueryStrategy(model, args)

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

function selected(args: object): Record<string, unknown> {
  const { select, include }: { select?: object; include?: object } = args
  return { ...select, ...include }
}
