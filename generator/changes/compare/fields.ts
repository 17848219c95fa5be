import { isSecretName } from '../../model/annotations/secrets.js'
import type { FieldSpec, ModelSpec } from '../../model/api-model.js'
import type { Finding } from '../change.js'
import { inStyles, joinList, quote } from '../phrases.js'
import { type ModelPair, describeReaders, describeWriters } from './context.js'
import {
  isOnWire,
  isReadable,
  needsServerValue,
  isWritable,
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
    const was = before.fields.find(({ name }) => name === field.name)
    findings.push(...compareField(was, field, pair))
  }
  for (const field of before.fields) {
    const newName = fields.get(field.name)
    const is = after.fields.find(({ name }) => name === (newName ?? field.name))
    if (is === undefined) findings.push(...describeRemovedField(field, 'field-removed', 'is gone', pair))
    else if (newName !== undefined) {
      if (isOnWire(field, before)) findings.push(describeRenamedField(field, is, pair))
      findings.push(...compareField({ ...field, name: newName }, is, pair))
    }
  }
  return findings
}

function compareField(was: FieldSpec | undefined, is: FieldSpec, pair: ModelPair): Finding[] {
  const { before, after } = pair
  const wasOnWire = was !== undefined && isOnWire(was, before)
  const isNowOnWire = isOnWire(is, after)
  const creates = compareCreates(was, is, pair)
  if (!isNowOnWire) {
    if (was !== undefined && wasOnWire) {
      return [...describeRemovedField(was, 'field-hidden', 'is not on the wire any more', pair), ...creates]
    }
    return was === undefined && creates.length === 0 ? [offTheWire(is, after)] : creates
  }
  if (was === undefined || !wasOnWire) return [describeAddedField(is, was === undefined, pair), ...creates]
  return [...compareAccess(was, is, pair), ...compareValues(was, is, pair), ...creates]
}

function describeAddedField(field: FieldSpec, isNew: boolean, { after, styles }: ModelPair): Finding {
  const [readable, writable] = [isReadable(field), isWritable(field, after) && isWritableModel(after)]
  const secret = readable && isSecretName(field.name) && !field.isDeliberate
  const read = readable ? `can now be read, filtered and sorted by ${describeReaders(after)}` : ''
  const write = writable ? `${readable ? 'written' : 'can now be written'} by ${describeWriters(after)}` : ''
  const access = joinList([read, write].filter((part) => part !== ''))
  return {
    kind: 'exposure',
    code: isNew ? 'field-added' : 'field-exposed',
    model: after.name,
    member: field.name,
    sentence:
      `${nameOf(after, field)} ${access}${inStyles(styles, {
        rest: readable ? 'attribute, filter, sort' : 'attribute',
        rpc: joinList([
          ...(readable ? ['`select`', '`where`', '`orderBy`', '`groupBy`'] : []),
          ...(writable ? ['`data`'] : []),
        ]),
      })}.` +
      (secret ? ' It is called like a secret.' : '') +
      (field.serverSet ? ' The server sets it.' : ''),
    ...(secret && { secret: true }),
  }
}

function describeRemovedField(
  field: FieldSpec,
  code: string,
  what: string,
  { before, after, styles }: ModelPair,
): Finding[] {
  if (!isOnWire(field, before)) {
    const sentence = `${nameOf(before, field)} is gone. It was not on the wire.`
    return [{ kind: 'harmless', code, model: after.name, member: field.name, sentence, removed: true }]
  }
  const uses = [...(isReadable(field) ? ['read it', 'filter or sort by it'] : []), ...writeUses(field, before)]
  const sentence = `${nameOf(before, field)} ${what}: requests that ${joinList(uses, 'or')} are refused${inStyles(
    styles,
    {
      rest: isReadable(field) ? '400 for a filter, 422 for an attribute' : '422 for an attribute',
      rpc: '400',
    },
  )}${isReadable(field) ? ', and answers lack it' : ''}.`
  const isStill = after.fields.some(({ name }) => name === field.name)
  const removed = isStill ? {} : { removed: true as const }
  return [{ kind: 'breaking', code, model: after.name, member: field.name, sentence, ...removed }]
}

function writeUses(field: FieldSpec, model: ModelSpec): string[] {
  return isWritable(field, model) && isWritableModel(model) ? ['write it'] : []
}

function describeRenamedField(was: FieldSpec, is: FieldSpec, { before, after, styles }: ModelPair): Finding {
  return {
    kind: 'breaking',
    code: 'field-renamed',
    model: after.name,
    member: is.name,
    detail: `${was.name} -> ${is.name}`,
    sentence:
      `${nameOf(before, was)} is called ${quote(is.name)} now: requests with the old name are refused` +
      `${inStyles(styles, { rest: '400, 422', rpc: '400' })}, and answers have the new one.`,
  }
}

function offTheWire(field: FieldSpec, model: ModelSpec): Finding {
  const sentence = `${nameOf(model, field)} is new, and not on the wire.`
  return { kind: 'harmless', code: 'field-off-the-wire', model: model.name, member: field.name, sentence }
}

/** Compares who may read and write a field that is exposed before and after the change. */
function compareAccess(was: FieldSpec, is: FieldSpec, { before, after, styles }: ModelPair): Finding[] {
  const about = { model: after.name, member: is.name } as const
  const name = nameOf(after, is)
  const findings: Finding[] = []
  if (isReadable(is) && !isReadable(was)) {
    const secret = isSecretName(is.name) && !is.isDeliberate
    const sentence =
      `${name} can now be read, filtered and sorted by ${describeReaders(after)}` +
      `${inStyles(styles, { rest: 'attribute, filter, sort', rpc: '`select`, `where`, `orderBy`, `groupBy`' })}.` +
      (secret ? ' It is called like a secret.' : '')
    findings.push({ kind: 'exposure', code: 'field-readable', ...about, sentence, ...(secret && { secret }) })
  }
  if (!isReadable(is) && isReadable(was)) {
    const sentence = `${name} is write-only now: answers lack it, and requests that read it, filter or sort by it are refused${inStyles(styles, { rest: '400', rpc: '400' })}.`
    findings.push({ kind: 'breaking', code: 'field-write-only', ...about, sentence })
  }
  const [wrote, writes] = [isWritable(was, before), isWritable(is, after)]
  if (writes && !wrote && isWritableModel(after)) {
    const sentence = `${name} can now be written by ${describeWriters(after)}${inStyles(styles, { rest: 'attribute', rpc: '`data`' })}.`
    findings.push({ kind: 'exposure', code: 'field-writable', ...about, sentence })
  }
  if (wrote && !writes && isWritableModel(before)) {
    const sentence = `${name} is ${is.serverSet ? 'set by the server' : 'read-only'} now: requests that write it are refused${inStyles(styles, { rest: '403', rpc: '403' })}.`
    findings.push({ kind: 'breaking', code: 'field-read-only', ...about, sentence })
  } else if (is.serverSet !== was.serverSet && !writes) {
    const sentence = `${name} is ${is.serverSet ? 'declared' : 'no longer declared'} as set by the server. Callers could not write it before.`
    findings.push({ kind: 'harmless', code: 'field-server-set', ...about, sentence })
  }
  return findings
}

/** Compares whether rows can be created without a value for a field, and whether they can be created at all. */
function compareCreates(was: FieldSpec | undefined, is: FieldSpec, { before, after, styles }: ModelPair): Finding[] {
  if (!before.operations.includes('create') || !after.operations.includes('create')) return []
  const about = { model: after.name, member: is.name } as const
  const [neededServerValue, nowNeedsServerValue] = [
    was !== undefined && needsServerValue(was, before),
    needsServerValue(is, after),
  ]
  const name = nameOf(after, is)
  if (is.serverSet) return []
  if (nowNeedsServerValue && !neededServerValue) {
    const why = is.exposure === 'hidden' ? 'hidden' : 'read-only'
    const sentence = `No ${quote(after.name)} can be created any more, unless a hook or your Prisma client sets ${name}: it is required, has no default and is ${why}.`
    return [{ kind: 'breaking', code: 'create-fails', ...about, sentence }]
  }
  if (neededServerValue && !nowNeedsServerValue) {
    const sentence = `${quote(after.name)} can be created although neither a hook nor your Prisma client sets ${name}.`
    return [{ kind: 'loosened', code: 'create-possible', ...about, sentence }]
  }
  if (nowNeedsServerValue) return []
  const [must, had] = [isRequiredOnCreate(is), was !== undefined && !was.serverSet && isRequiredOnCreate(was)]
  const detail =
    was === undefined || schemaType(was) === schemaType(is) ? {} : { detail: `${schemaType(was)} -> ${schemaType(is)}` }
  if (must && !had) {
    const sentence = `${name} is required on create now: creates without it are refused${inStyles(styles, { rest: '422', rpc: '400' })}.`
    return [{ kind: 'breaking', code: 'field-required', ...about, ...detail, sentence }]
  }
  if (had && !must) {
    const sentence = `${name} may be left out on create${inStyles(styles, { rest: '', rpc: '' })}.`
    return [{ kind: 'loosened', code: 'field-optional', ...about, ...detail, sentence }]
  }
  return []
}

function nameOf({ name }: ModelSpec, field: FieldSpec): string {
  return quote(`${name}.${field.name}`)
}
