import type { Batch } from './samples.js'

/** Duration of a batch. Long enough that refilling the CPU caches at the start of a turn does not matter. */
const BATCH_MS = 100
const WARM_UP_MS = 1000
/** Number of calls after which the code should be optimized, unless they take too long. */
const WARM_UP_CALLS = 10_000
/** Set by `--warm-up`, for short runs that only check the programs. */
const MAX_WARM_UP_MS = Number(process.env['BENCH_WARM_UP'] ?? 6000)

/** Prepares a call, so that its arguments are created before the clock starts. */
export type PrepareCall = (n: number, unique: string) => () => Promise<unknown>

/** Creates batches of unique calls. */
export function createBatch(prepareCall: PrepareCall, unique: string) {
  let n = 0
  return async (calls: number) => {
    const prepared = Array.from({ length: calls }, () => prepareCall(++n, `${unique}-${n}`))
    const cpuBefore = process.cpuUsage()
    const before = performance.now()
    for (const call of prepared) await call()
    const wall = (performance.now() - before) * 1000
    const { user, system } = process.cpuUsage(cpuBefore)
    return { calls, wall, cpu: user + system }
  }
}

/** Number of calls whose allocations fit into the young generation, so that no garbage is collected in between. */
const ALLOCATION_CALLS = 20

/** Creates batches of unique calls that measure allocated bytes. Requires `--expose-gc`. */
export function createAllocationBatch(prepareCall: PrepareCall, unique: string): Batch {
  let n = 0
  return async () => {
    for (;;) {
      const prepared = Array.from({ length: ALLOCATION_CALLS }, () => prepareCall(++n, `${unique}-${n}`))
      globalThis.gc?.()
      const before = getAllocatedBytes()
      for (const call of prepared) await call()
      const bytes = getAllocatedBytes() - before
      // Memory that is released during the round, such as that of a driver, makes it worthless.
      if (bytes > 0) return { calls: ALLOCATION_CALLS, wall: 0, cpu: 0, bytes }
    }
  }
}

function getAllocatedBytes(): number {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/**
 * Warms up until the code should be optimized.
 * @param maxDuration in milliseconds
 * @returns the number of calls in a batch
 */
export async function warmUp(
  batch: (calls: number) => ReturnType<Batch>,
  maxDuration = MAX_WARM_UP_MS,
): Promise<number> {
  const start = performance.now()
  let size = 1
  let calls = 0
  for (
    let elapsed = 0;
    elapsed < Math.min(WARM_UP_MS, maxDuration) || (calls < WARM_UP_CALLS && elapsed < maxDuration);
  ) {
    const { cpu } = await batch(size)
    calls += size
    size = Math.max(1, Math.round((BATCH_MS * 1000 * size) / cpu))
    elapsed = performance.now() - start
  }
  return size
}
