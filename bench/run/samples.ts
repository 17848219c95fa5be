import { rotate } from '../measure.js'

/** Names of what is compared. */
export type ContenderName = 'emitted' | 'by hand' | 'zenstack' | 'prisma' | 'driver'

/** What one contender took for an operation, per call, one number a round. */
export interface Samples<N extends string = ContenderName> {
  readonly contender: N
  /** Microseconds by the clock. */
  readonly wall: number[]
  /** Microseconds of processor time, in the process that answers. */
  readonly cpu: number[]
}

/** Some calls of one contender, and what they took together. */
export type Batch = () => Promise<{ readonly calls: number; readonly wall: number; readonly cpu: number }>

/**
 * Measures contenders in turn.
 * @param rounds how often each has its turn
 */
export async function interleave<N extends string>(
  batches: readonly { readonly contender: N; readonly batch: Batch }[],
  rounds: number,
): Promise<readonly Samples<N>[]> {
  const samples = new Map(
    batches.map(({ contender }): [N, Samples<N>] => [contender, { contender, wall: [], cpu: [] }]),
  )
  for (let round = 0; round < rounds; round++) {
    for (const { contender, batch } of rotate(batches, round)) {
      const { calls, wall, cpu } = await batch()
      samples.get(contender)?.wall.push(wall / calls)
      samples.get(contender)?.cpu.push(cpu / calls)
    }
  }
  return [...samples.values()]
}
