import type { Field } from '../../../schema/resource.js'
import type { Model } from '../../../schema/model.js'
import { findArithmetic } from '../../../values/arithmetic.js'
import { isObject } from '../../../values/is-object.js'
import { type Args, invalidArguments } from '../argument-helpers.js'

/**
 * Returns a filter for the rows in which arithmetic would exceed the range of a field's type. SQLite does not check ranges. It would store
 * a number that Prisma cannot read, so the row would become unreadable.
 * @param data the validated data of an update
 * @returns undefined if all rows stay in range
 */
export function arithmeticOverflowWhere(model: Model, data: unknown): Args | undefined {
  const conditions: Args[] = []
  for (const [name, change] of isObject(data) ? Object.entries(data) : []) {
    const field = model.fields.get(name)
    if (field) conditions.push(...outOfFieldRange(name, field, change))
    else if (hasArithmetic(model.relations.get(name)?.target, change)) {
      invalidArguments(
        'invalid-value',
        `data.${name}: on SQLite, nested writes do not support arithmetic. Use a separate call.`,
      )
    }
  }
  return conditions.length > 0 ? { OR: conditions } : undefined
}

/** Whether nested writes contain arithmetic, at any depth. */
function hasArithmetic(model: Model | undefined, value: unknown): boolean {
  if (!model) return false
  if (Array.isArray(value)) return value.some((part) => hasArithmetic(model, part))
  if (!isObject(value)) return false
  return Object.entries(value).some(([key, member]) => {
    if (model.fields.has(key)) return findArithmetic(model.fields.get(key), member) !== undefined
    return hasArithmetic(model.relations.get(key)?.target ?? model, member)
  })
}

function outOfFieldRange(name: string, field: Field, change: unknown): Args[] {
  const operation = findArithmetic(field, change)
  if (!operation) return []
  const [key, operand] = operation
  const range =
    field.type === 'Int' || field.type === 'BigInt' ? wholeRange(field, key, operand) : realRange(key, operand)
  return range.map((condition) => ({ [name]: condition }))
}

const BITS = { Int: 31n, BigInt: 63n }

function wholeRange({ type }: Field, key: string, operand: unknown): Args[] {
  const bits = type === 'Int' ? BITS.Int : BITS.BigInt
  const [min, max] = [-(2n ** bits), 2n ** bits - 1n]
  const amount = typeof operand === 'bigint' ? operand : BigInt(Number(operand))
  const step = key === 'decrement' ? -amount : amount
  const [low, high] =
    key === 'increment' || key === 'decrement'
      ? [min - step, max - step]
      : quotients(key === 'divide' && step !== -1n ? 1n : step, min, max)
  const plain = (bound: bigint): number | bigint => (type === 'Int' ? Number(bound) : bound)
  return [...(high < max ? [{ gt: plain(high) }] : []), ...(low > min ? [{ lt: plain(low) }] : [])]
}

/** Returns the smallest and the largest number whose product with a factor is in a range around zero. */
function quotients(factor: bigint, min: bigint, max: bigint): readonly [bigint, bigint] {
  if (factor === 0n) return [min, max]
  // BigInt division rounds toward zero, so the results are in the range.
  return factor > 0n ? [min / factor, max / factor] : [max / factor, min / factor]
}

// Well below the largest double, about 1.8e308.
const MAX_REAL = 1e300

function realRange(key: string, operand: unknown): Args[] {
  const size = Math.abs(Number(operand))
  const max = key === 'multiply' ? MAX_REAL / size : key === 'divide' ? MAX_REAL * size : MAX_REAL - size
  if (max >= MAX_REAL) return []
  const bound = Math.max(0, max)
  return [{ gt: bound }, { lt: -bound }]
}
