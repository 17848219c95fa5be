import { existsSync } from 'node:fs'

import { type DiagnosticMessage, GeneratorError } from '../errors.js'
import { displayPath } from '../output/report.js'
import { moduleErrors, missingModuleError } from './module-errors.js'
import type { FoundDocument } from './document-paths.js'
import type { DocumentRequest } from './document-requests.js'
import { runModule } from './run-module.js'

/** What modules say of their handlers. */
export interface LoadedModules {
  readonly found: readonly FoundDocument[]
  /** What the person who asks should know, a sentence each. */
  readonly notes: readonly string[]
}

/**
 * Loads modules, and has their handlers describe themselves.
 * @param seconds how long each may take
 * @throws GeneratorError that says of each module why it cannot be described
 */
export async function loadModules(requests: readonly DocumentRequest[], seconds: number): Promise<LoadedModules> {
  const found: FoundDocument[] = []
  const notes: string[] = []
  const faults: DiagnosticMessage[] = []
  // One after the other: each may need all the memory that there is.
  for (const request of requests) {
    const { module } = request
    if (!existsSync(module)) {
      faults.push(missingModuleError(module))
      continue
    }
    const loaded = await runModule(module, seconds)
    faults.push(...moduleErrors(module, loaded))
    const { outcome } = loaded
    if (outcome.kind !== 'described') continue
    found.push(...outcome.documents.map((document) => ({ ...document, request })))
    for (const name of outcome.undescribed) {
      notes.push(`"${name}" of ${displayPath(module)} is not described: it has no option "openapi".`)
    }
  }
  if (faults.length > 0) throw new GeneratorError(faults.map((fault) => ({ place: {}, ...fault })))
  return { found, notes }
}
