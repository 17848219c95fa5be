import { isObject } from '../../values/is-object.js'
import { restrict } from '../rules/condition.js'
import type { ReadContext } from './read-context.js'
import type { PolicyModel } from '../policy-schema.js'
import { toArray, type Args, asArgs } from '../args.js'
import { type DeferredOrder, denyOrder } from './related-order.js'

/** A query in two parts: rows with a readable related row to order by, then the others. */
export interface SplitQuery {
  readonly model: PolicyModel
  readonly first: Args
  readonly second: Args
}

/**
 * Splits a query in two if its first sort order is by a related row that is not always readable. Rows whose related row is not readable are
 * treated like rows without one: both come last, sorted by the remaining orders.
 * @param args the arguments, with the rewritten filter
 * @returns undefined if there is no such sort order
 * @throws PolicyError if the query cannot be split
 */
export function splitQuery(
  { rules }: ReadContext,
  model: PolicyModel,
  args: Args,
  [deferred, ...others]: readonly DeferredOrder[],
): SplitQuery | undefined {
  if (!deferred) return undefined
  const { relation, condition, index } = deferred
  const take = args['take']
  const isPlain = args['cursor'] === undefined && args['distinct'] === undefined && !(Number(take ?? 0) < 0)
  const [first, ...rest] = toArray(args['orderBy'])
  const isOnlyOrder = Object.keys(asArgs(first, 'The order of rows')).length === 1
  if (index > 0 || others.length > 0 || !isPlain || !isOnlyOrder) return denyOrder(model, relation)
  const fields = [undefined, ...relation.target.fields.keys(), ...relation.target.relations.keys()]
  if (!fields.every((field) => rules.isExact('read', relation.target, field))) return denyOrder(model, relation)
  const where = isObject(args['where']) ? args['where'] : {}
  const part = (operator: 'is' | 'isNot') => restrict(model, where, [{ [relation.name]: { [operator]: condition } }])
  const { orderBy, ...unordered } = args
  void orderBy
  return {
    model,
    first: { ...args, where: part('is') },
    second: { ...unordered, where: part('isNot'), ...(rest.length > 0 && { orderBy: rest }) },
  }
}

/**
 * Runs both parts of a split query and concatenates the results.
 * @param count returns the number of rows that match a filter
 */
export async function runSplitQuery(
  { first, second }: SplitQuery,
  run: (args: Args) => PromiseLike<unknown>,
  count: (where: unknown) => PromiseLike<number>,
): Promise<unknown[]> {
  const rows = toArray(await run(first))
  const take = first['take'] === undefined ? undefined : Number(first['take'])
  if (take !== undefined && rows.length >= take) return [...rows]
  const skip = Number(first['skip'] ?? 0)
  const left = rows.length > 0 || skip === 0 ? 0 : Math.max(0, skip - (await count(first['where'])))
  const paged = { ...second, skip: left, ...(take !== undefined && { take: take - rows.length }) }
  return [...rows, ...toArray(await run(paged))]
}
