import path from 'node:path'

import { describeChange } from '../output/drift.js'
import type { Write } from '../output/plan.js'
import { display } from '../output/report.js'
import type { DocumentPlan } from './plan-documents.js'

/** So many lines of a document's difference are shown. */
const SHOWN = 200

/** Two documents that differ in more lines than this are not compared line by line: that takes longer with every line. */
const COMPARED = 2000

/** Whether the committed documents are others than those that the handlers serve. */
export function hasDocumentDrift({ writes, orphans }: DocumentPlan): boolean {
  return writes.length + orphans.length > 0
}

/** How the committed documents differ, as unified diffs of limited length. The empty string where they do not. */
export function describeDocumentDrift({ outputDir, writes, orphans }: DocumentPlan): string {
  return [
    ...writes.map((write) => describe(outputDir, write)),
    ...orphans.map((file) => `${display(file)}: no handler gives this document.\n`),
  ].join('')
}

function describe(outputDir: string, write: Write): string {
  const name = display(path.join(outputDir, write.path))
  if (write.before === undefined) return `${name}: this document is missing.\n`
  const diff = describeChange(outputDir, write, COMPARED)
  if (diff === undefined) return `${name}: more than ${COMPARED} lines differ.\n`
  const lines = diff.split('\n')
  // The last one is empty: what stands behind the last line feed.
  const more = lines.length - 1 - SHOWN
  if (more <= 0) return diff
  return `${lines.slice(0, SHOWN).join('\n')}\n${name}: ${more} more lines of this difference are not shown.\n`
}
