import type { Batch } from './samples.js'

/** Duration of a batch. Long enough that refilling the CPU caches at the start of a turn does not matter. */
const BATCH_MS = 100
const WARM_UP_MS = 1000
/** Number of calls after which the code should be optimized, unless they take too long. */
const WARM_UP_CALLS = 10_000
const MAX_WARM_UP_MS = 6000

/** Prepares a call, so that its arguments are created before the clock starts. */
export type Prepare = (n: number, unique: string) => () => Promise<unknown>

/** Creates batches of unique calls. */
export function batchOf(prepare: Prepare, unique: string) {
  let n = 0
  return async (calls: number) => {
    const ready = Array.from({ length: calls }, () => prepare(++n, `${unique}-${n}`))
    const cpuBefore = process.cpuUsage()
    const before = performance.now()
    for (const call of ready) await call()
    const wall = (performance.now() - before) * 1000
    const { user, system } = process.cpuUsage(cpuBefore)
    return { calls, wall, cpu: user + system }
  }
}

/**
 * Warms up until the code should be optimized.
 * @returns the number of calls in a batch
 */
export async function warmUp(batch: (calls: number) => ReturnType<Batch>): Promise<number> {
  const start = performance.now()
  let size = 1
  let calls = 0
  for (let spent = 0; spent < WARM_UP_MS || (calls < WARM_UP_CALLS && spent < MAX_WARM_UP_MS);) {
    const { cpu } = await batch(size)
    calls += size
    size = Math.max(1, Math.round((BATCH_MS * 1000 * size) / cpu))
    spent = performance.now() - start
  }
  return size
}
