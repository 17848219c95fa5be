import type { Batch } from './samples.js'

/** Long enough that most of a turn is not the processor's caches filling with a contender's code again. */
const BATCH_MS = 100
const WARM_UP_MS = 1000
/** So many calls the compiler should have seen, unless they would take too long. */
const WARM_UP_CALLS = 10_000
const WARM_UP_MOST_MS = 6000

/** Makes a call ready: what it needs is made before the clock starts. */
export type Prepare = (n: number, unique: string) => () => Promise<unknown>

/** Makes batches of calls, of which no two are the same. */
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

/** Calls until the compiler has seen enough; gives how many calls make a batch. */
export async function warmUp(batch: (calls: number) => ReturnType<Batch>): Promise<number> {
  const start = performance.now()
  let size = 1
  let calls = 0
  for (let spent = 0; spent < WARM_UP_MS || (calls < WARM_UP_CALLS && spent < WARM_UP_MOST_MS);) {
    const { cpu } = await batch(size)
    calls += size
    size = Math.max(1, Math.round((BATCH_MS * 1000 * size) / cpu))
    spent = performance.now() - start
  }
  return size
}
