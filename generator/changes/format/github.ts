import type { ApiChanges, ReportedChange } from '../find-changes.js'
import { HEADINGS } from './counts.js'

/**
 * Changes as workflow commands, of which GitHub makes annotations at the lines of a pull request: `::warning file=…,line=…,title=…::…`. GitHub
 * shows ten of each level for a step, so the most important come first; what is harmless is left out.
 * @param fails whether a change ends the command with 1: it is an error then
 */
export function formatGithub({ changes, notes }: ApiChanges, fails: (change: ReportedChange) => boolean): string {
  const shown = changes.filter(({ kind }) => kind !== 'harmless')
  return [
    ...notes.map((note) => `::notice::${data(note)}\n`),
    ...shown.map((change) => annotation(change, fails(change))),
  ].join('')
}

function annotation({ kind, sentence, id, accepted, shownAt }: ReportedChange, fails: boolean): string {
  const isWarning = (kind === 'exposure' || kind === 'breaking') && accepted === undefined
  const level = fails ? 'error' : isWarning ? 'warning' : 'notice'
  const properties = [
    ...(shownAt ? [`file=${property(shownAt.file)}`, `line=${shownAt.line}`] : []),
    `title=${property(accepted === undefined ? HEADINGS[kind] : `${HEADINGS[kind]}, accepted`)}`,
  ]
  const text = accepted === undefined ? `${sentence}\n${id}` : `${sentence}\nAccepted: ${accepted}`
  return `::${level} ${properties.join()}::${data(text)}\n`
}

/** A message as a workflow command takes it: one line, and `%` begins an escape. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** A property, which `:` and `,` would end. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
