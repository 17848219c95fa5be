import { display } from '../../output/report.js'
import type { Change, Finding } from '../change.js'
import { idOf } from '../change.js'
import { quoted } from '../words.js'
import { type DocumentFacts, documentFacts } from './document-facts.js'
import type { DocumentPair } from './read-documents.js'

/**
 * What the options of handlers change, by the committed documents: paths, page sizes, limits, names.
 * @param known what the schema has changed already: of its models, nothing is said twice
 */
export function compareDocuments(pairs: readonly DocumentPair[], known: readonly Change[]): readonly Change[] {
  const told = new Set(known.filter(({ kind }) => kind !== 'harmless').map(({ model }) => model))
  return pairs.flatMap(({ file, before, after }) => {
    const emitted = display(file)
    const isTold = (model: string | undefined) => model !== undefined && told.has(model)
    return compareFacts(documentFacts(before), documentFacts(after), isTold).map((finding) => ({
      ...finding,
      id: idOf(finding),
      emitted,
    }))
  })
}

/** Compares what two documents say beside the models themselves. */
export function compareFacts(
  was: DocumentFacts,
  is: DocumentFacts,
  isTold: (model: string | undefined) => boolean,
): readonly Finding[] {
  const findings: Finding[] = []
  const moved = movedModels(was, is)
  for (const [model, { from, to }] of moved) {
    if (isTold(model)) continue
    const sentence = `${quoted(model)} is served at ${quoted(to)} instead of ${quoted(from)}: requests for the old path are refused (404).`
    findings.push({ kind: 'breaking', code: 'path-changed', model, detail: `${from} -> ${to}`, sentence })
  }
  for (const [name, { path, model }] of was.operations) {
    if (is.operations.has(name) || isTold(model)) continue
    const sentence = `The handler no longer offers ${quoted(name)} (${quoted(path)}): such requests are refused.`
    const about = { ...(model !== undefined && { model }), detail: name }
    findings.push({ kind: 'breaking', code: 'endpoint-removed', ...about, sentence })
  }
  for (const [name, { path, model }] of is.operations) {
    if (was.operations.has(name) || isTold(model)) continue
    const sentence = `The handler offers ${quoted(name)} (${quoted(path)}) now.`
    const about = { ...(model !== undefined && { model }), detail: name }
    findings.push({ kind: 'exposure', code: 'endpoint-added', ...about, sentence })
  }
  for (const [name, limit] of is.limits) {
    const old = was.limits.get(name)
    if (old === undefined || old === limit) continue
    const [from, to] = [String(old), String(limit)]
    const isLess = limit < old
    const sentence = isLess
      ? `${quoted(name)} may be at most ${to} instead of ${from}: requests beyond it are refused (400).`
      : `${quoted(name)} may be up to ${to} instead of ${from}.`
    const code = isLess ? 'limit-lowered' : 'limit-raised'
    findings.push({ kind: isLess ? 'breaking' : 'loosened', code, detail: `${name} ${from} -> ${to}`, sentence })
  }
  for (const [model, filter] of is.ids) {
    const old = was.ids.get(model)
    if (old === undefined || old === filter || isTold(model)) continue
    const sentence = `Another value identifies a ${quoted(model)} in paths and answers: the old ids are not found (404).`
    findings.push({ kind: 'breaking', code: 'id-mapped', model, detail: `${old} -> ${filter}`, sentence })
  }
  return findings
}

/** Models whose paths begin otherwise. */
function movedModels(
  was: DocumentFacts,
  is: DocumentFacts,
): Map<string, { readonly from: string; readonly to: string }> {
  const moved = new Map<string, { from: string; to: string }>()
  for (const [name, { path, model }] of was.operations) {
    const now = is.operations.get(name)?.path
    const [from = '', to = ''] = [path, now].map((each) => /^\/[^/]+/.exec(each ?? '')?.[0])
    if (model !== undefined && to !== '' && from !== to) moved.set(model, { from, to })
  }
  return moved
}
