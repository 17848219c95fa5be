import { realpathSync } from 'node:fs'
import path from 'node:path'

import { DOCUMENT_SUFFIX } from '../../openapi/document-paths.js'
import { readDocumentFile as readFile, readFolder } from '../../openapi/read-folder.js'
import { requestsFromArguments } from '../../openapi/document-requests.js'
import { listCommittedPaths, readCommittedFiles } from '../git/committed-files.js'

/** A committed OpenAPI document before and after a change. */
export interface DocumentPair {
  /** Absolute path of the document. */
  readonly file: string
  readonly before: unknown
  readonly after: unknown
}

/**
 * Reads the OpenAPI documents that exist both before and after a change.
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
    const currentFolder = path.relative(top, realpathSync(folder))
    const oldFolder = old.has(currentFolder) || old.size !== 1 ? currentFolder : ([...old][0] ?? currentFolder)
    const paths = (await listCommittedPaths(root, commit, oldFolder.replaceAll('\\', '/'))).filter((one) =>
      one.endsWith(DOCUMENT_SUFFIX),
    )
    for (const { path: committed, text } of await readCommittedFiles(root, commit, paths)) {
      const file = documents.find((document) => path.basename(document) === path.posix.basename(committed))
      const current = file === undefined ? undefined : readFile(file)
      if (file === undefined || current === undefined || typeof current === 'string') continue
      const [oldDocument, newDocument] = [parsed(text), parsed(current.text)]
      if (oldDocument !== undefined && newDocument !== undefined)
        pairs.push({ file, before: oldDocument, after: newDocument })
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
