import { formatRevision } from '../../schema/version.js'
import { digest } from '../../values/digest.js'
import type { RestModel } from '../model.js'
import type { AttributeWriter } from './attribute-json.js'
import { isRow, type Row } from '../orm/row.js'
import type { SelectedRelationship, Selection } from '../orm/selection.js'
import { resourceEntry, resourceJson, toOneLinkageJson } from './resource-json.js'

/**
 * The tags of what a handler answers (RFC 9110, section 8.8.3): `"<revision>.<representation>"`. The revision is the row's own, whatever is
 * shown of it, and all that a change is compared with. The representation tells apart what is shown: it is made of the values of all rows in the
 * answer, before a document is made of them.
 */
export interface EntityTags {
  /**
   * The tag of an answer with one resource.
   * @param links those of the document, as JSON: they name the URL and the query
   * @returns undefined where the model has no version, or the caller may not read it
   */
  of(row: Row, selection: Selection, links: string): string | undefined
}

/** The tag of an answer of which no representation is known. */
export function revisionTag({ model }: RestModel, row: Row): string | undefined {
  const revision = model.version && formatRevision(row[model.version.name])
  return revision === undefined ? undefined : `"${revision}"`
}

/**
 * Makes the tags of a handler.
 * @param models all that it serves: another shape of them is another representation of the same rows
 */
export function entityTags(models: Iterable<RestModel>): EntityTags {
  let shape: string | undefined
  return {
    of(row, selection, links) {
      const { version } = selection.model.model
      const revision = version && formatRevision(row[version.name])
      if (revision === undefined) return undefined
      // Which routes there are is known when the first request comes.
      shape ??= digest([...models].map(shapeOf).join('\n'))
      return `"${revision}.${digest(shape + links + textOf(row, selection))}"`
    },
  }
}

function shapeOf({ url, type, attributes, computed, relationships, served }: RestModel): string {
  const fields = [...attributes.values()].map(({ wire, field }) => [wire, field.type, field.list])
  return JSON.stringify([url, type, fields, [...computed.keys()], [...relationships.keys()], [...served]])
}

/** What tells a row apart from what it was and from others, with all that is shown of related rows. */
function textOf(row: Row, selection: Selection): string {
  const { model, attributes, relationships } = selection
  const { version } = model.model
  const revision = version && formatRevision(row[version.name])
  if (revision === undefined) {
    return (
      resourceJson(resourceEntry(row, selection), '', { text: '' }) +
      relationships.map((one) => includedText(row, one)).join('')
    )
  }
  let text = `${resourceEntry(row, selection).start}@${revision}`
  // Not the version alone: policies and client extensions may show a row otherwise to another caller, and rows are written by other means.
  for (const { name, write } of attributes) text += valueText(row[name], write)
  for (const one of relationships) {
    const { relationship, shown, counted } = one
    if (shown && !relationship.relation.many) text += `,${toOneLinkageJson(row, relationship) ?? ''}`
    const counts = counted ? row['_count'] : undefined
    if (isRow(counts)) text += `#${String(counts[relationship.name])}`
    text += includedText(row, one)
  }
  return text
}

/** What tells a value from others, without the text that an answer has for it where that takes longer. */
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
  return `[${rows.map((one) => textOf(one, included)).join(';')}]`
}
