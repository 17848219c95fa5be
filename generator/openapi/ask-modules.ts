import { existsSync } from 'node:fs'

import { type Fault, GeneratorError } from '../errors.js'
import { display } from '../output/report.js'
import { faultsOf, missingModule } from './faults.js'
import type { FoundDocument } from './places.js'
import type { DocumentRequest } from './requests.js'
import { runModule } from './run-module.js'

/** What modules say of their handlers. */
export interface AskedModules {
  readonly found: readonly FoundDocument[]
  /** What the person who asks should know, a sentence each. */
  readonly notes: readonly string[]
}

/**
 * Loads modules, and has their handlers describe themselves.
 * @param seconds how long each may take
 * @throws GeneratorError that says of each module why it cannot be described
 */
export async function askModules(requests: readonly DocumentRequest[], seconds: number): Promise<AskedModules> {
  const found: FoundDocument[] = []
  const notes: string[] = []
  const faults: Fault[] = []
  // One after the other: each may need all the memory that there is.
  for (const request of requests) {
    const { module } = request
    if (!existsSync(module)) {
      faults.push(missingModule(module))
      continue
    }
    const loaded = await runModule(module, seconds)
    faults.push(...faultsOf(module, loaded))
    const { outcome } = loaded
    if (outcome.kind !== 'described') continue
    found.push(...outcome.documents.map((document) => ({ ...document, request })))
    for (const name of outcome.undescribed) {
      notes.push(`"${name}" of ${display(module)} is not described: it has no option "openapi".`)
    }
  }
  if (faults.length > 0) throw new GeneratorError(faults.map((fault) => ({ place: {}, ...fault })))
  return { found, notes }
}
