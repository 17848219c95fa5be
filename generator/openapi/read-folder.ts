import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

import { TEMPORARY_NAME } from '../output/ownership.js'
import { DOCUMENT_SUFFIX } from './document-paths.js'

/** A document as it is committed. */
export interface CommittedDocument {
  readonly text: string
  /** Permission bits, which a rewritten file keeps. */
  readonly mode: number
}

/** What a folder of documents holds, as far as it concerns us. Paths are absolute. */
export interface DocumentFolder {
  /** Files that are called as documents are, and say that they are. */
  readonly documents: readonly string[]
  /** Temporary files of runs that were killed. */
  readonly leftovers: readonly string[]
}

/** Reads the names of a folder, which need not exist. */
export function readFolder(folder: string): DocumentFolder {
  const entries = existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : []
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => path.join(folder, name))
  return {
    documents: files.filter((file) => file.endsWith(DOCUMENT_SUFFIX) && isOurs(readFileSync(file, 'utf8'))),
    leftovers: files.filter((file) => TEMPORARY_NAME.test(path.basename(file))),
  }
}

/**
 * Reads what stands where a document goes.
 * @returns undefined where nothing does; what it is, in words, where it is nothing to write over
 */
export function readCommitted(file: string): CommittedDocument | string | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false })
  if (stats === undefined) return undefined
  if (!stats.isFile()) return `it is ${stats.isDirectory() ? 'a folder' : 'no regular file'}`
  const text = readFileSync(file, 'utf8')
  if (text.trim() !== '' && !isOurs(text)) return 'it is no OpenAPI 3.1 document, and so not ours'
  return { text, mode: stats.mode & 0o777 }
}

/** JSON has no comments to tell who wrote it. What a merge has left in a document does not count, since writing it anew mends that. */
function isOurs(text: string): boolean {
  return /^\uFEFF?\s*\{[^]*?"openapi"\s*:\s*"3\.1\b/.test(text)
}
