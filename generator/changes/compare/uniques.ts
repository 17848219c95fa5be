import type { ModelSpec } from '../../model/api-model.js'
import { getIdFields, isUpsertKey } from '../../model/writable-fields.js'
import type { Style } from '../../options.js'
import type { SchemaModel } from '../../schema/schema.js'
import type { Finding } from '../change.js'
import { formatPerStyle, joinNames, quote, withArticle } from '../phrases.js'
import { type ModelPair, routePath } from './context.js'
import { isWritableColumn, isWritableModel } from './field-traits.js'

/** Compares the id and the other unique criteria of two versions of a model. */
export function compareUniques(pair: ModelPair): Finding[] {
  return [...compareIds(pair), ...compareCriteria(pair), ...compareDuplicates(pair)]
}

function compareIds({ before, after, fields, styles }: ModelPair): Finding[] {
  const oldKey = getIdFields(before).map((name) => fields.get(name) ?? name)
  const newKey = getIdFields(after)
  if (oldKey.join() === newKey.join()) return []
  const paths = `${routePath(after.name)}/:id`
  const sentence = `${withArticle('A', after.name)} is identified by ${joinNames(newKey)} instead of ${joinNames(oldKey)}: ids in responses change, and the old ids are no longer found${formatPerStyle(
    styles,
    { rest: quote(paths), rpc: 'not affected' },
  )}.`
  const detail = `${oldKey.join('+')} -> ${newKey.join('+')}`
  return [{ kind: 'breaking', code: 'id-changed', model: after.name, detail, sentence }]
}

/** Compares the criteria that callers can use in `findUnique`, `connect` and upserts. */
function compareCriteria({ before, after, fields, styles }: ModelPair): Finding[] {
  const oldCriteria = before.uniques.map(({ name, fields: fieldNames }) => ({
    name,
    lookupStyles: getLookupStyles(before, fieldNames, styles),
    key: fieldNames.map((fieldName) => fields.get(fieldName) ?? fieldName),
  }))
  const findings: Finding[] = []
  for (const { name, fields: fieldNames } of after.uniques) {
    const same = oldCriteria.find(({ key }) => hasSameFields(key, fieldNames))
    const rename = fieldNames.length > 1 && same !== undefined && same.name !== name && !fields.size
    if (rename && styles.includes('rpc')) {
      const sentence = `The unique criterion on ${joinNames(fieldNames)} is now named ${quote(name)} instead of ${quote(same.name)} in RPC: requests with the old name are rejected (400).`
      findings.push({ kind: 'breaking', code: 'unique-renamed', model: after.name, member: name, sentence })
    }
    const lookupStyles = getLookupStyles(after, fieldNames, styles)
    if (same !== undefined || lookupStyles.length === 0) continue
    // New fields are already reported.
    if (fieldNames.every((field) => !before.fields.some((each) => (fields.get(each.name) ?? each.name) === field)))
      continue
    const sentence = `${withArticle('A', after.name)} can now be looked up by ${joinNames(fieldNames)}${formatPerStyle(lookupStyles, { rest: '`matchFields` of an upsert', rpc: '`findUnique`, `connect`' })}.`
    findings.push({ kind: 'exposure', code: 'unique-added', model: after.name, member: fieldNames.join('+'), sentence })
  }
  for (const { name, key, lookupStyles } of oldCriteria) {
    const isStillUnique = after.uniques.some(({ fields: fieldNames }) => hasSameFields(fieldNames, key))
    const isReported = key.some(
      (field) => !after.fields.some((each) => each.name === field && each.exposure !== 'hidden'),
    )
    if (isStillUnique || isReported || lookupStyles.length === 0) continue
    const sentence = `${withArticle('A', after.name)} can no longer be looked up by ${joinNames(key)}: such requests are rejected${formatPerStyle(lookupStyles, { rest: '`matchFields` of an upsert', rpc: '`findUnique`, `connect`: 400' })}.`
    findings.push({
      kind: 'breaking',
      code: 'unique-removed',
      model: after.name,
      member: key.join('+'),
      detail: name,
      sentence,
    })
  }
  return findings
}

/** Returns the styles in which callers can look up a row by a unique criterion. */
function getLookupStyles(model: ModelSpec, key: readonly string[], styles: readonly Style[]): Style[] {
  const hasLookups = model.operations.some((operation) => operation !== 'list' && operation !== 'create')
  return styles.filter((style) => (style === 'rest' ? isUpsertKey(key, model) : hasLookups))
}

function hasSameFields(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && containsFields(one, other)
}

function containsFields(key: readonly string[], part: readonly string[]): boolean {
  return part.every((name) => key.includes(name))
}

/** Compares whether the database rejects duplicate values. This also applies to hidden fields. */
function compareDuplicates({ before, after, oldSchema, newSchema, fields, styles }: ModelPair): Finding[] {
  const [oldKeys, newKeys] = [
    getKeys(oldSchema).map((key) => key.map((name) => fields.get(name) ?? name)),
    getKeys(newSchema),
  ]
  const findings: Finding[] = []
  const isWritableKey = (model: ModelSpec, key: readonly string[]) =>
    isWritableModel(model) &&
    key.every((name) => model.fields.some((field) => field.name === name)) &&
    model.fields.some((field) => key.includes(field.name) && isWritableColumn(field, model))
  // Rows with different values for some fields of a key also have different values for the whole key.
  const isImplied = (key: readonly string[], keys: readonly (readonly string[])[]) =>
    keys.some((part) => containsFields(key, part))
  const isNew = (key: readonly string[]) => !before.fields.some(({ name }) => key.includes(fields.get(name) ?? name))
  for (const key of newKeys) {
    if (isImplied(key, oldKeys) || !isWritableKey(after, key) || isNew(key)) continue
    const sentence = `Two rows of ${quote(after.name)} can no longer have the same ${joinNames(key)}: writes that would create duplicates are rejected${formatPerStyle(styles, { rest: '409', rpc: '409' })}.`
    findings.push({ kind: 'breaking', code: 'duplicates-refused', model: after.name, member: key.join('+'), sentence })
  }
  for (const key of oldKeys) {
    if (isImplied(key, newKeys) || !isWritableKey(after, key)) continue
    const sentence = `Two rows of ${quote(after.name)} may now have the same ${joinNames(key)}.`
    findings.push({ kind: 'loosened', code: 'duplicates-taken', model: after.name, member: key.join('+'), sentence })
  }
  return findings
}

function getKeys(model: SchemaModel | undefined): (readonly string[])[] {
  if (model === undefined) return []
  return [...(model.primaryKey ? [model.primaryKey] : []), ...model.uniques].map(({ fields }) => fields)
}
