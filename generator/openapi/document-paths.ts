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
 * would have the same path, the module's name is prepended.
 * @returns the documents, sorted by path
 * @throws GeneratorError if two documents still have the same path
 */
export function assignDocumentPaths(documents: readonly FoundDocument[]): readonly DocumentFile[] {
  const shortPaths = documents.map((document) => assignFile(document, getQualifiedName(document)))
  const files = countByKey(shortPaths)
  const all = shortPaths.map((document) => {
    if (files.get(getPathKey(document)) === 1) return document
    return assignFile(document, `${getStem(document.request.module)}.${getQualifiedName(document)}`)
  })
  const documentsByKey = new Map<string, DocumentFile>()
  const problems: Diagnostic[] = []
  for (const document of all) {
    const other = documentsByKey.get(getPathKey(document))
    if (other === undefined) documentsByKey.set(getPathKey(document), document)
    else problems.push(collisionDiagnostic(other, document))
  }
  if (problems.length > 0) throw new GeneratorError(problems)
  return all.sort((one, other) => compareCodeUnits(one.file, other.file))
}

function getQualifiedName({ name, request }: FoundDocument): string {
  // Names of exports may contain any characters.
  return name === 'default' ? getStem(request.module) : name.replaceAll(/[^\p{L}\p{N}$_-]/gu, '-')
}

function getStem(module: string): string {
  return path.basename(module, path.extname(module))
}

function assignFile(document: FoundDocument, name: string): DocumentFile {
  return { ...document, file: path.join(document.request.folder, name + DOCUMENT_SUFFIX) }
}

/** Returns the path in lowercase, because the file system may be case-insensitive. */
function getPathKey({ file }: DocumentFile): string {
  return file.toLowerCase()
}

function countByKey(documents: readonly DocumentFile[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const document of documents) counts.set(getPathKey(document), (counts.get(getPathKey(document)) ?? 0) + 1)
  return counts
}

function collisionDiagnostic(one: DocumentFile, other: DocumentFile): Diagnostic {
  const named = [one, other].map(({ name, request }) => `"${name}" of ${displayPath(request.module)}`).join(' and ')
  return {
    location: {},
    message: `${named} would both be written to ${displayPath(one.file)}.`,
    hint: 'Rename one of the exports or modules.',
  }
}
