import type { Field } from '../schema/resource.js'
import type { Model } from '../schema/schema.js'
import { isObject } from '../values/is-object.js'
import type { AdjustArgs } from './computed-args.js'

/** What says how a client with the preview feature `relationJoins` loads relations. Others refuse it. */
export const STRATEGY = 'relationLoadStrategy'

/**
 * Has the client load relations by queries of their own where a join would not give all values as they are. With the preview feature it
 * takes joins where nothing is said, of which Prisma 7.10 reads the values out of JSON: digits of a Decimal are lost, and a list of BigInts
 * ends in an error.
 * @param args of one row or several, also of a write that answers with the row
 * @returns the same object where nothing is in the way
 */
export function withQueryStrategy<A extends object>(model: Model, args: A): A {
  return joinLosesPrecision(model, args) ? { ...args, [STRATEGY]: 'query' } : args
}

/** The same, of all that is fitted to a client. */
export function withQueryStrategyAdjust(adjust: AdjustArgs): AdjustArgs {
  return (client, model, args) => {
    const adjusted = adjust(client, model, args)
    return { ...adjusted, args: withQueryStrategy(model, adjusted.args) }
  }
}

/** Whether a join would lose something of related rows, at any depth. */
export function joinLosesPrecision(model: Model, args: object): boolean {
  const { select, include }: { select?: unknown; include?: unknown } = args
  return [select, include].filter(isObject).some((members) =>
    Object.entries(members).some(([name, value]) => {
      const target = model.relations.get(name)?.target
      if (!target || !value) return false
      const below = isObject(value) ? value : {}
      return losesFields(target, below['select']) || joinLosesPrecision(target, below)
    }),
  )
}

function losesFields({ fields, relations }: Model, select: unknown): boolean {
  const all = [...fields.values()]
  if (!isObject(select)) return all.some(isLost)
  return Object.entries(select).some(([name, value]) => {
    const field = fields.get(name)
    if (!value || relations.has(name) || name === '_count') return false
    // A computed field may be made of any.
    return field ? isLost(field) : all.some(isLost)
  })
}

function isLost({ type, list }: Field): boolean {
  return type === 'Decimal' || (type === 'BigInt' && list === true)
}
