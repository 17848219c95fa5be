import path from 'node:path'

import { folderName } from '../model/names.js'
import { displayPath } from '../output/report.js'
import { parseSchemaText } from '../schema/parse-schema-text.js'
import type { ApiSnapshot } from './api-snapshot.js'
import { type Change, type Finding, changeId, type Line } from './change.js'

/** Says where changes stand: in the schema, and in the emitted files. */
export function locateChanges(
  findings: readonly Finding[],
  before: ApiSnapshot | undefined,
  after: ApiSnapshot | undefined,
): readonly Change[] {
  return findings.map((finding) => {
    const place = placeOf(finding, before, after)
    const emitted = emittedFile(finding, after ?? before)
    return { ...finding, id: changeId(finding), ...(place && { place }), ...(emitted !== undefined && { emitted }) }
  })
}

/** A line of the schema now that stands next to what is gone; where its model is gone too, the beginning of the file. */
export function nearestLine(
  change: Change,
  before: ApiSnapshot | undefined,
  after: ApiSnapshot | undefined,
): Line | undefined {
  if (!change.place?.gone || after === undefined) return change.place
  const { model, member } = change
  if (model !== undefined && member !== undefined) {
    const names = membersOf(before, model)
    const above = names.slice(0, Math.max(0, names.indexOf(member))).reverse()
    const kept = above.find((name) => membersOf(after, model).includes(name))
    const line = lineOf(after, { model, ...(kept !== undefined && { field: kept }) })
    if (line !== undefined) return line
  }
  const { file } = change.place
  const isThere = after.schema.files().some((each) => each.path !== undefined && displayPath(each.path) === file)
  return isThere ? { file, line: 1, gone: false } : undefined
}

function placeOf(finding: Finding, before: ApiSnapshot | undefined, after: ApiSnapshot | undefined): Line | undefined {
  const { model, member, at, gone } = finding
  const place = at ?? (model === undefined ? undefined : { model, ...(member !== undefined && { field: member }) })
  if (place === undefined) return undefined
  const isGone = gone === true || after === undefined
  const side = isGone ? before : after
  const line = side && lineOf(side, place)
  return line && { ...line, gone: isGone }
}

function lineOf({ schema }: ApiSnapshot, place: Parameters<ApiSnapshot['schema']['locate']>[0]): Line | undefined {
  const found = /^(.*):(\d+)$/.exec(schema.locate(place) ?? '')
  if (!found) return undefined
  return { file: (found[1] ?? '').replaceAll('\\', '/'), line: Number(found[2]), gone: false }
}

function membersOf(side: ApiSnapshot | undefined, model: string): string[] {
  const blocks = side?.schema.files().flatMap(({ text }) => parseSchemaText(text).blocks) ?? []
  return blocks.find(({ kind, name }) => kind !== 'enum' && name === model)?.members.map(({ name }) => name) ?? []
}

/** Changes that show in the routes; others show in the resource. */
const IN_ROUTES = /^(?:operation|model|nested|style)-/

function emittedFile({ kind, code, model, detail }: Finding, side: ApiSnapshot | undefined): string | undefined {
  if (side === undefined || model === undefined || kind === 'harmless') return undefined
  const { options, api } = side
  const isThere = api.models.some(({ name }) => name === model)
  const folder = path.join(options.output, folderName(model))
  if (!isThere) return displayPath(folder)
  const isRpcOnly = code.startsWith('operation-') && /[A-Z]/.test(detail ?? '')
  const style = isRpcOnly || !options.styles.includes('rest') ? 'rpc' : 'rest'
  return displayPath(path.join(folder, IN_ROUTES.test(code) ? `${style}.ts` : 'resource.ts'))
}
