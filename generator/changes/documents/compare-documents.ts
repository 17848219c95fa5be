import path from 'node:path'

import { displayPath } from '../../output/report.js'
import type { ApiSnapshot } from '../api-snapshot.js'
import type { Change } from '../change.js'
import { changeId } from '../change.js'
import { quote, withArticle } from '../phrases.js'
import { compareCustomRoutes } from './compare-custom-routes.js'
import { compareHandlerOptions, getStyle } from './compare-handler-options.js'
import { type DocumentChange, type DocumentFinding, getRouteName, mergeStyles } from './document-changes.js'
import {
  type DocumentOperation,
  type DocumentSummary,
  findSameOperation,
  summarizeDocument,
} from './document-summary.js'
import { findReplacedRoutes } from './find-replaced-routes.js'
import { findOtherDifferences } from './other-differences.js'
import type { DocumentPair } from './read-documents.js'
import { createSchemaEffects, type SchemaEffects } from './schema-effects.js'

/**
 * Compares committed OpenAPI documents to find the effects of handler options and custom routes: paths, page sizes, limits, names, inputs
 * and results. Omits the effects of the schema change, because the schema comparison reports them.
 * @param isExplained whether the schema comparison has findings. They can explain any other difference between the documents.
 */
export function compareDocuments(
  pairs: readonly DocumentPair[],
  before: ApiSnapshot,
  after: ApiSnapshot,
  isExplained: boolean,
): readonly Change[] {
  const effects = createSchemaEffects(before, after)
  const changes = pairs.flatMap(({ file, before: oldDocument, after: newDocument }): readonly DocumentChange[] => {
    const emitted = displayPath(file)
    const [oldSummary, newSummary] = [summarizeDocument(oldDocument), summarizeDocument(newDocument)]
    const findings = compareSummaries(oldSummary, newSummary, effects)
    const others =
      isExplained || findings.length > 0 ? [] : findOtherDifferences(oldSummary, newSummary, path.basename(file))
    const about = { emitted, style: getStyle(newSummary) }
    return [...findings, ...others].map((finding) => ({ ...finding, id: changeId(finding), ...about }))
  })
  return mergeStyles(changes)
}

/**
 * Compares two document summaries, apart from the schemas of models.
 * @param effects the differences to omit
 */
export function compareSummaries(
  oldSummary: DocumentSummary,
  newSummary: DocumentSummary,
  effects: SchemaEffects,
): readonly DocumentFinding[] {
  const findings: DocumentFinding[] = []
  const nameOf = (operation: DocumentOperation) =>
    effects.isEmitted(operation) ? operation.name : getRouteName(operation)
  const removed = findMissing(oldSummary, newSummary).filter((operation) => !effects.changesOperation(operation))
  const added = findMissing(newSummary, oldSummary).filter((operation) => !effects.changesOperation(operation))
  const movedModels = findMovedModels(removed, added)
  const replaced = findReplacedRoutes(removed, added, oldSummary, newSummary)
  for (const [model, { from, to }] of movedModels) {
    const sentence = `${quote(model)} is served at ${quote(to)} instead of ${quote(from)}: requests for the old path are rejected (404).`
    findings.push({ kind: 'breaking', code: 'path-changed', model, detail: `${from} -> ${to}`, sentence })
  }
  for (const operation of removed) {
    const { method, path, model } = operation
    const name = nameOf(operation)
    const newPath = findSameOperation(operation, added)?.path
    const renamed = findRenamed(operation, added)
    const replacement = replaced.get(operation)
    const about = { kind: 'breaking', operation: name, ...(model !== undefined && { model }) } as const
    const request = `${method} ${path}`
    if (renamed !== undefined) {
      const newName = nameOf(renamed)
      const sentence = `${quote(name)} is now called ${quote(newName)}: its requests stay the same, but generated clients name it differently.`
      const detail = `${name} -> ${newName}`
      findings.push({ ...about, kind: 'harmless', code: 'operation-renamed', request, detail, sentence })
    } else if (replacement !== undefined) {
      findings.push({ ...about, ...describeReplacement(operation, replacement, nameOf) })
    } else if (newPath === undefined) {
      const sentence = `The handler no longer offers ${quote(name)}: such requests are rejected.`
      findings.push({ ...about, code: 'endpoint-removed', request, detail: name, sentence })
    } else if (newPath !== moveWithModel(path, movedModels.get(model ?? ''))) {
      const sentence = `${quote(name)} is served at ${quote(newPath)} instead of ${quote(path)}: requests for the old path are rejected (404).`
      findings.push({ ...about, code: 'path-changed', detail: `${name} ${path} -> ${newPath}`, sentence })
    }
  }
  const replacements = new Set(replaced.values())
  for (const operation of added) {
    const { method, path, model } = operation
    if (replacements.has(operation)) continue
    if (findSameOperation(operation, removed) || findRenamed(operation, removed)) continue
    const name = nameOf(operation)
    const sentence = `The handler now offers ${quote(name)}.`
    const about = { ...(model !== undefined && { model }), operation: name, request: `${method} ${path}`, detail: name }
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
  for (const [name, value] of newSummary.defaults) {
    const old = oldSummary.defaults.get(name)
    if (old === undefined || old === value) continue
    const sentence = `The default of ${quote(name)} is ${quote(value)} instead of ${quote(old)}: responses to requests without it differ.`
    findings.push({ kind: 'breaking', code: 'default-changed', detail: `${name} ${old} -> ${value}`, sentence })
  }
  for (const [model, filter] of newSummary.ids) {
    const old = oldSummary.ids.get(model)
    if (old === undefined || old === filter || effects.changesId(model, old, filter)) continue
    const sentence = `${withArticle('A', model)} is identified by a different value in paths and responses: the old ids are not found (404).`
    findings.push({ kind: 'breaking', code: 'id-mapped', model, detail: `${old} -> ${filter}`, sentence })
  }
  return [
    ...findings,
    ...compareHandlerOptions(oldSummary, newSummary, effects),
    ...compareCustomRoutes(oldSummary, newSummary, effects, replaced),
  ]
}

function describeReplacement(
  old: DocumentOperation,
  current: DocumentOperation,
  nameOf: (operation: DocumentOperation) => string,
): Pick<DocumentFinding, 'code' | 'detail' | 'sentence' | 'request'> {
  const [name, newName] = [nameOf(old), nameOf(current)]
  const { method, path } = old
  if (method !== current.method) {
    const sentence = `${quote(name)} has the method ${quote(current.method)} instead of ${quote(method)}: requests with the old method are rejected.`
    return { code: 'method-changed', request: path, detail: `${name} ${method} -> ${current.method}`, sentence }
  }
  const sentence = `${quote(name)} was renamed to ${quote(newName)} and is served at ${quote(current.path)} instead of ${quote(path)}: requests for the old path are rejected (404).`
  return { code: 'operation-renamed', detail: `${name} -> ${newName}`, sentence }
}

/** Returns the operations of one document that another document does not have, or has at a different path. */
function findMissing({ operations }: DocumentSummary, other: DocumentSummary): readonly DocumentOperation[] {
  const others = new Set(other.operations.map(operationKey))
  return operations.filter((operation) => !others.has(operationKey(operation)))
}

function operationKey({ name, method, path }: DocumentOperation): string {
  // Documents append numbers to duplicate names. These numbers can change when other operations change.
  return `${name.replace(/\d+$/, '')} ${method} ${path}`
}

/** Returns the model's operation with the same method and path in another document. */
function findRenamed(
  { method, path, model }: DocumentOperation,
  others: readonly DocumentOperation[],
): DocumentOperation | undefined {
  return others.find((each) => each.method === method && each.path === path && each.model === model)
}

interface Move {
  readonly from: string
  readonly to: string
}

/** Finds the models whose path has changed. An operation below it is reported separately only if the rest of its path has changed, too. */
function findMovedModels(
  removed: readonly DocumentOperation[],
  added: readonly DocumentOperation[],
): ReadonlyMap<string, Move> {
  const moves = new Map<string, Move>()
  for (const operation of removed) {
    const newPath = findSameOperation(operation, added)?.path
    const [from = '', to = ''] = [operation.path, newPath].map((path) => FIRST_SEGMENT.exec(path ?? '')?.[0])
    if (operation.model !== undefined && to !== '' && from !== to) moves.set(operation.model, { from, to })
  }
  return moves
}

function moveWithModel(path: string, { from, to }: Move = { from: '', to: '' }): string {
  return path.startsWith(from) ? to + path.slice(from.length) : path
}

const FIRST_SEGMENT = /^\/[^/]+/
