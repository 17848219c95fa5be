import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

import { GeneratorError, type Problem } from '../errors.js'
import type { EmittedFile, RenderedFile } from './files.js'
import type { FormatterOptions } from './format-batch.js'

/** What a worker answers to a batch of files. */
export type BatchResult = { readonly files: readonly EmittedFile[] } | { readonly problems: readonly Problem[] }

/** Below this a worker costs more time, to load what it needs, than it saves. */
const FILES_PER_WORKER = 100

const MAX_WORKERS = 4

/** How many workers so many files are worth. One is none: the work is done in this thread then. */
export function workersFor(files: number): number {
  // Sources that run without a build (tests) have no file that a worker could load.
  if (!import.meta.url.endsWith('.js')) return 1
  return Math.min(availableParallelism(), MAX_WORKERS, Math.floor(files / FILES_PER_WORKER))
}

/**
 * Formats batches of files in several threads.
 * @returns what became of each batch, in the same order
 * @throws GeneratorError naming the file that fails
 */
export async function formatInWorkers(
  batches: readonly (readonly RenderedFile[])[],
  options: FormatterOptions,
  workers: number,
): Promise<EmittedFile[]> {
  const results: EmittedFile[][] = []
  // One iterator for all workers: each takes the next batch as soon as it has done one.
  const queue = batches.entries()
  const running = Array.from(
    { length: workers },
    () => new Worker(new URL('format-worker.js', import.meta.url), { workerData: options }),
  )
  try {
    await Promise.all(
      running.map(async (worker) => {
        for (const [index, batch] of queue) results[index] = [...(await ask(worker, batch))]
      }),
    )
  } finally {
    await Promise.all(running.map((worker) => worker.terminate()))
  }
  return results.flat()
}

function ask(worker: Worker, batch: readonly RenderedFile[]): Promise<readonly EmittedFile[]> {
  return new Promise((resolve, reject) => {
    const stop = (code: number) => reject(new Error(`routewright: a formatting thread ended with code ${code}.`))
    worker.once('error', reject)
    worker.once('exit', stop)
    worker.once('message', (result: BatchResult) => {
      worker.off('error', reject)
      worker.off('exit', stop)
      if ('files' in result) resolve(result.files)
      else reject(new GeneratorError(result.problems))
    })
    worker.postMessage(batch)
  })
}
