import type { FieldSpec } from '../../model/api-model.js'
import { isWritable } from '../../model/writable-fields.js'
import type { SchemaField } from '../../schema/schema.js'
import type { Finding } from '../change.js'
import { formatPerStyle, joinList, quote } from '../phrases.js'
import { compareColumns } from './columns.js'
import { type ModelPair, schemaField, schemaFields } from './context.js'
import { isReadable, isWritableModel, schemaType } from './field-traits.js'
import { compareRules } from './rules.js'

/** The types that accept all values of another type on writes. Used only for fields that callers cannot read or filter by. */
const ACCEPTED_TYPES: Readonly<Record<string, readonly string[]>> = {
  Int: ['Float', 'BigInt', 'Decimal', 'Json'],
  BigInt: ['Decimal'],
  Float: ['Decimal', 'Json'],
  Enum: ['String', 'Json'],
  String: ['Json'],
  Boolean: ['Json'],
}

/** Compares the values of a field that is exposed before and after the change. */
export function compareValues(oldField: FieldSpec, newField: FieldSpec, pair: ModelPair): Finding[] {
  const type = compareTypes(oldField, newField, pair)
  if (type.length > 0) return type
  return [
    ...compareNulls(oldField, newField, pair),
    ...compareEnums(oldField, newField, pair),
    ...compareDefaults(oldField, newField, pair),
    ...compareFieldRules(oldField, newField, pair),
    ...compareColumns(oldField, newField, pair),
    ...compareCursors(oldField, newField, pair),
  ]
}

function compareTypes(oldField: FieldSpec, newField: FieldSpec, { after, styles }: ModelPair): Finding[] {
  const about = {
    model: after.name,
    member: newField.name,
    detail: `${schemaType(oldField)} -> ${schemaType(newField)}`,
  } as const
  const name = quote(`${after.name}.${newField.name}`)
  if (oldField.type === newField.type && oldField.list === newField.list) {
    if (oldField.uuid === newField.uuid) return compareDates(oldField, newField, about, name, styles)
    const effect = newField.uuid ? 'now accepts only UUIDs' : 'can now contain strings that are not UUIDs'
    const kind = newField.uuid || isReadable(newField) ? 'breaking' : 'loosened'
    const detail = newField.uuid ? 'text -> uuid' : 'uuid -> text'
    return [
      {
        kind,
        code: 'field-type',
        ...about,
        detail,
        sentence: `${name} ${effect}${formatPerStyle(styles, NO_SUFFIX)}.`,
      },
    ]
  }
  const acceptsOldValues =
    !isReadable(oldField) &&
    oldField.list === newField.list &&
    ACCEPTED_TYPES[oldField.type]?.includes(newField.type) === true
  const [from, to] = [schemaType(oldField), schemaType(newField)]
  if (acceptsOldValues) {
    const sentence = `${name} now accepts values of type ${quote(to)} in addition to ${quote(from)}${formatPerStyle(styles, NO_SUFFIX)}.`
    return [{ kind: 'loosened', code: 'field-type', ...about, sentence }]
  }
  const context = isReadable(newField)
    ? 'the format of responses, filters and written values changes'
    : 'the format of written values changes'
  const sentence = `${name} is ${quote(to)} instead of ${quote(from)}: ${context}${formatPerStyle(styles, NO_SUFFIX)}.`
  return [{ kind: 'breaking', code: 'field-type', ...about, sentence }]
}

/** The parts of a date that columns of a type store, as a phrase. */
const DATE_PARTS = {
  date: 'dates without a time',
  time: 'times without a date',
  'date and time': 'dates with a time',
} as const

function getDateParts({ db = '' }: FieldSpec): keyof typeof DATE_PARTS {
  if (db === 'Date') return 'date'
  return /^Time(?:tz)?\b/.test(db) ? 'time' : 'date and time'
}

/** Compares the parts of a date that the column stores: `@db.Date`, `@db.Time` or both. */
function compareDates(
  oldField: FieldSpec,
  newField: FieldSpec,
  about: Pick<Finding, 'model' | 'member'>,
  name: string,
  styles: ModelPair['styles'],
): Finding[] {
  const [from, to] = [getDateParts(oldField), getDateParts(newField)]
  if (oldField.type !== 'DateTime' || from === to) return []
  const effect = `now contains ${DATE_PARTS[to]} instead of ${DATE_PARTS[from]}`
  const detail = `${from} -> ${to}`
  const kind = to !== 'date and time' || isReadable(newField) ? 'breaking' : 'loosened'
  return [
    { kind, code: 'field-type', ...about, detail, sentence: `${name} ${effect}${formatPerStyle(styles, NO_SUFFIX)}.` },
  ]
}

const NO_SUFFIX = { rest: '', rpc: '' } as const

function compareNulls(oldField: FieldSpec, newField: FieldSpec, { after, styles }: ModelPair): Finding[] {
  // Json null is a value, so requests and responses can contain null even if the column is required.
  if (oldField.optional === newField.optional || newField.type === 'Json') return []
  const about = {
    model: after.name,
    member: newField.name,
    detail: `${schemaType(oldField)} -> ${schemaType(newField)}`,
  } as const
  const name = quote(`${after.name}.${newField.name}`)
  const writes = isWritable(newField, after) && isWritableModel(after)
  if (!newField.optional) {
    const rejectedUses = [
      ...(writes ? ['write null (422)'] : []),
      ...(isReadable(newField) ? ['filter by null (400)'] : []),
    ]
    const sentence = `${name} is no longer nullable: requests that ${joinList(rejectedUses, 'or')} are rejected${formatPerStyle(styles, NO_SUFFIX)}.`
    return [{ kind: 'breaking', code: 'field-not-null', ...about, sentence }]
  }
  const findings: Finding[] = []
  if (isReadable(newField)) {
    const sentence = `${name} can now be null in responses: callers that expect a value break${formatPerStyle(styles, NO_SUFFIX)}.`
    findings.push({ kind: 'breaking', code: 'field-nullable', ...about, sentence })
  }
  if (writes) {
    const sentence = `${name} may now be set to null${formatPerStyle(styles, NO_SUFFIX)}.`
    findings.push({ kind: 'loosened', code: 'field-takes-null', ...about, sentence })
  }
  return findings
}

function compareEnums(
  oldField: FieldSpec,
  newField: FieldSpec,
  { after, newSchema: model, styles }: ModelPair,
): Finding[] {
  const removed = oldField.values.filter((value) => !newField.values.includes(value))
  const added = newField.values.filter((value) => !oldField.values.includes(value))
  const name = quote(`${after.name}.${newField.name}`)
  const enumName = schemaField(model, newField.name)?.type ?? ''
  const about = { model: after.name, member: newField.name } as const
  const findings: Finding[] = []
  if (removed.length > 0) {
    const sentence = `${name} can no longer be ${joinList(removed.map(quote), 'or')}: requests that write or filter by a removed value are rejected${formatPerStyle(styles, { rest: '422', rpc: '422' })}.`
    const element = { enum: enumName }
    findings.push({ kind: 'breaking', code: 'enum-value-removed', ...about, detail: removed.join(), sentence, element })
  }
  if (added.length === 0) return findings
  const element = { enum: enumName, field: added[0] ?? '' }
  if (isReadable(newField)) {
    const sentence = `${name} can now be ${joinList(added.map(quote), 'or')} in responses: callers that accept only the old values break${formatPerStyle(styles, NO_SUFFIX)}.`
    findings.push({
      kind: 'breaking',
      code: 'enum-value-in-answers',
      ...about,
      detail: added.join(),
      sentence,
      element,
    })
  }
  if (isWritable(newField, after) && isWritableModel(after)) {
    const sentence = `${name} can now be set to ${joinList(added.map(quote), 'or')}${formatPerStyle(styles, NO_SUFFIX)}.`
    findings.push({ kind: 'loosened', code: 'enum-value-added', ...about, detail: added.join(), sentence, element })
  }
  return findings
}

/** Compares whether cursors support sorting by a field. They need all digits of its values. */
function compareCursors(oldField: FieldSpec, newField: FieldSpec, { after, hasCursors }: ModelPair): Finding[] {
  if (!hasCursors || oldField.inexact === newField.inexact || newField.list) return []
  if (!isReadable(oldField) || !isReadable(newField)) return []
  const about = { model: after.name, member: newField.name } as const
  const name = quote(`${after.name}.${newField.name}`)
  if (newField.inexact) {
    const sentence = `Cursors no longer support sorting by ${name}, because its column stores more digits than Prisma reads: such requests are rejected (REST ${quote('sort')} with cursors: 400).`
    return [{ kind: 'breaking', code: 'cursor-sort-removed', ...about, sentence }]
  }
  const sentence = `Cursors now support sorting by ${name} (REST ${quote('sort')}).`
  return [{ kind: 'loosened', code: 'cursor-sort-added', ...about, sentence }]
}

/** Compares the values of rows that are created without this field. Whether the field is required is reported elsewhere. */
function compareDefaults(oldField: FieldSpec, newField: FieldSpec, pair: ModelPair): Finding[] {
  const { before, after } = pair
  if (!before.operations.includes('create') || !after.operations.includes('create')) return []
  const [oldLiteral, newLiteral] = schemaFields(pair, newField.name).map((field) => field?.defaultValue)
  const [from, to] = [formatDefault(oldField, oldLiteral), formatDefault(newField, newLiteral)]
  if (from === to || from === 'nothing' || to === 'nothing') return []
  const sentence = `Rows of ${quote(after.name)} that are created without ${quote(newField.name)} get ${to} instead of ${from}. All requests are still accepted, and the format of responses is the same.`
  const detail = `${from} -> ${to}`
  return [{ kind: 'harmless', code: 'default-changed', model: after.name, member: newField.name, detail, sentence }]
}

function formatDefault(
  { hasDefault, updatedAt, optional, list }: FieldSpec,
  literal: SchemaField['defaultValue'],
): string {
  if (literal !== undefined) return quote(JSON.stringify(literal))
  if (updatedAt) return 'the time of the write'
  if (hasDefault) return 'a generated value'
  if (list) return 'an empty list'
  return optional ? 'null' : 'nothing'
}

function compareFieldRules(oldField: FieldSpec, newField: FieldSpec, pair: ModelPair): Finding[] {
  const { before, after, styles } = pair
  if (
    oldField.rule === newField.rule ||
    !isWritable(newField, after) ||
    !isWritable(oldField, before) ||
    !isWritableModel(after)
  )
    return []
  const [oldSource, newSource] = schemaFields(pair, newField.name)
  const { stricter, looser, changesStoredValue } = compareRules(
    { field: oldField, comment: oldSource?.comment },
    { field: newField, comment: newSource?.comment },
  )
  const about = {
    model: after.name,
    member: newField.name,
    detail: `${oldField.rule ?? 'none'} -> ${newField.rule ?? 'none'}`,
  } as const
  const name = quote(`${after.name}.${newField.name}`)
  if (stricter) {
    const [code, effect] = looser
      ? [
          'rule-changed',
          'a different rule: values that were accepted before may be rejected, and values that were rejected may be accepted',
        ]
      : ['rule-stricter', 'a stricter rule: values that were accepted before are rejected']
    const sentence = `${name} has ${effect}${formatPerStyle(styles, { rest: '422', rpc: '422' })}.`
    return [{ kind: 'breaking', code, ...about, sentence }]
  }
  if (looser) {
    const sentence = `${name} has a looser rule: values that were rejected before are accepted${formatPerStyle(styles, NO_SUFFIX)}.`
    return [{ kind: 'loosened', code: 'rule-looser', ...about, sentence }]
  }
  const effect = changesStoredValue
    ? 'stores the same values in a different format'
    : 'has a rule with different code and the same checks'
  return [
    {
      kind: 'harmless',
      code: 'rule-reworded',
      ...about,
      sentence: `${name} ${effect}. No additional values are rejected.`,
    },
  ]
}
