import type { ApiChanges, ReportedChange } from '../find-changes.js'
import { HEADINGS } from './counts.js'

/**
 * Formats changes as GitHub workflow commands, which create annotations in a pull request: `::warning file=…,line=…,title=…::…`. GitHub
 * shows ten annotations of each level per step, so the most important come first and harmless changes are omitted.
 * @param isFailure whether a change makes the command exit with 1. Such a change is reported as an error.
 */
export function formatGithub({ changes, notes }: ApiChanges, isFailure: (change: ReportedChange) => boolean): string {
  const reported = changes.filter(({ kind }) => kind !== 'harmless')
  return [
    ...notes.map((note) => `::notice::${data(note)}\n`),
    ...reported.map((change) => annotation(change, isFailure(change))),
  ].join('')
}

function annotation({ kind, sentence, id, accepted, reviewLocation }: ReportedChange, isFailure: boolean): string {
  const isWarning = (kind === 'exposure' || kind === 'breaking') && accepted === undefined
  const level = isFailure ? 'error' : isWarning ? 'warning' : 'notice'
  const properties = [
    ...(reviewLocation ? [`file=${property(reviewLocation.file)}`, `line=${reviewLocation.line}`] : []),
    `title=${property(accepted === undefined ? HEADINGS[kind] : `${HEADINGS[kind]}, accepted`)}`,
  ]
  const text = accepted === undefined ? `${sentence}\n${id}` : `${sentence}\nAccepted: ${accepted}`
  return `::${level} ${properties.join()}::${data(text)}\n`
}

/** Escapes the message of a workflow command. It must be one line, and `%` starts an escape sequence. */
function data(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

/** Escapes a property of a workflow command. `:` and `,` are delimiters. */
function property(text: string): string {
  return data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}
