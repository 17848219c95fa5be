import { realpathSync } from 'node:fs'
import path from 'node:path'

import { DOCUMENT_SUFFIX } from '../../openapi/document-paths.js'
import { readCommitted as readFile, readFolder } from '../../openapi/read-folder.js'
import { requestsFromArguments } from '../../openapi/document-requests.js'
import { committedPaths, readCommitted } from '../git/committed-files.js'

/** A committed OpenAPI document before and after a change. */
export interface DocumentPair {
  /** Absolute path of the document. */
  readonly file: string
  readonly before: unknown
  readonly after: unknown
}

/**
 * Reads the OpenAPI documents that exist on both sides of a change.
 * @param before absolute paths of the handler modules in the earlier schema
 * @param after absolute paths of the handler modules in the current schema
 */
export async function readDocuments(
  before: readonly string[],
  after: readonly string[],
  root: string,
  commit: string,
): Promise<readonly DocumentPair[]> {
  const top = realpathSync(root)
  const folders = new Set(requestsFromArguments(after).map(({ folder }) => folder))
  const old = new Set(requestsFromArguments(before).map(({ folder }) => path.relative(root, folder)))
  const pairs: DocumentPair[] = []
  for (const folder of folders) {
    const { documents } = readFolder(folder)
    if (documents.length === 0) continue
    const now = path.relative(top, realpathSync(folder))
    const below = old.has(now) || old.size !== 1 ? now : ([...old][0] ?? now)
    const paths = (await committedPaths(root, commit, below.replaceAll('\\', '/'))).filter((one) =>
      one.endsWith(DOCUMENT_SUFFIX),
    )
    for (const { path: committed, text } of await readCommitted(root, commit, paths)) {
      const file = documents.find((document) => path.basename(document) === path.posix.basename(committed))
      const there = file === undefined ? undefined : readFile(file)
      if (file === undefined || there === undefined || typeof there === 'string') continue
      const [one, other] = [parsed(text), parsed(there.text)]
      if (one !== undefined && other !== undefined) pairs.push({ file, before: one, after: other })
    }
  }
  return pairs
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
