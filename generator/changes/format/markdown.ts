import type { ApiChanges, ReportedChange } from '../find-changes.js'
import { summarizeCounts, HEADINGS } from './counts.js'

/** Maximum number of changes that are listed directly. If there are more, they are folded by model. */
const MAX_UNFOLDED = 12

/** Maximum length of the text. GitHub limits comments to 65 536 characters. */
const MAX_LENGTH = 60_000

/** The first line of the comment. Used to find an existing comment and replace it. */
export const COMMENT_MARKER = '<!-- routewright changes -->'

/** Formats changes as a comment on a pull request. */
export function formatMarkdown({ base, isNew, changes, notes }: ApiChanges): string {
  const noteText = notes.map((note) => `${plain(note)}\n\n`).join('')
  if (changes.length === 0) return `${COMMENT_MARKER}\n${noteText}The API does not change.\n`
  const head = isNew ? `**New API**: ${plain(base.name)} has no API.` : `**API changes**: ${summarizeCounts(changes)}.`
  const body = changes.length > MAX_UNFOLDED ? formatFolded(changes) : formatUnfolded(changes)
  return truncate(`${COMMENT_MARKER}\n${noteText}${head}\n\n${body}`)
}

function formatUnfolded(changes: readonly ReportedChange[]): string {
  const isHarmless = ({ kind }: ReportedChange) => kind === 'harmless'
  const harmless = changes.filter(isHarmless)
  const list = changes
    .filter((change) => !isHarmless(change))
    .map((change) => formatItem(change, `**${HEADINGS[change.kind]}**: `))
  if (harmless.length === 0) return list.join('')
  return `${list.join('')}${list.length > 0 ? '\n' : ''}${details(`${HEADINGS.harmless} (${harmless.length})`, harmless.map((change) => formatItem(change)).join(''))}`
}

function formatFolded(changes: readonly ReportedChange[]): string {
  const models = new Map<string, ReportedChange[]>()
  for (const change of changes) {
    const name = change.model ?? 'The API'
    models.set(name, [...(models.get(name) ?? []), change])
  }
  return [...models]
    .map(([name, those]) => {
      const list = those.map((change) => formatItem(change, `${HEADINGS[change.kind]}: `)).join('')
      return details(`<b>${name}</b>: ${summarizeCounts(those)}`, list)
    })
    .join('\n')
}

function details(summary: string, text: string): string {
  return `<details><summary>${summary}</summary>\n\n${text}\n</details>\n`
}

function formatItem({ sentence, accepted, location }: ReportedChange, prefix = ''): string {
  const link = location
    ? ` <sub>${plain(location.file)}:${location.line}${location.removed ? ', before' : ''}</sub>`
    : ''
  const reason = accepted === undefined ? '' : ` _Accepted: ${plain(accepted)}_`
  return `- ${prefix}${sentence}${link}${reason}\n`
}

/** Escapes user-written text, so that it contains no Markdown, HTML or mentions. */
function plain(text: string): string {
  return text.replace(/[\\`*_[\]<>|~#]/g, '\\$&').replaceAll('@', '@\u200B')
}

function truncate(text: string): string {
  if (text.length <= MAX_LENGTH) return text
  const truncated = text.slice(0, text.lastIndexOf('\n- ', MAX_LENGTH))
  const open = (truncated.match(/<details>/g)?.length ?? 0) - (truncated.match(/<\/details>/g)?.length ?? 0)
  return `${truncated}\n\n${'</details>\n'.repeat(Math.max(0, open))}\nThe report is truncated. Run \`npx routewright changes\` to see all changes.\n`
}
