// Formats what it is sent, in a thread of its own. See format-workers.ts.
import { parentPort, workerData } from 'node:worker_threads'

import { GeneratorError } from '../errors.js'
import type { RenderedFile } from './files.js'
import { openBatchFormatter } from './format-batch.js'
import type { BatchResult } from './format-workers.js'

const opened = openBatchFormatter(workerData)

parentPort?.on('message', async (files: readonly RenderedFile[]) => {
  parentPort?.postMessage(await answer(files))
})

async function answer(files: readonly RenderedFile[]): Promise<BatchResult> {
  try {
    const formatBatch = await opened
    return { files: await formatBatch(files) }
  } catch (error) {
    // An error's class does not survive the way to another thread.
    if (error instanceof GeneratorError) return { problems: error.problems }
    throw error
  }
}
