import type { Finding } from '../change.js'
import { quote } from '../phrases.js'
import { getMember } from './document-members.js'
import type { DocumentSummary } from './document-summary.js'

/** Compares the effects of the handler options `computed` and `idempotency`. */
export function compareHandlerOptions(oldSummary: DocumentSummary, newSummary: DocumentSummary): readonly Finding[] {
  return [...compareComputedFields(oldSummary, newSummary), ...compareIdempotency(oldSummary, newSummary)]
}

function compareComputedFields(oldSummary: DocumentSummary, newSummary: DocumentSummary): readonly Finding[] {
  const style = getStyle(newSummary)
  return [...newSummary.computedFields].flatMap(([model, fields]): readonly Finding[] => {
    const oldFields = oldSummary.computedFields.get(model)
    // The schema comparison reports added and removed models.
    if (oldFields === undefined) return []
    const describe = (member: string) => ({ model, member, detail: style.toLowerCase() })
    const nameOf = (field: string) => quote(`${model}.${field}`)
    return [
      ...fields
        .filter((field) => !oldFields.includes(field))
        .map((field): Finding => {
          const sentence = `${nameOf(field)} is a new computed field: ${style} responses contain it.`
          return { kind: 'exposure', code: 'computed-added', ...describe(field), sentence }
        }),
      ...oldFields
        .filter((field) => !fields.includes(field))
        .map((field): Finding => {
          const sentence = `${nameOf(field)} is no longer a computed field: ${style} responses no longer contain it, and requests that select it are rejected (400).`
          return { kind: 'breaking', code: 'computed-removed', ...describe(field), sentence }
        }),
    ]
  })
}

type KeySupport = 'optional' | 'required' | undefined

function compareIdempotency(oldSummary: DocumentSummary, newSummary: DocumentSummary): readonly Finding[] {
  const [before, after] = [oldSummary, newSummary].map(getKeySupport)
  if (before === after) return []
  const style = getStyle(newSummary)
  const about = { detail: style.toLowerCase() }
  const header = quote('Idempotency-Key')
  if (after === undefined) {
    const sentence = `${style} no longer supports the header ${header}: it is ignored, so repeated writes run again.`
    return [{ kind: 'breaking', code: 'idempotency-removed', ...about, sentence }]
  }
  if (after === 'required') {
    const sentence = `${style} writes except for \`DELETE\` now require the header ${header}: requests without it are rejected (400).`
    return [{ kind: 'breaking', code: 'idempotency-required', ...about, sentence }]
  }
  if (before === 'required') {
    const sentence = `${style} writes no longer require the header ${header}.`
    return [{ kind: 'loosened', code: 'idempotency-optional', ...about, sentence }]
  }
  const sentence = `${style} now supports the header ${header}: callers can repeat a write safely.`
  return [{ kind: 'loosened', code: 'idempotency-added', ...about, sentence }]
}

/** Reads whether writes support idempotency keys from the parameters that the runtime names. */
function getKeySupport({ document }: DocumentSummary): KeySupport {
  const parameters = getMember(document, 'components', 'parameters')
  if (getMember(parameters, 'requiredIdempotencyKey') !== undefined) return 'required'
  return getMember(parameters, 'idempotencyKey') === undefined ? undefined : 'optional'
}

function getStyle({ document }: DocumentSummary): 'REST' | 'RPC' {
  return JSON.stringify(document).includes('application/vnd.api+json') ? 'REST' : 'RPC'
}
