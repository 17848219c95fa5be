/** The statistics of the benchmark. Pure. */

/** What lies in the middle of some numbers, and where their middle half begins and ends. */
export interface Spread {
  readonly q1: number
  readonly median: number
  readonly q3: number
}

/**
 * The quartiles of some numbers, with linear interpolation between neighbours.
 * @throws Error where there are none
 */
export function spread(numbers: readonly number[]): Spread {
  if (numbers.length === 0) throw new Error('There is nothing to measure.')
  const sorted = [...numbers].sort((a, b) => a - b)
  return { q1: quantile(sorted, 0.25), median: quantile(sorted, 0.5), q3: quantile(sorted, 0.75) }
}

/**
 * How many times as long `a` took as `b`, round by round. What slowed a whole round down slowed both.
 * @param a one number a round
 * @param b one number a round, of the same rounds
 */
export function pairedRatio(a: readonly number[], b: readonly number[]): Spread {
  if (a.length !== b.length) throw new Error(`${a.length} rounds cannot be paired with ${b.length}.`)
  return spread(a.map((number, round) => number / (b[round] ?? NaN)))
}

/** The order of contenders in a round: each round begins with the next one, so that none always follows the same. */
export function rotate<T>(contenders: readonly T[], round: number): readonly T[] {
  const first = contenders.length === 0 ? 0 : round % contenders.length
  return [...contenders.slice(first), ...contenders.slice(0, first)]
}

function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)] ?? NaN
  const above = sorted[Math.ceil(at)] ?? NaN
  return below + (above - below) * (at - Math.floor(at))
}
