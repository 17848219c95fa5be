import type { Style } from '../../options.js'
import type { Finding } from '../change.js'
import { quote } from '../phrases.js'
import { entries, getMember, resolveReference } from './document-members.js'
import type { DocumentSummary } from './document-summary.js'
import type { SchemaEffects } from './schema-effects.js'

/** Compares the effects of the handler options `computed` and `idempotency`. */
export function compareHandlerOptions(
  oldSummary: DocumentSummary,
  newSummary: DocumentSummary,
  effects: SchemaEffects,
): readonly Finding[] {
  return [...compareComputedFields(oldSummary, newSummary, effects), ...compareIdempotency(oldSummary, newSummary)]
}

function compareComputedFields(
  oldSummary: DocumentSummary,
  newSummary: DocumentSummary,
  { renamedModels }: SchemaEffects,
): readonly Finding[] {
  const style = getStyle(newSummary)
  const label = style.toUpperCase()
  return [...oldSummary.properties].flatMap(([oldModel, oldProperties]): readonly Finding[] => {
    const model = renamedModels.get(oldModel) ?? oldModel
    const newProperties = newSummary.properties.get(model)
    // The schema comparison reports added and removed models.
    if (newProperties === undefined) return []
    const describe = (member: string) => ({ model, member, detail: style })
    const nameOf = (field: string) => quote(`${model}.${field}`)
    return [
      ...findComputed(newProperties, oldProperties).map((field): Finding => {
        const sentence = `${nameOf(field)} is a new computed field: ${label} responses contain it.`
        return { kind: 'exposure', code: 'computed-added', ...describe(field), sentence }
      }),
      ...findComputed(oldProperties, newProperties).map((field): Finding => {
        const sentence = `${nameOf(field)} is no longer a computed field: ${label} responses no longer contain it, and requests that select it are rejected (400).`
        return { kind: 'breaking', code: 'computed-removed', ...describe(field), sentence }
      }),
    ]
  })
}

/** Returns the computed fields that another document does not have. A field can also become a column, which the schema comparison reports. */
function findComputed(
  properties: ReadonlyMap<string, boolean>,
  others: ReadonlyMap<string, boolean>,
): readonly string[] {
  return [...properties].filter(([name, isComputed]) => isComputed && !others.has(name)).map(([name]) => name)
}

type KeySupport = 'optional' | 'required' | undefined

function compareIdempotency(oldSummary: DocumentSummary, newSummary: DocumentSummary): readonly Finding[] {
  const [before, after] = [getKeySupport(oldSummary, newSummary), getKeySupport(newSummary, oldSummary)]
  if (before === after) return []
  const style = getStyle(newSummary)
  const [label, about] = [style.toUpperCase(), { detail: style }]
  const header = quote('Idempotency-Key')
  if (after === undefined) {
    const sentence = `${label} no longer supports the header ${header}: it is ignored, so repeated writes run again.`
    return [{ kind: 'breaking', code: 'idempotency-removed', ...about, sentence }]
  }
  if (after === 'required') {
    const sentence = `${label} writes except for \`DELETE\` now require the header ${header}: requests without it are rejected (400).`
    return [{ kind: 'breaking', code: 'idempotency-required', ...about, sentence }]
  }
  if (before === 'required') {
    const sentence = `${label} writes no longer require the header ${header}.`
    return [{ kind: 'loosened', code: 'idempotency-optional', ...about, sentence }]
  }
  const sentence = `${label} now supports the header ${header}: callers can repeat a write safely.`
  return [{ kind: 'loosened', code: 'idempotency-added', ...about, sentence }]
}

/**
 * Reads whether writes support idempotency keys. Compares only operations that both documents have, because a document without writes does
 * not mention keys.
 */
function getKeySupport({ document, operations }: DocumentSummary, other: DocumentSummary): KeySupport {
  const names = new Set(other.operations.map(({ name }) => name))
  const headers = operations
    .filter(({ name }) => names.has(name))
    .flatMap(({ path, source }) => [source, getMember(document, 'paths', path)])
    .flatMap((part) => entries(getMember(part, 'parameters')))
    .map(([, parameter]) => resolveReference(document, parameter))
    .filter((parameter) => getMember(parameter, 'name') === 'Idempotency-Key')
  if (headers.some((header) => getMember(header, 'required') === true)) return 'required'
  return headers.length > 0 ? 'optional' : undefined
}

/** Returns the style of a document. */
export function getStyle({ document }: DocumentSummary): Style {
  const responses = entries(getMember(document, 'components', 'responses'))
  const isJsonApi = responses.some(([, response]) => getMember(response, 'content', 'application/vnd.api+json'))
  return isJsonApi ? 'rest' : 'rpc'
}
