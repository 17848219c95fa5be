import type { ConditionalRequests } from '../../rest/conditional-requests.js'
import { formatRevision } from '../../schema/version-field.js'
import type { RestModel } from '../../rest/rest-model.js'
import type { AttributeWriter } from '../../rest/document/attribute-writer.js'
import { isRow, type Row } from '../../rest/orm/row.js'
import type { SelectedRelationship, Selection } from '../../rest/orm/selection.js'
import { resourceEntry, resourceJson, toOneLinkageJson } from '../../rest/document/resource-json.js'

/** Returns an ETag that contains only the revision. */
export function revisionTag(model: RestModel, row: Row): string | undefined {
  const revision = revisionOf(model, row)
  return revision === undefined ? undefined : `"${revision}"`
}

/** Returns the version of a row as text. Undefined if the model has no version, or if the caller may not read it. */
function revisionOf({ model: { version } }: RestModel, row: Row): string | undefined {
  return version && formatRevision(row[version.name])
}

/**
 * Creates the function that returns ETags of responses (RFC 9110, section 8.8.3): `"<revision>.<representation>"`. The revision is the
 * version of the row. It does not depend on the selected fields, and preconditions compare only this part. The representation is a hash of
 * the values of all rows in the response. It is computed before the document is serialized.
 * @param models all exposed models; if their exposed fields, relationships or routes change, every representation changes
 */
export function createEntityTags(models: Iterable<RestModel>): ConditionalRequests['createTag'] {
  let shape: string | undefined
  return (row, selection, links) => {
    const revision = revisionOf(selection.model, row)
    if (revision === undefined) return undefined
    // Computed on first use, because the routes are not registered yet when the handler is created.
    shape ??= fastHash([...models].map(schemaFingerprint).join('\n'))
    return `"${revision}.${fastHash(shape + links + rowFingerprint(row, selection))}"`
  }
}

function schemaFingerprint({ url, type, attributes, computed, relationships, routes }: RestModel): string {
  const fields = [...attributes.values()].map(({ wire, field }) => [wire, field.type, field.list])
  return JSON.stringify([url, type, fields, [...computed.keys()], [...relationships.keys()], [...routes]])
}

/** Returns a string that identifies the state of a row, including all selected related rows. */
function rowFingerprint(row: Row, selection: Selection): string {
  const { model, attributes, relationships } = selection
  const revision = revisionOf(model, row)
  if (revision === undefined) {
    return (
      resourceJson(resourceEntry(row, selection), '', { text: '' }) +
      relationships.map((selected) => includedText(row, selected)).join('')
    )
  }
  let text = `${resourceEntry(row, selection).start}@${revision}`
  // The version is not sufficient. Policies and client extensions may return different values to different callers, and other
  // programs may write rows.
  for (const { name, write } of attributes) text += valueText(row[name], write)
  for (const selected of relationships) {
    const { relationship, visible, counts } = selected
    if (visible && !relationship.relation.many) text += `,${toOneLinkageJson(row, relationship) ?? ''}`
    if (counts) text += `#${counts.formatTotal(row, relationship.name)}`
    text += includedText(row, selected)
  }
  return text
}

/**
 * Returns a string that distinguishes a value from other values. Uses the value's JSON only for types that require it, because JSON takes
 * longer to compute.
 */
function valueText(value: unknown, write: AttributeWriter['write']): string {
  if (value === undefined) return '-'
  if (value === null) return '0'
  if (typeof value === 'string') return `"${value.length}:${value}`
  if (value instanceof Date) return `@${value.getTime()}`
  if (typeof value === 'object') return `{${write(value, '', { text: '' }) ?? ''}`
  return `,${String(value)}`
}

function includedText(row: Row, { relationship, included }: SelectedRelationship): string {
  if (!included) return ''
  const related = row[relationship.name]
  if (related === undefined) return '-'
  const rows = Array.isArray(related) ? related.filter(isRow) : isRow(related) ? [related] : []
  return `[${rows.map((one) => rowFingerprint(one, included)).join(';')}]`
}

const BASE = 36

/**
 * Computes a 64-bit hash of a text, which is the same on every machine. The hash is not cryptographic, so an attacker can construct
 * collisions.
 */
export function fastHash(text: string): string {
  let high = 0x9e3779b9
  let low = 0x85ebca6b
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ code, 0x27d4eb2d) + high
    low = (low << 13) | (low >>> 19)
  }
  return mixHash(high ^ low, text.length) + mixHash(low, high)
}

/** Mixes the bits of a value, so that each input bit affects all output bits. */
function mixHash(value: number, seed: number): string {
  let bits = Math.imul(value ^ seed ^ (value >>> 16), 0x7feb352d)
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b)
  return ((bits ^ (bits >>> 16)) >>> 0).toString(BASE)
}
