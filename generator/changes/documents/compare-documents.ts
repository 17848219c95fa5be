import { displayPath } from '../../output/report.js'
import type { Change, Finding } from '../change.js'
import { changeId } from '../change.js'
import { quote } from '../phrases.js'
import { type DocumentSummary, summarizeDocument } from './document-summary.js'
import type { DocumentPair } from './read-documents.js'

/**
 * Compares committed OpenAPI documents to find the effects of handler options: paths, page sizes, limits and names.
 * @param schemaChanges the changes found in the schema. Their models are skipped to avoid duplicate reports.
 */
export function compareDocuments(pairs: readonly DocumentPair[], schemaChanges: readonly Change[]): readonly Change[] {
  const reportedModels = new Set(schemaChanges.filter(({ kind }) => kind !== 'harmless').map(({ model }) => model))
  return pairs.flatMap(({ file, before, after }) => {
    const emitted = displayPath(file)
    const isReported = (model: string | undefined) => model !== undefined && reportedModels.has(model)
    return compareSummaries(summarizeDocument(before), summarizeDocument(after), isReported).map((finding) => ({
      ...finding,
      id: changeId(finding),
      emitted,
    }))
  })
}

/** Compares two document summaries, apart from the schemas of models. */
export function compareSummaries(
  oldSummary: DocumentSummary,
  newSummary: DocumentSummary,
  isReported: (model: string | undefined) => boolean,
): readonly Finding[] {
  const findings: Finding[] = []
  const movedPaths = findMovedModels(oldSummary, newSummary)
  for (const [model, { from, to }] of movedPaths) {
    if (isReported(model)) continue
    const sentence = `${quote(model)} is served at ${quote(to)} instead of ${quote(from)}: requests for the old path are rejected (404).`
    findings.push({ kind: 'breaking', code: 'path-changed', model, detail: `${from} -> ${to}`, sentence })
  }
  for (const [name, { path, model }] of oldSummary.operations) {
    const newPath = newSummary.operations.get(name)?.path
    const isMoved = model !== undefined && movedPaths.has(model)
    if (newPath === path || isReported(model)) continue
    const about = { kind: 'breaking', ...(model !== undefined && { model }) } as const
    if (newPath === undefined) {
      const sentence = `The handler no longer offers ${quote(name)} (${quote(path)}): such requests are rejected.`
      findings.push({ ...about, code: 'endpoint-removed', detail: name, sentence })
    } else if (!isMoved) {
      const sentence = `${quote(name)} is served at ${quote(newPath)} instead of ${quote(path)}: requests for the old path are rejected (404).`
      findings.push({ ...about, code: 'path-changed', detail: `${name} ${path} -> ${newPath}`, sentence })
    }
  }
  for (const [name, { path, model }] of newSummary.operations) {
    if (oldSummary.operations.has(name) || isReported(model)) continue
    const sentence = `The handler now offers ${quote(name)} (${quote(path)}).`
    const about = { ...(model !== undefined && { model }), detail: name }
    findings.push({ kind: 'exposure', code: 'endpoint-added', ...about, sentence })
  }
  for (const [name, limit] of newSummary.limits) {
    const old = oldSummary.limits.get(name)
    if (old === undefined || old === limit) continue
    const [from, to] = [String(old), String(limit)]
    const isLess = limit < old
    const sentence = isLess
      ? `${quote(name)} may be at most ${to} instead of ${from}: requests that exceed it are rejected (400).`
      : `${quote(name)} may be up to ${to} instead of ${from}.`
    const code = isLess ? 'limit-lowered' : 'limit-raised'
    findings.push({ kind: isLess ? 'breaking' : 'loosened', code, detail: `${name} ${from} -> ${to}`, sentence })
  }
  for (const [model, filter] of newSummary.ids) {
    const old = oldSummary.ids.get(model)
    if (old === undefined || old === filter || isReported(model)) continue
    const sentence = `A ${quote(model)} is identified by a different value in paths and responses: the old ids are not found (404).`
    findings.push({ kind: 'breaking', code: 'id-mapped', model, detail: `${old} -> ${filter}`, sentence })
  }
  return findings
}

function findMovedModels(
  oldSummary: DocumentSummary,
  newSummary: DocumentSummary,
): Map<string, { readonly from: string; readonly to: string }> {
  const pathsByModel = new Map<string, { from: string; to: string }>()
  for (const [name, { path, model }] of oldSummary.operations) {
    const newPath = newSummary.operations.get(name)?.path
    const [from = '', to = ''] = [path, newPath].map((each) => /^\/[^/]+/.exec(each ?? '')?.[0])
    if (model !== undefined && to !== '' && from !== to) pathsByModel.set(model, { from, to })
  }
  return pathsByModel
}
