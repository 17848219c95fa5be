import path from 'node:path'

import { folderName } from '../model/names.js'
import { displayPath } from '../output/report.js'
import { parseSchemaText } from '../schema/parse-schema-text.js'
import type { ApiSnapshot } from './api-snapshot.js'
import { type Change, type Finding, changeId, type Line } from './change.js'

/** Adds ids, schema lines and emitted files to findings. */
export function locateChanges(
  findings: readonly Finding[],
  before: ApiSnapshot | undefined,
  after: ApiSnapshot | undefined,
): readonly Change[] {
  return findings.map((finding) => {
    const location = locateFinding(finding, before, after)
    const emitted = findEmittedFile(finding, after ?? before)
    return {
      ...finding,
      id: changeId(finding),
      ...(location && { location }),
      ...(emitted !== undefined && { emitted }),
    }
  })
}

/**
 * Returns the line in the current schema that is closest to a removed element: the nearest remaining member above it, or the model. If the
 * model was removed too, returns the first line of the file.
 */
export function findNearestLine(
  change: Change,
  before: ApiSnapshot | undefined,
  after: ApiSnapshot | undefined,
): Line | undefined {
  if (!change.location?.removed || after === undefined) return change.location
  const { model, member } = change
  if (model !== undefined && member !== undefined) {
    const names = listMembers(before, model)
    const above = names.slice(0, Math.max(0, names.indexOf(member))).reverse()
    const remainingMember = above.find((name) => listMembers(after, model).includes(name))
    const line = findLine(after, { model, ...(remainingMember !== undefined && { field: remainingMember }) })
    if (line !== undefined) return line
  }
  const { file } = change.location
  const exists = after.schema.files().some((each) => each.path !== undefined && displayPath(each.path) === file)
  return exists ? { file, line: 1, removed: false } : undefined
}

function locateFinding(
  finding: Finding,
  before: ApiSnapshot | undefined,
  after: ApiSnapshot | undefined,
): Line | undefined {
  const { model, member, element, removed } = finding
  const location =
    element ?? (model === undefined ? undefined : { model, ...(member !== undefined && { field: member }) })
  if (location === undefined) return undefined
  const isRemoved = removed === true || after === undefined
  const snapshot = isRemoved ? before : after
  const line = snapshot && findLine(snapshot, location)
  return line && { ...line, removed: isRemoved }
}

function findLine({ schema }: ApiSnapshot, location: Parameters<ApiSnapshot['schema']['locate']>[0]): Line | undefined {
  const found = /^(.*):(\d+)$/.exec(schema.locate(location) ?? '')
  if (!found) return undefined
  return { file: (found[1] ?? '').replaceAll('\\', '/'), line: Number(found[2]), removed: false }
}

function listMembers(snapshot: ApiSnapshot | undefined, model: string): string[] {
  const blocks = snapshot?.schema.files().flatMap(({ text }) => parseSchemaText(text).blocks) ?? []
  return blocks.find(({ kind, name }) => kind !== 'enum' && name === model)?.members.map(({ name }) => name) ?? []
}

/** Matches the codes of changes that are visible in the routes file. Other changes are visible in the resource file. */
const ROUTES_FILE_CODES = /^(?:operation|model|nested|style)-/

function findEmittedFile(
  { kind, code, model, detail }: Finding,
  snapshot: ApiSnapshot | undefined,
): string | undefined {
  if (snapshot === undefined || model === undefined || kind === 'harmless') return undefined
  const { options, api } = snapshot
  const isExposed = api.models.some(({ name }) => name === model)
  const folder = path.join(options.output, folderName(model))
  if (!isExposed) return displayPath(folder)
  const isRpcOnly = code.startsWith('operation-') && /[A-Z]/.test(detail ?? '')
  const style = isRpcOnly || !options.styles.includes('rest') ? 'rpc' : 'rest'
  return displayPath(path.join(folder, ROUTES_FILE_CODES.test(code) ? `${style}.ts` : 'resource.ts'))
}
