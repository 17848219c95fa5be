import path from 'node:path'

import { GeneratorError, type Diagnostic } from '../errors.js'
import { compareCodeUnits } from '../model/names.js'
import { displayPath } from '../output/report.js'
import type { ServedDocument } from './load-result.js'
import type { DocumentRequest } from './document-requests.js'

/** How the names of documents end, so that they are told apart from other files of their folder. */
export const DOCUMENT_SUFFIX = '.openapi.json'

/** A handler's document, and who asked for it. */
export interface FoundDocument extends ServedDocument {
  readonly request: DocumentRequest
}

/** A document, and the file it stands in. */
export interface DocumentFile extends FoundDocument {
  /** Absolute. */
  readonly file: string
}

/**
 * Says where each document stands: in its module's folder, named after its export, or after the module for a `default`. Where modules share a
 * folder and export the same name, the module's name comes before it.
 * @returns sorted by file
 * @throws GeneratorError where two would be one file even so
 */
export function assignDocumentPaths(documents: readonly FoundDocument[]): readonly DocumentFile[] {
  const simple = documents.map((document) => placed(document, nameOf(document)))
  const files = counted(simple)
  const all = simple.map((document) => {
    if (files.get(keyOf(document)) === 1) return document
    return placed(document, `${stemOf(document.request.module)}.${nameOf(document)}`)
  })
  const known = new Map<string, DocumentFile>()
  const problems: Diagnostic[] = []
  for (const document of all) {
    const other = known.get(keyOf(document))
    if (other === undefined) known.set(keyOf(document), document)
    else problems.push(collision(other, document))
  }
  if (problems.length > 0) throw new GeneratorError(problems)
  return all.sort((one, other) => compareCodeUnits(one.file, other.file))
}

function nameOf({ name, request }: FoundDocument): string {
  // An export may have any text as its name.
  return name === 'default' ? stemOf(request.module) : name.replaceAll(/[^\p{L}\p{N}$_-]/gu, '-')
}

function stemOf(module: string): string {
  return path.basename(module, path.extname(module))
}

function placed(document: FoundDocument, name: string): DocumentFile {
  return { ...document, file: path.join(document.request.folder, name + DOCUMENT_SUFFIX) }
}

/** Without case: where the file system has none, two such files are one. */
function keyOf({ file }: DocumentFile): string {
  return file.toLowerCase()
}

function counted(documents: readonly DocumentFile[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const document of documents) counts.set(keyOf(document), (counts.get(keyOf(document)) ?? 0) + 1)
  return counts
}

function collision(one: DocumentFile, other: DocumentFile): Diagnostic {
  const named = [one, other].map(({ name, request }) => `"${name}" of ${displayPath(request.module)}`).join(' and ')
  return {
    place: {},
    what: `${named} would both be described in ${displayPath(one.file)}.`,
    mend: 'Rename one of the exports or modules.',
  }
}
