import type { ApiChanges } from '../find-changes.js'
import type { Severity } from '../change.js'
import { groupBySeverity } from './counts.js'

/** How a changelog heads what callers have to know. */
const HEADS: Readonly<Record<Exclude<Severity, 'harmless'>, string>> = {
  breaking: 'Breaking',
  exposure: 'Added',
  loosened: 'Changed',
}

/** Changes as a section of a changelog for those who call the API. What does not concern them is left out. */
export function formatChangelog({ changes }: ApiChanges): string {
  const told = groupBySeverity(changes).flatMap(([kind, those]) =>
    kind === 'harmless' ? [] : [[kind, those] as const],
  )
  if (told.length === 0) return '## Unreleased\n\nNothing changes for callers.\n'
  // What asks something of callers comes first.
  const order: readonly Severity[] = ['breaking', 'exposure', 'loosened']
  const sorted = [...told].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
  const sections = sorted.map(
    ([kind, those]) => `### ${HEADS[kind]}\n\n${those.map(({ sentence }) => `- ${sentence}\n`).join('')}`,
  )
  return `## Unreleased\n\n${sections.join('\n')}`
}
