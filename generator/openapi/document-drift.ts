import path from 'node:path'

import { describeChange } from '../output/drift.js'
import { normalizeLineEndings, type Write } from '../output/plan.js'
import { displayPath } from '../output/report.js'
import type { DocumentPlan } from './plan-documents.js'

/** Maximum number of lines of a document's diff. */
const MAX_DIFF_LINES = 200

/** Maximum number of changed lines for which a diff is computed, because the computation gets slower with each changed line. */
const MAX_COMPARED_LINES = 2000

/** Maximum number of names that describe the location of a hunk, such as `paths /post get` or `components schemas Post`. */
const MAX_SECTION_NAMES = 3

/** Whether the committed documents differ from those that the handlers serve. */
export function hasDocumentDrift({ writes, orphans }: DocumentPlan): boolean {
  return writes.length + orphans.length > 0
}

/** Returns the differences of the committed documents as unified diffs of limited length, or an empty string if there are none. */
export function describeDocumentDrift({ outputDir, writes, orphans }: DocumentPlan): string {
  return [
    ...writes.map((write) => describe(outputDir, write)),
    ...orphans.map((file) => `${displayPath(file)}: no handler serves this document.\n`),
  ].join('')
}

function describe(outputDir: string, write: Write): string {
  const name = displayPath(path.join(outputDir, write.path))
  if (write.before === undefined) return `${name}: this document is missing.\n`
  const diff = describeChange(outputDir, write, MAX_COMPARED_LINES)
  if (diff === undefined) return `${name}: more than ${MAX_COMPARED_LINES} lines differ.\n`
  const lines = diff.split('\n')
  // The last element is the empty string after the final line feed.
  const more = lines.length - 1 - MAX_DIFF_LINES
  const excerpt = addSections(more > 0 ? lines.slice(0, MAX_DIFF_LINES) : lines, write.text).join('\n')
  return more <= 0 ? excerpt : `${excerpt}\n${name}: ${more} more lines of this diff are not shown.\n`
}

/** Adds the section of the document to each hunk header, as Git does for code, because three lines of context do not show it. */
function addSections(diff: readonly string[], text: string): string[] {
  const document = normalizeLineEndings(text).split('\n')
  return diff.map((line, index) => {
    const start = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@$/.exec(line)?.[1]
    if (start === undefined) return line
    const before = diff.slice(index + 1).findIndex((other) => /^[-+]/.test(other))
    return `${line} ${findSection(document, Number(start) - 1 + Math.max(before, 0))}`.trimEnd()
  })
}

/** Returns the keys under which a line is nested, such as `components schemas Post`. Requires prettier's indentation. */
function findSection(document: readonly string[], line: number): string {
  const names: string[] = []
  let depth = getIndent(document[line])
  for (let index = line - 1; index >= 0 && depth > 0; index--) {
    const above = document[index]
    const indent = getIndent(above)
    if (above?.trim() === '' || indent >= depth) continue
    depth = indent
    const name = /^\s*"(.*)": [[{]$/.exec(above ?? '')?.[1]
    if (name !== undefined) names.unshift(name)
  }
  return names.slice(0, MAX_SECTION_NAMES).join(' ')
}

function getIndent(line = ''): number {
  return line.length - line.trimStart().length
}
