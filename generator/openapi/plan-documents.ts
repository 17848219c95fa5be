import path from 'node:path'

import { GeneratorError, type Diagnostic } from '../errors.js'
import type { OutputPlan } from '../output/apply.js'
import type { Write } from '../output/plan.js'
import { displayPath } from '../output/report.js'
import { loadModules } from './load-modules.js'
import { formatDocument } from './format-document.js'
import { type FoundDocument, assignDocumentPaths } from './document-paths.js'
import { readCommitted, readFolder } from './read-folder.js'
import type { DocumentRequest } from './document-requests.js'

/** What has to happen so that the committed documents are what the handlers serve. */
export interface DocumentPlan extends OutputPlan {
  /** Documents that no handler gives, absolute. They are not ours to remove: JSON cannot say who wrote it. */
  readonly orphans: readonly string[]
  /** What the person who asks should know, a sentence each. */
  readonly notes: readonly string[]
}

/** How documents are asked for. */
export interface PlanOptions {
  /** How long each module may take. */
  readonly seconds: number
  /** Whether these are all modules of the project, so that every other document of their folders is an orphan. */
  readonly areAll: boolean
}

/**
 * Asks the handlers of modules for their documents, and compares those with the committed ones. Writes nothing.
 * @throws GeneratorError that says of each module why it cannot be described, or what stands where a document would
 */
export async function planDocuments(
  requests: readonly DocumentRequest[],
  { seconds, areAll }: PlanOptions,
): Promise<DocumentPlan> {
  const { found, notes } = await loadModules(requests, seconds)
  return { ...(await compareDocuments(requests, found, areAll)), notes }
}

/**
 * Compares documents with the committed ones.
 * @param requests all that were asked, whether or not they gave a document
 * @param areAll as in {@link PlanOptions}
 * @throws GeneratorError that says what stands where a document would
 */
export async function compareDocuments(
  requests: readonly DocumentRequest[],
  found: readonly FoundDocument[],
  areAll: boolean,
): Promise<Omit<DocumentPlan, 'notes'>> {
  const documents = assignDocumentPaths(found)
  const folders = [...new Set(requests.map(({ folder }) => folder))].map(readFolder)
  const writes: Write[] = []
  const unchanged: string[] = []
  const problems: Diagnostic[] = []
  for (const document of documents) {
    const there = readCommitted(document.file)
    // By paths from the working directory, since their folders may be anywhere.
    const relative = path.relative(process.cwd(), document.file)
    if (typeof there === 'string') problems.push(obstructed(document.file, there))
    else if (there !== undefined && isSame(there.text, document.text)) unchanged.push(relative)
    else {
      const text = await formatDocument(document.file, document.text, document.request.format)
      writes.push({ path: relative, text, ...(there && { before: there }) })
    }
  }
  if (problems.length > 0) throw new GeneratorError(problems)
  const wanted = new Set(documents.map(({ file }) => file.toLowerCase()))
  const others = folders.flatMap((folder) => folder.documents).filter((file) => !wanted.has(file.toLowerCase()))
  return {
    outputDir: process.cwd(),
    leftovers: folders.flatMap(({ leftovers }) => leftovers).map((file) => path.relative(process.cwd(), file)),
    writes,
    removals: [],
    unchanged,
    orphans: areAll ? others : [],
  }
}

/** Whether two texts are the same JSON, their members in the same order: how it is laid out is up to the formatter of the project. */
function isSame(committed: string, served: string): boolean {
  try {
    return JSON.stringify(JSON.parse(committed)) === JSON.stringify(JSON.parse(served))
  } catch {
    return false
  }
}

function obstructed(file: string, what: string): Diagnostic {
  return {
    place: {},
    what: `${displayPath(file)} cannot be written: ${what}.`,
    mend: 'Move it away, or rename the export whose document it would be.',
  }
}
