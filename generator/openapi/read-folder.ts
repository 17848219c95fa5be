import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { TEMPORARY_NAME } from '../output/ownership.js'
import { DOCUMENT_SUFFIX } from './document-paths.js'

/** A committed document. */
export interface CommittedDocument {
  readonly text: string
  /** Permission bits. A rewritten file keeps them. */
  readonly mode: number
}

/** The relevant contents of a documents folder. Paths are absolute. */
export interface DocumentFolder {
  /** Files with the suffix and the contents of an OpenAPI document. */
  readonly documents: readonly string[]
  /** Temporary files of runs that were killed. */
  readonly leftovers: readonly string[]
}

/** Reads a documents folder. The folder does not need to exist. */
export function readFolder(folder: string): DocumentFolder {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => path.join(folder, name))
  return {
    documents: files.filter((file) => file.endsWith(DOCUMENT_SUFFIX) && isOpenApiDocument(readFileSync(file, 'utf8'))),
    leftovers: files.filter((file) => TEMPORARY_NAME.test(path.basename(file))),
  }
}

/**
 * Reads the existing file at a document's path.
 * @returns undefined if there is none, or a description if it must not be overwritten
 */
export function readDocumentFile(file: string): CommittedDocument | string | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (!stats.isFile()) return `it is ${stats.isDirectory() ? 'a folder' : 'not a regular file'}`
  const text = readFileSync(file, 'utf8')
  if (text.trim() !== '' && !isOpenApiDocument(text))
    return 'it is not an OpenAPI 3.1 document, so routewright did not write it'
  return { text, mode: stats.mode & 0o777 }
}

/**
 * Whether text looks like an OpenAPI document. It does not need to be valid JSON, because documents with merge conflicts are overwritten.
 */
function isOpenApiDocument(text: string): boolean {
  return /^\uFEFF?\s*\{[^]*?"openapi"\s*:\s*"3\.1\b/.test(text)
}
