import path from 'node:path'

import { describeChange } from '../output/drift.js'
import { normalizeLineEndings, type Write } from '../output/plan.js'
import { displayPath } from '../output/report.js'
import type { DocumentPlan } from './plan-documents.js'

/** So many lines of a document's difference are shown. */
const SHOWN = 200

/** Two documents that differ in more lines than this are not compared line by line: that takes longer with every line. */
const COMPARED = 2000

/** So many names say where in a document something is: `paths /post get`, `components schemas Post`. */
const NAMED = 3

/** Whether the committed documents are others than those that the handlers serve. */
export function hasDocumentDrift({ writes, orphans }: DocumentPlan): boolean {
  return writes.length + orphans.length > 0
}

/** How the committed documents differ, as unified diffs of limited length. The empty string where they do not. */
export function describeDocumentDrift({ outputDir, writes, orphans }: DocumentPlan): string {
  return [
    ...writes.map((write) => describe(outputDir, write)),
    ...orphans.map((file) => `${displayPath(file)}: no handler gives this document.\n`),
  ].join('')
}

function describe(outputDir: string, write: Write): string {
  const name = displayPath(path.join(outputDir, write.path))
  if (write.before === undefined) return `${name}: this document is missing.\n`
  const diff = describeChange(outputDir, write, COMPARED)
  if (diff === undefined) return `${name}: more than ${COMPARED} lines differ.\n`
  const lines = diff.split('\n')
  // The last one is empty: what stands behind the last line feed.
  const more = lines.length - 1 - SHOWN
  const shown = withSections(more > 0 ? lines.slice(0, SHOWN) : lines, write.text).join('\n')
  return more <= 0 ? shown : `${shown}\n${name}: ${more} more lines of this difference are not shown.\n`
}

/** Says behind the head of each hunk which part of the document it is in, as git does for code; three lines around it do not tell. */
function withSections(diff: readonly string[], text: string): string[] {
  const document = normalizeLineEndings(text).split('\n')
  return diff.map((line, at) => {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@$/.exec(line)?.[1]
    if (start === undefined) return line
    const before = diff.slice(at + 1).findIndex((other) => /^[-+]/.test(other))
    return `${line} ${sectionOf(document, Number(start) - 1 + Math.max(before, 0))}`.trimEnd()
  })
}

/** The names of the members that a line of a document is in, as `components schemas Post`. The layout has to be one of prettier's. */
function sectionOf(document: readonly string[], line: number): string {
  const names: string[] = []
  let depth = indentOf(document[line])
  for (let at = line - 1; at >= 0 && depth > 0; at--) {
    const above = document[at]
    const indent = indentOf(above)
    if (above?.trim() === '' || indent >= depth) continue
    depth = indent
    const name = /^\s*"(.*)": [[{]$/.exec(above ?? '')?.[1]
    if (name !== undefined) names.unshift(name)
  }
  return names.slice(0, NAMED).join(' ')
}

function indentOf(line = ''): number {
  return line.length - line.trimStart().length
}
