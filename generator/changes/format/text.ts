import type { Change } from '../change.js'
import type { ApiChanges } from '../find-changes.js'
import { groupBySeverity, summarizeCounts, HEADINGS } from './counts.js'

/** Formats changes for a terminal. */
export function formatText({ base, isNew, changes, notes }: ApiChanges): string {
  const noteText = notes.map((note) => `${note}\n`).join('')
  if (changes.length === 0) return `${noteText}The API has not changed since ${base.name}.\n`
  const head = isNew ? `New API: ${base.name} has no API.` : `Changes since ${base.name}: ${summarizeCounts(changes)}.`
  const sections = groupBySeverity(changes).map(
    ([kind, those]) => `\n${HEADINGS[kind]}\n${those.map((change) => describe(change)).join('')}`,
  )
  return `${noteText}${head}\n${sections.join('')}`
}

function describe({ sentence, id, accepted, ...change }: Change): string {
  const lines = [`  ${sentence}`, `    ${formatChangeLocation(change)}[${id}]`]
  if (accepted !== undefined) lines.push(`    accepted: ${accepted}`)
  return `${lines.join('\n')}\n`
}

/** Formats the known locations of a change, such as `prisma/schema.prisma:12 src/routes/post/resource.ts `. */
function formatChangeLocation({ location, emitted }: Pick<Change, 'location' | 'emitted'>): string {
  const line = location && `${location.file}:${location.line}${location.removed ? ' (before)' : ''}`
  return [line, emitted].flatMap((part) => (part === undefined ? [] : [`${part} `])).join('')
}
