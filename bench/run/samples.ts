import { rotateContenders } from '../measure.js'

/** The name of a contender. */
export type ContenderName = 'emitted' | 'by hand' | 'zenstack' | 'prisma' | 'driver'

/** The times of a contender for an operation, per call, with one number per round. */
export interface Samples<N extends string = ContenderName> {
  readonly contender: N
  /** Wall time in microseconds. */
  readonly wall: number[]
  /** CPU time of the server process in microseconds. */
  readonly cpu: number[]
}

/** Runs a batch of calls of a contender and returns the total time. */
export type Batch = () => Promise<{ readonly calls: number; readonly wall: number; readonly cpu: number }>

/**
 * Measures contenders in turn.
 * @param rounds number of turns per contender
 */
export async function interleave<N extends string>(
  batches: readonly { readonly contender: N; readonly batch: Batch }[],
  rounds: number,
): Promise<readonly Samples<N>[]> {
  const samples = new Map(
    batches.map(({ contender }): [N, Samples<N>] => [contender, { contender, wall: [], cpu: [] }]),
  )
  for (let round = 0; round < rounds; round++) {
    for (const { contender, batch } of rotateContenders(batches, round)) {
      const { calls, wall, cpu } = await batch()
      samples.get(contender)?.wall.push(wall / calls)
      samples.get(contender)?.cpu.push(cpu / calls)
    }
  }
  return [...samples.values()]
}
