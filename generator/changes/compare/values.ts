import type { FieldSpec } from '../../model/api-model.js'
import type { Finding } from '../change.js'
import { inStyles, joinList, joinNames, quote } from '../phrases.js'
import { compareColumns } from './columns.js'
import { type ModelPair, schemaField } from './context.js'
import { isReadable, isWritable, isWritableModel, schemaType } from './field-traits.js'
import { compareRules } from './rules.js'

/** The types that accept all values of another type on writes. Used only for fields that callers cannot read or filter by. */
const TAKEN_AS: Readonly<Record<string, readonly string[]>> = {
  Int: ['Float', 'BigInt', 'Decimal', 'Json'],
  BigInt: ['Decimal'],
  Float: ['Decimal', 'Json'],
  Enum: ['String', 'Json'],
  String: ['Json'],
  Boolean: ['Json'],
}

/** Compares the values of a field that is exposed before and after the change. */
export function compareValues(was: FieldSpec, is: FieldSpec, pair: ModelPair): Finding[] {
  const type = compareTypes(was, is, pair)
  if (type.length > 0) return type
  return [
    ...compareNulls(was, is, pair),
    ...compareEnums(was, is, pair),
    ...compareDefaults(was, is, pair),
    ...ruleFindings(was, is, pair),
    ...compareColumns(was, is, pair),
  ]
}

function compareTypes(was: FieldSpec, is: FieldSpec, { after, styles }: ModelPair): Finding[] {
  const about = { model: after.name, member: is.name, detail: `${schemaType(was)} -> ${schemaType(is)}` } as const
  const name = quote(`${after.name}.${is.name}`)
  if (was.type === is.type && was.list === is.list) {
    if (was.uuid === is.uuid) return compareDates(was, is, about, name, styles)
    const what = is.uuid ? 'takes UUIDs only now' : 'holds texts that are no UUIDs, too'
    const kind = is.uuid || isReadable(is) ? 'breaking' : 'loosened'
    const detail = is.uuid ? 'text -> uuid' : 'uuid -> text'
    return [{ kind, code: 'field-type', ...about, detail, sentence: `${name} ${what}${inStyles(styles, BOTH)}.` }]
  }
  const takesAll = !isReadable(was) && was.list === is.list && TAKEN_AS[was.type]?.includes(is.type) === true
  const [from, to] = [schemaType(was), schemaType(is)]
  if (takesAll) {
    const sentence = `${name} takes values of type ${quote(to)} now, and those of ${quote(from)} as before${inStyles(styles, BOTH)}.`
    return [{ kind: 'loosened', code: 'field-type', ...about, sentence }]
  }
  const where = isReadable(is)
    ? 'answers, filters and written values have another form'
    : 'written values have another form'
  const sentence = `${name} is ${quote(to)} instead of ${quote(from)}: ${where}${inStyles(styles, BOTH)}.`
  return [{ kind: 'breaking', code: 'field-type', ...about, sentence }]
}

/** Compares a date column (`@db.Date`) with a column of dates and times. */
function compareDates(
  was: FieldSpec,
  is: FieldSpec,
  about: Pick<Finding, 'model' | 'member'>,
  name: string,
  styles: ModelPair['styles'],
): Finding[] {
  if (was.type !== 'DateTime' || (was.db === 'Date') === (is.db === 'Date')) return []
  const what = is.db === 'Date' ? 'holds dates without a time now' : 'holds dates with a time now'
  const detail = is.db === 'Date' ? 'date and time -> date' : 'date -> date and time'
  const kind = is.db === 'Date' || isReadable(is) ? 'breaking' : 'loosened'
  return [{ kind, code: 'field-type', ...about, detail, sentence: `${name} ${what}${inStyles(styles, BOTH)}.` }]
}

const BOTH = { rest: '', rpc: '' } as const

function compareNulls(was: FieldSpec, is: FieldSpec, { after, styles }: ModelPair): Finding[] {
  if (was.optional === is.optional) return []
  const about = { model: after.name, member: is.name, detail: `${schemaType(was)} -> ${schemaType(is)}` } as const
  const name = quote(`${after.name}.${is.name}`)
  const writes = isWritable(is, after) && isWritableModel(after)
  if (!is.optional) {
    const rejectedUses = [...(writes ? ['written'] : []), ...(isReadable(is) ? ['asked for'] : [])]
    const sentence = `${name} is never null now: a null that is ${joinList(rejectedUses, 'or')} is refused${inStyles(styles, { rest: '422', rpc: '400' })}.`
    return [{ kind: 'breaking', code: 'field-not-null', ...about, sentence }]
  }
  const findings: Finding[] = []
  if (isReadable(is)) {
    const sentence = `${name} can be null in answers now: callers that rely on a value break${inStyles(styles, BOTH)}.`
    findings.push({ kind: 'breaking', code: 'field-nullable', ...about, sentence })
  }
  if (writes) {
    const sentence = `${name} may be written as null${inStyles(styles, BOTH)}.`
    findings.push({ kind: 'loosened', code: 'field-takes-null', ...about, sentence })
  }
  return findings
}

function compareEnums(was: FieldSpec, is: FieldSpec, { after, is: model, styles }: ModelPair): Finding[] {
  const removed = was.values.filter((value) => !is.values.includes(value))
  const added = is.values.filter((value) => !was.values.includes(value))
  const name = quote(`${after.name}.${is.name}`)
  const enumName = schemaField(model, is.name)?.type ?? ''
  const about = { model: after.name, member: is.name } as const
  const findings: Finding[] = []
  if (removed.length > 0) {
    const sentence = `${name} is never ${joinNames(removed)} any more: requests that write it, or filter by it, are refused${inStyles(styles, { rest: '422', rpc: '400' })}.`
    const at = { enum: enumName }
    findings.push({ kind: 'breaking', code: 'enum-value-removed', ...about, detail: removed.join(), sentence, at })
  }
  if (added.length === 0) return findings
  const at = { enum: enumName, field: added[0] ?? '' }
  if (isReadable(is)) {
    const sentence = `${name} can be ${joinNames(added)} in answers now: callers that know the old values only break${inStyles(styles, BOTH)}.`
    findings.push({ kind: 'breaking', code: 'enum-value-in-answers', ...about, detail: added.join(), sentence, at })
  }
  if (isWritable(is, after) && isWritableModel(after)) {
    const sentence = `${name} can be written as ${joinNames(added)}${inStyles(styles, BOTH)}.`
    findings.push({ kind: 'loosened', code: 'enum-value-added', ...about, detail: added.join(), sentence, at })
  }
  return findings
}

/** Compares the values of rows that are created without this field. Whether the field is required is reported elsewhere. */
function compareDefaults(was: FieldSpec, is: FieldSpec, { before, after }: ModelPair): Finding[] {
  if (!before.operations.includes('create') || !after.operations.includes('create')) return []
  const [from, to] = [defaultOf(was), defaultOf(is)]
  if (from === to || from === 'nothing' || to === 'nothing') return []
  const sentence = `Rows of ${quote(after.name)} that are created without ${quote(is.name)} get ${to} instead of ${from}. Nothing is refused, and no answer has another form.`
  const detail = `${from} -> ${to}`
  return [{ kind: 'harmless', code: 'default-changed', model: after.name, member: is.name, detail, sentence }]
}

function defaultOf({ hasDefault, defaultValue, updatedAt, optional, list }: FieldSpec): string {
  if (defaultValue !== undefined) return quote(JSON.stringify(defaultValue))
  if (updatedAt) return 'the time of the write'
  if (hasDefault) return 'a value that is made for each'
  if (list) return 'an empty list'
  return optional ? 'null' : 'nothing'
}

function ruleFindings(
  was: FieldSpec,
  is: FieldSpec,
  { before, after, was: from, is: to, fields, styles }: ModelPair,
): Finding[] {
  if (was.rule === is.rule || !isWritable(is, after) || !isWritable(was, before) || !isWritableModel(after)) return []
  const oldName = [...fields].find(([, name]) => name === is.name)?.[0] ?? is.name
  const { stricter, looser, stores } = compareRules(
    { field: was, comment: schemaField(from, oldName)?.comment },
    { field: is, comment: schemaField(to, is.name)?.comment },
  )
  const about = { model: after.name, member: is.name, detail: `${was.rule ?? 'none'} -> ${is.rule ?? 'none'}` } as const
  const name = quote(`${after.name}.${is.name}`)
  const findings: Finding[] = []
  if (stricter) {
    const [code, what] = looser
      ? ['rule-changed', 'another rule: values that were written may be refused now']
      : ['rule-stricter', 'a stricter rule: values that were written are refused now']
    const sentence = `${name} has ${what}${inStyles(styles, { rest: '422', rpc: '422' })}.`
    findings.push({ kind: 'breaking', code, ...about, sentence })
  }
  if (looser) {
    const what = stricter ? 'may be' : 'can be'
    const sentence = `${name} has a looser rule: values that were refused ${what} written${inStyles(styles, BOTH)}.`
    findings.push({ kind: 'loosened', code: 'rule-looser', ...about, sentence })
  }
  if (findings.length > 0) return findings
  const what = stores ? 'stores another form of the same values' : 'says the same of its values in other words'
  return [{ kind: 'harmless', code: 'rule-reworded', ...about, sentence: `${name} ${what}; nothing more is refused.` }]
}
