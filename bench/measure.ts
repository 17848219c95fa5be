/** The statistics of the benchmark. Pure. */

/** The median and quartiles of some numbers. */
export interface Spread {
  readonly q1: number
  readonly median: number
  readonly q3: number
}

/**
 * Computes quartiles with linear interpolation.
 * @throws Error if there are no numbers
 */
export function spread(numbers: readonly number[]): Spread {
  if (numbers.length === 0) throw new Error('There is nothing to measure.')
  const sorted = [...numbers].sort((a, b) => a - b)
  return { q1: quantile(sorted, 0.25), median: quantile(sorted, 0.5), q3: quantile(sorted, 0.75) }
}

/**
 * Computes the ratio of `a` to `b` per round. Load that slows down a whole round affects both.
 * @param a one number per round
 * @param b one number per round, for the same rounds
 */
export function pairedRatio(a: readonly number[], b: readonly number[]): Spread {
  if (a.length !== b.length) throw new Error(`${a.length} rounds cannot be paired with ${b.length}.`)
  return spread(a.map((number, round) => number / (b[round] ?? NaN)))
}

/** Returns the order of contenders in a round. The first contender rotates, so that a different one follows a pause. */
export function rotateContenders<T>(contenders: readonly T[], round: number): readonly T[] {
  const first = contenders.length === 0 ? 0 : round % contenders.length
  return [...contenders.slice(first), ...contenders.slice(0, first)]
}

function quantile(sorted: readonly number[], share: number): number {
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)] ?? NaN
  const above = sorted[Math.ceil(position)] ?? NaN
  return below + (above - below) * (position - Math.floor(position))
}
