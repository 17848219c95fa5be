import type { Change } from '../change.js'
import type { ApiChanges } from '../find-changes.js'
import { groupBySeverity, summarizeCounts, HEADINGS } from './counts.js'

/** Changes for a terminal. */
export function formatText({ base, isNew, changes, notes }: ApiChanges): string {
  const said = notes.map((note) => `${note}\n`).join('')
  if (changes.length === 0) return `${said}Nothing has changed in the API since ${base.name}.\n`
  const head = isNew ? `New API: there was none at ${base.name}.` : `Since ${base.name}: ${summarizeCounts(changes)}.`
  const sections = groupBySeverity(changes).map(
    ([kind, those]) => `\n${HEADINGS[kind]}\n${those.map((change) => describe(change)).join('')}`,
  )
  return `${said}${head}\n${sections.join('')}`
}

function describe({ sentence, id, accepted, ...change }: Change): string {
  const lines = [`  ${sentence}`, `    ${whereOf(change)}[${id}]`]
  if (accepted !== undefined) lines.push(`    accepted: ${accepted}`)
  return `${lines.join('\n')}\n`
}

/** `prisma/schema.prisma:12 src/routes/post/resource.ts `: where a change stands, as far as that is known. */
function whereOf({ place, emitted }: Pick<Change, 'place' | 'emitted'>): string {
  const line = place && `${place.file}:${place.line}${place.gone ? ' (before)' : ''}`
  return [line, emitted].flatMap((part) => (part === undefined ? [] : [`${part} `])).join('')
}
