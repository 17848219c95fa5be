import type { ApiChanges } from '../find-changes.js'
import type { Severity } from '../change.js'
import { groupBySeverity } from './counts.js'

/** The changelog heading of each severity. */
const SECTION_TITLES: Readonly<Record<Exclude<Severity, 'harmless'>, string>> = {
  breaking: 'Breaking',
  exposure: 'Added',
  loosened: 'Changed',
  other: 'Other',
}

/** Formats changes as a changelog section for API callers. Harmless changes are omitted. */
export function formatChangelog({ changes }: ApiChanges): string {
  const reported = groupBySeverity(changes).flatMap(([kind, those]) =>
    kind === 'harmless' ? [] : [[kind, those] as const],
  )
  if (reported.length === 0) return '## Unreleased\n\nNo changes for callers.\n'
  // Changes that require action come first.
  const order: readonly Severity[] = ['breaking', 'exposure', 'loosened', 'other']
  const sorted = [...reported].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))
  const sections = sorted.map(
    ([kind, those]) => `### ${SECTION_TITLES[kind]}\n\n${those.map(({ sentence }) => `- ${sentence}\n`).join('')}`,
  )
  return `## Unreleased\n\n${sections.join('\n')}`
}
