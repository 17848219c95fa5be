import { isSecretName } from '../../model/annotations/secrets.js'
import type { FieldSpec, ModelSpec } from '../../model/api-model.js'
import { isWritable } from '../../model/writable-fields.js'
import type { Finding } from '../change.js'
import { formatPerStyle, joinList, quote, withArticle } from '../phrases.js'
import { type ModelPair, describeReaders, describeWriters } from './context.js'
import {
  isExposedField,
  isReadable,
  lacksServerValue,
  isWritableModel,
  isRequiredOnCreate,
  schemaType,
} from './field-traits.js'
import { compareValues } from './values.js'

/** Compares the fields of two versions of a model. */
export function compareFields(pair: ModelPair): Finding[] {
  const { before, after, fields } = pair
  const newNames = new Set(fields.values())
  const findings: Finding[] = []
  for (const field of after.fields) {
    if (newNames.has(field.name)) continue
    const oldField = before.fields.find(({ name }) => name === field.name)
    findings.push(...compareField(oldField, field, pair))
  }
  for (const field of before.fields) {
    const newName = fields.get(field.name)
    const newField = after.fields.find(({ name }) => name === (newName ?? field.name))
    if (newField === undefined) findings.push(...describeRemovedField(field, 'field-removed', 'was removed', pair))
    else if (newName !== undefined) {
      if (isExposedField(field, before)) findings.push(describeRenamedField(field, newField, pair))
      findings.push(...compareField({ ...field, name: newName }, newField, pair))
    }
  }
  return findings
}

function compareField(oldField: FieldSpec | undefined, newField: FieldSpec, pair: ModelPair): Finding[] {
  const { before, after } = pair
  const wasExposed = oldField !== undefined && isExposedField(oldField, before)
  const isExposed = isExposedField(newField, after)
  const createFindings = compareCreates(oldField, newField, pair)
  if (!isExposed) {
    if (oldField !== undefined && wasExposed) {
      return [...describeRemovedField(oldField, 'field-hidden', 'is no longer exposed', pair), ...createFindings]
    }
    return oldField === undefined && createFindings.length === 0
      ? [describeHiddenField(newField, after)]
      : createFindings
  }
  if (oldField === undefined || !wasExposed)
    return [describeAddedField(newField, oldField === undefined, pair), ...createFindings]
  return [...compareAccess(oldField, newField, pair), ...compareValues(oldField, newField, pair), ...createFindings]
}

function describeAddedField(field: FieldSpec, isNew: boolean, { after, styles }: ModelPair): Finding {
  const [readable, writable] = [isReadable(field), isWritable(field, after) && isWritableModel(after)]
  const secret = readable && isSecretName(field.name) && !field.hasExplicitExposure
  const readSentence = readable
    ? `can now be read and used in filters and sort orders by ${describeReaders(after)}`
    : ''
  const write = writable ? `${readable ? 'written' : 'can now be written'} by ${describeWriters(after)}` : ''
  const access = [readSentence, write].filter((part) => part !== '').join(', and ')
  return {
    kind: 'exposure',
    code: isNew ? 'field-added' : 'field-exposed',
    model: after.name,
    member: field.name,
    sentence:
      `${nameOf(after, field)} ${access}${formatPerStyle(styles, {
        rest: readable ? 'attribute, filter, sort' : 'attribute',
        rpc: joinList([
          ...(readable ? ['`select`', '`where`', '`orderBy`', '`groupBy`'] : []),
          ...(writable ? ['`data`'] : []),
        ]),
      })}.` +
      (secret ? ' Its name resembles that of a secret.' : '') +
      (field.serverSet ? ' The server sets it.' : ''),
    ...(secret && { secret: true }),
  }
}

function describeRemovedField(
  field: FieldSpec,
  code: string,
  effect: string,
  { before, after, styles }: ModelPair,
): Finding[] {
  if (!isExposedField(field, before)) {
    const sentence = `${nameOf(before, field)} was removed. It was not exposed.`
    return [{ kind: 'harmless', code, model: after.name, member: field.name, sentence, removed: true }]
  }
  const uses = [...(isReadable(field) ? ['read it', 'filter by it', 'sort by it'] : []), ...writeUses(field, before)]
  const sentence = `${nameOf(before, field)} ${effect}: requests that ${joinList(uses, 'or')} are rejected${formatPerStyle(
    styles,
    {
      rest: isReadable(field) ? '400 for a filter, 422 for an attribute' : '422 for an attribute',
      rpc: '400',
    },
  )}${isReadable(field) ? ', and responses no longer contain it' : ''}.`
  const isHidden = after.fields.some(({ name }) => name === field.name)
  const removed = isHidden ? {} : { removed: true as const }
  return [{ kind: 'breaking', code, model: after.name, member: field.name, sentence, ...removed }]
}

function writeUses(field: FieldSpec, model: ModelSpec): string[] {
  return isWritable(field, model) && isWritableModel(model) ? ['write it'] : []
}

function describeRenamedField(oldField: FieldSpec, newField: FieldSpec, { before, after, styles }: ModelPair): Finding {
  return {
    kind: 'breaking',
    code: 'field-renamed',
    model: after.name,
    member: newField.name,
    detail: `${oldField.name} -> ${newField.name}`,
    sentence:
      `${nameOf(before, oldField)} was renamed to ${quote(newField.name)}: requests with the old name are rejected` +
      `${formatPerStyle(styles, { rest: '400, 422', rpc: '400' })}, and responses contain the new name.`,
  }
}

function describeHiddenField(field: FieldSpec, model: ModelSpec): Finding {
  const sentence = `${nameOf(model, field)} is new and not exposed.`
  return { kind: 'harmless', code: 'field-off-the-wire', model: model.name, member: field.name, sentence }
}

/** Compares who may read and write a field that is exposed before and after the change. */
function compareAccess(oldField: FieldSpec, newField: FieldSpec, { before, after, styles }: ModelPair): Finding[] {
  const about = { model: after.name, member: newField.name } as const
  const name = nameOf(after, newField)
  const findings: Finding[] = []
  if (isReadable(newField) && !isReadable(oldField)) {
    const secret = isSecretName(newField.name) && !newField.hasExplicitExposure
    const sentence =
      `${name} can now be read and used in filters and sort orders by ${describeReaders(after)}` +
      `${formatPerStyle(styles, { rest: 'attribute, filter, sort', rpc: '`select`, `where`, `orderBy`, `groupBy`' })}.` +
      (secret ? ' Its name resembles that of a secret.' : '')
    findings.push({ kind: 'exposure', code: 'field-readable', ...about, sentence, ...(secret && { secret }) })
  }
  if (!isReadable(newField) && isReadable(oldField)) {
    const sentence = `${name} is now write-only: responses no longer contain it, and requests that read it, filter by it or sort by it are rejected${formatPerStyle(styles, { rest: '400', rpc: '400' })}.`
    findings.push({ kind: 'breaking', code: 'field-write-only', ...about, sentence })
  }
  const [wasWritable, isNowWritable] = [isWritable(oldField, before), isWritable(newField, after)]
  if (isNowWritable && !wasWritable && isWritableModel(after)) {
    // REST resources contain `id` as their identifier. An update cannot change it.
    const rest = newField.name === 'id' ? '`data.id` of a create' : 'attribute'
    const sentence = `${name} can now be written by ${describeWriters(after)}${formatPerStyle(styles, { rest, rpc: '`data`' })}.`
    findings.push({ kind: 'exposure', code: 'field-writable', ...about, sentence })
  }
  if (wasWritable && !isNowWritable && isWritableModel(before)) {
    const sentence = `${name} is now ${newField.serverSet ? 'set by the server' : 'read-only'}: requests that write it are rejected${formatPerStyle(styles, { rest: '403', rpc: '403' })}.`
    findings.push({ kind: 'breaking', code: 'field-read-only', ...about, sentence })
  } else if (newField.serverSet !== oldField.serverSet && !isNowWritable) {
    const sentence = `${name} is ${newField.serverSet ? 'declared' : 'no longer declared'} as set by the server. Callers could not write it before.`
    findings.push({ kind: 'harmless', code: 'field-server-set', ...about, sentence })
  }
  return findings
}

/** Compares whether rows can be created without a value for a field, and whether they can be created at all. */
function compareCreates(
  oldField: FieldSpec | undefined,
  newField: FieldSpec,
  { before, after, styles }: ModelPair,
): Finding[] {
  if (!before.operations.includes('create') || !after.operations.includes('create')) return []
  const about = { model: after.name, member: newField.name } as const
  const [lackedServerValue, lacksValue] = [
    oldField !== undefined && lacksServerValue(oldField, before),
    lacksServerValue(newField, after),
  ]
  const name = nameOf(after, newField)
  if (newField.serverSet) return []
  if (lacksValue && !lackedServerValue) {
    const visibility = newField.exposure === 'hidden' ? 'hidden' : 'read-only'
    const sentence = `${withArticle('A', after.name)} can no longer be created unless a hook or your Prisma client sets ${name}: it is required, has no default and is ${visibility}.`
    return [{ kind: 'breaking', code: 'create-fails', ...about, sentence }]
  }
  if (lackedServerValue && !lacksValue) {
    const sentence = `${withArticle('A', after.name)} can now be created even if neither a hook nor your Prisma client sets ${name}.`
    return [{ kind: 'loosened', code: 'create-possible', ...about, sentence }]
  }
  if (lacksValue) return []
  const [isRequired, wasRequired] = [
    isRequiredOnCreate(newField),
    oldField !== undefined && !oldField.serverSet && isRequiredOnCreate(oldField),
  ]
  const detail =
    oldField === undefined || schemaType(oldField) === schemaType(newField)
      ? {}
      : { detail: `${schemaType(oldField)} -> ${schemaType(newField)}` }
  if (isRequired && !wasRequired) {
    const sentence = `${name} is now required on create: creates without it are rejected${formatPerStyle(styles, { rest: '422', rpc: '422' })}.`
    return [{ kind: 'breaking', code: 'field-required', ...about, ...detail, sentence }]
  }
  if (wasRequired && !isRequired) {
    const sentence = `${name} may now be omitted on create${formatPerStyle(styles, { rest: '', rpc: '' })}.`
    return [{ kind: 'loosened', code: 'field-optional', ...about, ...detail, sentence }]
  }
  return []
}

function nameOf({ name }: ModelSpec, field: FieldSpec): string {
  return quote(`${name}.${field.name}`)
}
