import type { ApiChanges, ShownChange } from '../find-changes.js'
import { countsOf, HEADS } from './counts.js'

/** More changes than this are folded by model. */
const UNFOLDED = 12

/** GitHub takes no comment that is longer than 65 536 characters. */
const LONGEST = 60_000

/** The first line of a comment: whoever posts it finds it again by this, and replaces it. */
export const MARK = '<!-- routewright changes -->'

/** Changes for a comment on a pull request. */
export function asMarkdown({ base, isNew, changes, notes }: ApiChanges): string {
  const said = notes.map((note) => `${plain(note)}\n\n`).join('')
  if (changes.length === 0) return `${MARK}\n${said}Nothing changes in the API.\n`
  const head = isNew ? `**New API**: there was none at ${plain(base.name)}.` : `**API changes**: ${countsOf(changes)}.`
  const body = changes.length > UNFOLDED ? folded(changes) : unfolded(changes)
  return shortened(`${MARK}\n${said}${head}\n\n${body}`)
}

function unfolded(changes: readonly ShownChange[]): string {
  const isHarmless = ({ kind }: ShownChange) => kind === 'harmless'
  const harmless = changes.filter(isHarmless)
  const list = changes
    .filter((change) => !isHarmless(change))
    .map((change) => item(change, `**${HEADS[change.kind]}**: `))
  if (harmless.length === 0) return list.join('')
  return `${list.join('')}${list.length > 0 ? '\n' : ''}${details(`${HEADS.harmless} (${harmless.length})`, harmless.map((change) => item(change)).join(''))}`
}

function folded(changes: readonly ShownChange[]): string {
  const models = new Map<string, ShownChange[]>()
  for (const change of changes) {
    const name = change.model ?? 'The API'
    models.set(name, [...(models.get(name) ?? []), change])
  }
  return [...models]
    .map(([name, those]) => {
      const list = those.map((change) => item(change, `${HEADS[change.kind]}: `)).join('')
      return details(`<b>${name}</b>: ${countsOf(those)}`, list)
    })
    .join('\n')
}

function details(summary: string, text: string): string {
  return `<details><summary>${summary}</summary>\n\n${text}\n</details>\n`
}

function item({ sentence, accepted, place }: ShownChange, head = ''): string {
  const where = place ? ` <sub>${plain(place.file)}:${place.line}${place.gone ? ', before' : ''}</sub>` : ''
  const reason = accepted === undefined ? '' : ` _Accepted: ${plain(accepted)}_`
  return `- ${head}${sentence}${where}${reason}\n`
}

/** Text that somebody wrote: it is no Markdown, no HTML, and calls nobody. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>|~#]/g, '\\$&').replaceAll('@', '@\u200B')
}

function shortened(text: string): string {
  if (text.length <= LONGEST) return text
  const kept = text.slice(0, text.lastIndexOf('\n- ', LONGEST))
  const open = (kept.match(/<details>/g)?.length ?? 0) - (kept.match(/<\/details>/g)?.length ?? 0)
  return `${kept}\n\n${'</details>\n'.repeat(Math.max(0, open))}\nThere is more: \`npx routewright changes\` shows all of it.\n`
}
