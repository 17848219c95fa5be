import path from 'node:path'

import { GeneratorError, type Diagnostic } from '../errors.js'
import type { OutputPlan } from '../output/apply.js'
import type { Write } from '../output/plan.js'
import { displayPath } from '../output/report.js'
import { loadModules } from './load-modules.js'
import { formatDocument } from './format-document.js'
import { type FoundDocument, assignDocumentPaths } from './document-paths.js'
import { readDocumentFile, readFolder } from './read-folder.js'
import type { DocumentRequest } from './document-requests.js'

/** The changes that bring the committed documents up to date. */
export interface DocumentPlan extends OutputPlan {
  /**
   * Absolute paths of documents without a handler. They are only reported, because JSON files have no header that identifies them as
   * generated.
   */
  readonly orphans: readonly string[]
  /** Notes for the user, one sentence each. */
  readonly notes: readonly string[]
}

/** Options of {@link planDocuments}. */
export interface PlanOptions {
  /** Time limit for each module, in seconds. */
  readonly seconds: number
  /** Whether the requests contain all modules of the project, so that all other documents in their folders are orphans. */
  readonly areAll: boolean
}

/**
 * Loads the documents of handlers and compares them with the committed ones. Writes nothing.
 * @throws GeneratorError if a module cannot be documented, or if another file occupies the path of a document
 */
export async function planDocuments(
  requests: readonly DocumentRequest[],
  { seconds, areAll }: PlanOptions,
): Promise<DocumentPlan> {
  const { documents, notes } = await loadModules(requests, seconds)
  return { ...(await compareDocuments(requests, documents, areAll)), notes }
}

/**
 * Compares documents with the committed ones.
 * @param requests all requests, including those without a document
 * @param areAll as in {@link PlanOptions}
 * @throws GeneratorError if another file occupies the path of a document
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
    const committed = readDocumentFile(document.file)
    // Relative to the working directory, because the folders may be anywhere.
    const relative = path.relative(process.cwd(), document.file)
    if (typeof committed === 'string') problems.push(obstacleDiagnostic(document.file, committed))
    else if (committed !== undefined && isSameDocument(committed.text, document.text)) unchanged.push(relative)
    else {
      const text = await formatDocument(document.file, document.text, document.request.format)
      writes.push({ path: relative, text, ...(committed && { before: committed }) })
    }
  }
  if (problems.length > 0) throw new GeneratorError(problems)
  const expectedPaths = new Set(documents.map(({ file }) => file.toLowerCase()))
  const unexpected = folders
    .flatMap((folder) => folder.documents)
    .filter((file) => !expectedPaths.has(file.toLowerCase()))
  return {
    outputDir: process.cwd(),
    leftovers: folders.flatMap(({ leftovers }) => leftovers).map((file) => path.relative(process.cwd(), file)),
    writes,
    removals: [],
    unchanged,
    orphans: areAll ? unexpected : [],
  }
}

/**
 * Whether two documents contain the same JSON with keys in the same order. Whitespace is ignored, because it depends on the project's
 * formatter.
 */
function isSameDocument(committed: string, served: string): boolean {
  try {
    return JSON.stringify(JSON.parse(committed)) === JSON.stringify(JSON.parse(served))
  } catch {
    return false
  }
}

function obstacleDiagnostic(file: string, reason: string): Diagnostic {
  return {
    location: {},
    message: `${displayPath(file)} cannot be written: ${reason}.`,
    hint: 'Move or delete it, or rename the export that the document belongs to.',
  }
}
