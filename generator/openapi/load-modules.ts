import { existsSync } from 'node:fs'

import { type DiagnosticMessage, GeneratorError } from '../errors.js'
import { displayPath } from '../output/report.js'
import { moduleErrors, missingModuleError } from './module-errors.js'
import type { FoundDocument } from './document-paths.js'
import type { DocumentRequest } from './document-requests.js'
import { runModule } from './run-module.js'

/** The documents of all modules. */
export interface LoadedModules {
  readonly documents: readonly FoundDocument[]
  /** Notes for the user, one sentence each. */
  readonly notes: readonly string[]
}

/**
 * Loads modules and collects the documents of their handlers.
 * @param seconds time limit for each module
 * @throws GeneratorError listing the errors of all modules
 */
export async function loadModules(requests: readonly DocumentRequest[], seconds: number): Promise<LoadedModules> {
  const found: FoundDocument[] = []
  const notes: string[] = []
  const diagnostics: DiagnosticMessage[] = []
  // Modules are loaded one after the other, because each may need a lot of memory.
  for (const request of requests) {
    const { module } = request
    if (!existsSync(module)) {
      diagnostics.push(missingModuleError(module))
      continue
    }
    const loaded = await runModule(module, seconds)
    diagnostics.push(...moduleErrors(module, loaded))
    const { outcome } = loaded
    if (outcome.kind !== 'described') continue
    found.push(...outcome.documents.map((document) => ({ ...document, request })))
    for (const name of outcome.undescribed) {
      notes.push(`"${name}" of ${displayPath(module)} is skipped, because it does not have the option "openapi".`)
    }
  }
  if (diagnostics.length > 0)
    throw new GeneratorError(diagnostics.map((diagnostic) => ({ location: {}, ...diagnostic })))
  return { documents: found, notes }
}
