import { pairedRatio, rotateContenders, type Spread, spread } from '../measure.js'

/** The name of a contender. */
export type ContenderName = 'emitted' | 'by hand' | 'zenstack' | 'trpc' | 'prisma' | 'driver'

/** The times of a contender for an operation, per call, with one number per round. */
export interface Samples<N extends string = ContenderName> {
  readonly contender: N
  /** Wall time in microseconds. */
  readonly wall: number[]
  /** CPU time of the server process in microseconds. */
  readonly cpu: number[]
  /** Allocated bytes. Empty if they were not measured. */
  readonly bytes: number[]
}

const METRICS = ['wall', 'cpu', 'bytes'] as const

/** The results of a contender for an operation. */
export interface Measured {
  readonly contender: ContenderName
  /** Per call. Times are in microseconds. */
  readonly values: Readonly<Partial<Record<(typeof METRICS)[number], Spread>>>
  /** The values of the generated code divided by those of this contender, in the same round. */
  readonly emittedRatio: Measured['values']
}

/** Summarizes the rounds of all contenders. */
export function summarize(samples: readonly Samples[]): readonly Measured[] {
  const emitted = samples.find(({ contender }) => contender === 'emitted')
  return samples.map((sample) => {
    const measured = METRICS.filter((metric) => sample[metric].some((value) => value !== 0))
    return {
      contender: sample.contender,
      values: Object.fromEntries(measured.map((metric) => [metric, spread(sample[metric])])),
      emittedRatio: Object.fromEntries(
        measured.map((metric) => [metric, pairedRatio(emitted?.[metric] ?? [], sample[metric])]),
      ),
    }
  })
}

/** Runs a batch of calls of a contender and returns the total time. */
export type Batch = () => Promise<{
  readonly calls: number
  readonly wall: number
  readonly cpu: number
  readonly bytes?: number
}>

/**
 * Measures contenders in turn.
 * @param rounds number of turns per contender
 */
export async function interleave<N extends string>(
  batches: readonly { readonly contender: N; readonly batch: Batch }[],
  rounds: number,
): Promise<readonly Samples<N>[]> {
  const samples = new Map(
    batches.map(({ contender }): [N, Samples<N>] => [contender, { contender, wall: [], cpu: [], bytes: [] }]),
  )
  for (let round = 0; round < rounds; round++) {
    for (const { contender, batch } of rotateContenders(batches, round)) {
      const { calls, wall, cpu, bytes } = await batch()
      samples.get(contender)?.wall.push(wall / calls)
      samples.get(contender)?.cpu.push(cpu / calls)
      if (bytes !== undefined) samples.get(contender)?.bytes.push(bytes / calls)
    }
  }
  return [...samples.values()]
}
