import { isObject } from '../../values/is-object.js'
import { allOf, type Condition, toFilter, restrict } from '../rules/condition.js'
import type { ReadContext } from './context.js'
import type { PolicyModel, PolicyRelation } from '../schema.js'
import { deny, toArray, type Args, asArgs } from '../args.js'

/** An order by a related row that not all rows may be told of. */
export interface DeferredOrder {
  readonly relation: PolicyRelation
  /** What the related row must meet. */
  readonly condition: Args
  /** The place in the list of orders. */
  readonly index: number
}

/** A query in two parts: rows that have what they are ordered by, and after them those that do not, for the caller. */
export interface SplitQuery {
  readonly model: PolicyModel
  readonly first: Args
  readonly second: Args
}

/**
 * Whether every row that may be read has, by the rule on it, a related row that meets a condition: then their order tells nothing
 * of other rows. Only what the rule itself says is seen.
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
    const said = new Set(partsOf(value['is']))
    return partsOf(condition).every((part) => said.has(part))
  })
}

/** What a filter says, part by part, each as a text. */
function partsOf(filter: Args): string[] {
  return Object.entries(filter).flatMap(([key, value]) => {
    if (key === 'AND') return toArray(value).flatMap((part) => (isObject(part) ? partsOf(part) : []))
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

/** Denies an order by related rows, and says how it can be had. */
export function denyOrder(model: PolicyModel, { name, target }: PolicyRelation): never {
  return deny(
    `Rows cannot be ordered by "${name}" here: not every row of ${target.name} may be read. Order by "${name}" first, by ` +
      `"findMany" without "cursor" and "distinct"; or let the rule on ${model.name} hold the rule on ${target.name}, as in ` +
      `can('read', '${model.name}', { ${name}: { … } }) beside can('read', '${target.name}', { … }).`,
  )
}

/**
 * Makes two queries of one whose rows are ordered by a related row first, of which not all may be read. A row whose related row may
 * not be read is one that has none: both come last, in the order of what else is asked for.
 * @param args arguments, with their filter rewritten
 */
export function splitQuery(
  { rules }: ReadContext,
  model: PolicyModel,
  args: Args,
  [late, ...others]: readonly DeferredOrder[],
): SplitQuery | undefined {
  if (!late) return undefined
  const { relation, condition, index } = late
  const take = args['take']
  const isPlain = args['cursor'] === undefined && args['distinct'] === undefined && !(Number(take ?? 0) < 0)
  const [first, ...rest] = toArray(args['orderBy'])
  const isAlone = Object.keys(asArgs(first, 'What rows are ordered by')).length === 1
  if (index > 0 || others.length > 0 || !isPlain || !isAlone) return denyOrder(model, relation)
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
 * Runs a query in two parts as one.
 * @param count tells how many rows a filter finds
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

/** The filter of a related row by which rows are ordered: it may be read, and so may what it is ordered by. */
export function relatedOrderCondition(target: PolicyModel, conditions: readonly Condition[]): Args | true {
  const condition = allOf(conditions)
  return condition === true ? true : toFilter(target, condition)
}
