import type { Field } from '../schema/resource.js'
import type { Model } from '../schema/model.js'
import { isObject } from '../values/is-object.js'

/** The argument that selects how a client with the preview feature `relationJoins` loads relations. Other clients reject it. */
export const STRATEGY = 'relationLoadStrategy'

/**
 * Selects a safe strategy for loading the relations of a call. Implemented by the feature `loadStrategy`.
 * @param args the arguments of an operation that returns one row, or of a read that returns multiple rows
 * @returns the same object if the client's default is safe
 */
export type WithSafeStrategy = <A extends object>(model: Model, args: A) => A

/**
 * Adds `relationLoadStrategy: 'query'` if a join would not return all values exactly. With the preview feature, Prisma 7.10 uses joins by
 * default and parses their values from JSON: digits of a Decimal are lost, and a list of BigInts causes an error.
 * @param args the arguments of a read, or of a write that returns the row
 * @returns the same object if no change is needed
 */
export function withQueryStrategy<A extends object>(model: Model, args: A): A {
  return joinLosesPrecision(model, args) ? { ...args, [STRATEGY]: 'query' } : args
}

/** Whether a join would lose precision in related rows, at any depth. */
export function joinLosesPrecision(model: Model, args: object): boolean {
  const { select, include }: { select?: unknown; include?: unknown } = args
  return [select, include].filter(isObject).some((members) =>
    Object.entries(members).some(([name, value]) => {
      const target = model.relations.get(name)?.target
      if (!target || !value) return false
      const nested = isObject(value) ? value : {}
      return losesFields(target, nested['select']) || joinLosesPrecision(target, nested)
    }),
  )
}

function losesFields({ fields, relations }: Model, select: unknown): boolean {
  const all = [...fields.values()]
  if (!isObject(select)) return all.some(losesPrecision)
  return Object.entries(select).some(([name, value]) => {
    const field = fields.get(name)
    if (!value || relations.has(name) || name === '_count') return false
    // A computed field may depend on any field.
    return field ? losesPrecision(field) : all.some(losesPrecision)
  })
}

function losesPrecision({ type, list }: Field): boolean {
  return type === 'Decimal' || (type === 'BigInt' && list === true)
}
