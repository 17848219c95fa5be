import { isObject } from '../../values/is-object.js'
import { allOf, type Condition, toFilter, restrict } from '../rules/condition.js'
import type { ReadContext } from './read-context.js'
import type { PolicyModel, PolicyRelation } from '../policy-schema.js'
import { toArray, type Args, asArgs } from '../args.js'
import { deny } from '../../errors/policy-error.js'

/** A sort order by a related row that is not always readable. */
export interface DeferredOrder {
  readonly relation: PolicyRelation
  /** The condition that the related row must meet. */
  readonly condition: Args
  /** The index in the list of sort orders. */
  readonly index: number
}

/** A query in two parts: rows with a readable related row to order by, then the others. */
export interface SplitQuery {
  readonly model: PolicyModel
  readonly first: Args
  readonly second: Args
}

/**
 * Whether the read rule of the model itself requires a related row that meets a condition. The sort order then depends only on readable
 * rows.
 */
export function isImplied({ rules }: ReadContext, model: PolicyModel, name: string, condition: Args): boolean {
  return implies(rules.condition('read', model), name, condition)
}

function implies(rule: Condition | unknown, name: string, condition: Args): boolean {
  if (!isObject(rule)) return false
  return Object.entries(rule).some(([key, value]) => {
    if (key === 'AND') return toArray(value).some((part) => implies(part, name, condition))
    if (key === 'OR') return toArray(value).length > 0 && toArray(value).every((part) => implies(part, name, condition))
    if (key !== name || !isObject(value) || !isObject(value['is'])) return false
    const ruleParts = new Set(listParts(value['is']))
    return listParts(condition).every((part) => ruleParts.has(part))
  })
}

/** Splits a filter into the parts that AND combines, each serialized as a string. */
function listParts(filter: Args): string[] {
  return Object.entries(filter).flatMap(([key, value]) => {
    if (key === 'AND') return toArray(value).flatMap((part) => (isObject(part) ? listParts(part) : []))
    return [textOf({ [key]: value })]
  })
}

function textOf(filter: Args): string {
  return JSON.stringify(filter, (_, value: unknown) => {
    if (typeof value === 'bigint') return `${value}n`
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

/**
 * Rejects a sort order by related rows, and describes the alternatives.
 * @throws PolicyError
 */
export function denyOrder(model: PolicyModel, { name, target }: PolicyRelation): never {
  return deny(
    `Rows cannot be ordered by "${name}" here: not all rows of ${target.name} are readable. Order by "${name}" first, in a ` +
      `"findMany" without "cursor" and "distinct", or repeat the rule on ${target.name} in the rule on ${model.name}, as in ` +
      `can('read', '${model.name}', { ${name}: { … } }) next to can('read', '${target.name}', { … }).`,
  )
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

/**
 * Returns the filter that a related row must match so that rows may be ordered by it: the row and the fields in the sort order are
 * readable.
 */
export function relatedOrderCondition(target: PolicyModel, conditions: readonly Condition[]): Args | true {
  const condition = allOf(conditions)
  return condition === true ? true : toFilter(target, condition)
}
