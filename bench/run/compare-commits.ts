/** Measures two versions in one process: `compare-commits.js <database url> <rounds> <operations> <result file>`. */
import { writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { join } from 'node:path'

import { COMPARED_OPERATIONS } from '../compared-operations.js'
import type { App, Orm } from '../contenders/contender.js'
import type { CommitSamples } from '../report/compare-commits.js'
import { createBatch, warmUp } from './batch.js'
import { openOrm } from './contenders.js'
import { toRequest } from './request.js'
import { interleave } from './samples.js'

interface Version {
  readonly emitted: (orm: Orm) => App
}

const [url = '', rounds = '', operationName = '', file = ''] = process.argv.slice(2)
const orm = openOrm(url)
const load = async (name: 'before' | 'now') => {
  const path = pathToFileURL(join(import.meta.dirname, `${name}.js`)).href
  const version: Version = await import(path)
  return { name, app: version.emitted(orm) }
}
const versions = [await load('before'), await load('now')]
const results: CommitSamples = {}
for (const operation of COMPARED_OPERATIONS) {
  if (operationName !== '' && !operationName.split(',').includes(operation.name)) continue
  const batches = []
  const areErrors = new Set<boolean>()
  for (const { name, app } of versions) {
    const batch = createBatch((n, unique) => {
      const request = toRequest(operation.request(n, unique))
      return async () => {
        const response = await app.fetch(request)
        const text = await response.text()
        areErrors.add(response.status >= 400)
        if (response.status >= 500) throw new Error(`${response.status} to ${operation.name}, ${name}: ${text}`)
      }
    }, `${operation.name}-${name}`)
    const size = await warmUp(batch)
    batches.push({ contender: name, batch: () => batch(size) })
  }
  // If one version does not have the feature, its error is not comparable.
  if (areErrors.size === 1) results[operation.name] = await interleave(batches, Number(rounds))
  process.stderr.write('.')
}
writeFileSync(file, JSON.stringify(results))
process.exit(0)
