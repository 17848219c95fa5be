import type { Field } from '../../../schema/resource.js'
import type { Model } from '../../../schema/schema.js'
import { isObject } from '../../../values/is-object.js'
import { type Args, invalidArguments } from '../arguments.js'

/** Operations that make a number of the old one. */
export const ARITHMETIC: ReadonlySet<string> = new Set(['increment', 'decrement', 'multiply', 'divide'])

/**
 * The rows that arithmetic would take out of the range of a field's type. SQLite does not look at ranges: it would store a
 * number that the client cannot read again, and with it the row.
 * @param data checked changes of a row
 * @returns a filter, or undefined where no row can leave its range
 */
export function outOfRangeWhere(model: Model, data: unknown): Args | undefined {
  const conditions: Args[] = []
  for (const [name, change] of isObject(data) ? Object.entries(data) : []) {
    const field = model.fields.get(name)
    if (field) conditions.push(...outOfFieldRange(name, field, change))
    else if (isArithmetic(model.relations.get(name)?.target, change)) {
      invalidArguments(
        'invalid-value',
        `data.${name}: on SQLite, arithmetic is possible only in a call of the row's own model.`,
      )
    }
  }
  return conditions.length > 0 ? { OR: conditions } : undefined
}

/** Whether nested writes hold arithmetic, at any depth. */
function isArithmetic(model: Model | undefined, value: unknown): boolean {
  if (!model) return false
  if (Array.isArray(value)) return value.some((part) => isArithmetic(model, part))
  if (!isObject(value)) return false
  return Object.entries(value).some(([key, member]) => {
    if (model.fields.has(key)) return operationOf(model.fields.get(key), member) !== undefined
    return isArithmetic(model.relations.get(key)?.target ?? model, member)
  })
}

function operationOf(field: Field | undefined, change: unknown): readonly [string, unknown] | undefined {
  // A version is counted by us, one by one.
  if (!field || field.version || field.type === 'Json' || !isObject(change)) return undefined
  return Object.entries(change).find(([key]) => ARITHMETIC.has(key))
}

function outOfFieldRange(name: string, field: Field, change: unknown): Args[] {
  const operation = operationOf(field, change)
  if (!operation) return []
  const [key, operand] = operation
  const range =
    field.type === 'Int' || field.type === 'BigInt' ? wholeRange(field, key, operand) : realRange(key, operand)
  return range.map((condition) => ({ [name]: condition }))
}

const BITS = { Int: 31n, BigInt: 63n }

function wholeRange({ type }: Field, key: string, operand: unknown): Args[] {
  const bits = type === 'Int' ? BITS.Int : BITS.BigInt
  const [least, most] = [-(2n ** bits), 2n ** bits - 1n]
  const given = typeof operand === 'bigint' ? operand : BigInt(Number(operand))
  const step = key === 'decrement' ? -given : given
  const [low, high] =
    key === 'increment' || key === 'decrement'
      ? [least - step, most - step]
      : quotients(key === 'divide' && step !== -1n ? 1n : step, least, most)
  const plain = (bound: bigint): number | bigint => (type === 'Int' ? Number(bound) : bound)
  return [...(high < most ? [{ gt: plain(high) }] : []), ...(low > least ? [{ lt: plain(low) }] : [])]
}

/** The least and the greatest number whose product with a factor lies in a range around zero. */
function quotients(factor: bigint, least: bigint, most: bigint): readonly [bigint, bigint] {
  if (factor === 0n) return [least, most]
  // Division of bigints rounds towards zero, which is inwards.
  return factor > 0n ? [least / factor, most / factor] : [most / factor, least / factor]
}

// Far from where a double becomes infinite.
const MOST_REAL = 1e300

function realRange(key: string, operand: unknown): Args[] {
  const size = Math.abs(Number(operand))
  const most = key === 'multiply' ? MOST_REAL / size : key === 'divide' ? MOST_REAL * size : MOST_REAL - size
  if (most >= MOST_REAL) return []
  const bound = Math.max(0, most)
  return [{ gt: bound }, { lt: -bound }]
}
