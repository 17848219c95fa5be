import path from 'node:path'

import { GeneratorError, type Diagnostic } from '../errors.js'
import { compareCodeUnits } from '../model/names.js'
import { displayPath } from '../output/report.js'
import type { ServedDocument } from './load-result.js'
import type { DocumentRequest } from './document-requests.js'

/** The suffix of document names, which distinguishes documents from other files in the folder. */
export const DOCUMENT_SUFFIX = '.openapi.json'

/** A handler's document with the request that it belongs to. */
export interface FoundDocument extends ServedDocument {
  readonly request: DocumentRequest
}

/** A document with the path of its file. */
export interface DocumentFile extends FoundDocument {
  /** Absolute path. */
  readonly file: string
}

/**
 * Assigns a path to each document: in the module's folder, named after the export, or after the module for `default`. If several documents
 * would get the same path, the module's name is prepended.
 * @returns the documents, sorted by path
 * @throws GeneratorError if two documents still have the same path
 */
export function assignDocumentPaths(documents: readonly FoundDocument[]): readonly DocumentFile[] {
  const simple = documents.map((document) => assignFile(document, nameOf(document)))
  const files = countByKey(simple)
  const all = simple.map((document) => {
    if (files.get(keyOf(document)) === 1) return document
    return assignFile(document, `${stemOf(document.request.module)}.${nameOf(document)}`)
  })
  const documentsByKey = new Map<string, DocumentFile>()
  const problems: Diagnostic[] = []
  for (const document of all) {
    const other = documentsByKey.get(keyOf(document))
    if (other === undefined) documentsByKey.set(keyOf(document), document)
    else problems.push(collision(other, document))
  }
  if (problems.length > 0) throw new GeneratorError(problems)
  return all.sort((one, other) => compareCodeUnits(one.file, other.file))
}

function nameOf({ name, request }: FoundDocument): string {
  // Names of exports may contain any characters.
  return name === 'default' ? stemOf(request.module) : name.replaceAll(/[^\p{L}\p{N}$_-]/gu, '-')
}

function stemOf(module: string): string {
  return path.basename(module, path.extname(module))
}

function assignFile(document: FoundDocument, name: string): DocumentFile {
  return { ...document, file: path.join(document.request.folder, name + DOCUMENT_SUFFIX) }
}

/** Returns the path in lowercase, because the file system may be case-insensitive. */
function keyOf({ file }: DocumentFile): string {
  return file.toLowerCase()
}

function countByKey(documents: readonly DocumentFile[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const document of documents) counts.set(keyOf(document), (counts.get(keyOf(document)) ?? 0) + 1)
  return counts
}

function collision(one: DocumentFile, other: DocumentFile): Diagnostic {
  const named = [one, other].map(({ name, request }) => `"${name}" of ${displayPath(request.module)}`).join(' and ')
  return {
    location: {},
    what: `${named} would both be described in ${displayPath(one.file)}.`,
    hint: 'Rename one of the exports or modules.',
  }
}
