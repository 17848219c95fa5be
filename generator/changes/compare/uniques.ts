import type { ModelSpec } from '../../model/api-model.js'
import type { SchemaModel } from '../../schema/schema.js'
import type { Finding } from '../change.js'
import { inStyles, joinNames, quote } from '../phrases.js'
import { type ModelPair, routePath } from './context.js'
import { idFieldsOf, isWritable, isWritableModel } from './field-traits.js'

/** Compares the id and the other unique criteria of two versions of a model. */
export function compareUniques(pair: ModelPair): Finding[] {
  return [...compareIds(pair), ...compareCriteria(pair), ...compareDuplicates(pair)]
}

function compareIds({ before, after, fields, styles }: ModelPair): Finding[] {
  const was = idFieldsOf(before).map((name) => fields.get(name) ?? name)
  const is = idFieldsOf(after)
  if (was.join() === is.join()) return []
  const paths = `${routePath(after.name)}/:id`
  const sentence = `A ${quote(after.name)} is identified by ${joinNames(is)} instead of ${joinNames(was)}: ids in answers are others, and the old ones are not found${inStyles(
    styles,
    { rest: quote(paths), rpc: 'not concerned' },
  )}.`
  const detail = `${was.join('+')} -> ${is.join('+')}`
  return [{ kind: 'breaking', code: 'id-changed', model: after.name, detail, sentence }]
}

/** Compares the criteria that callers can use in `findUnique`, `connect` and upserts. */
function compareCriteria({ before, after, fields, styles }: ModelPair): Finding[] {
  const was = before.uniques.map(({ name, fields: of }) => ({ name, key: of.map((each) => fields.get(each) ?? each) }))
  const findings: Finding[] = []
  for (const { name, fields: of } of after.uniques) {
    const same = was.find(({ key }) => key.join() === of.join())
    const rename = of.length > 1 && same !== undefined && same.name !== name && !fields.size
    if (rename) {
      const sentence = `The unique criterion of ${joinNames(of)} is called ${quote(name)} instead of ${quote(same.name)} in RPC: requests with the old name are refused (400).`
      findings.push({ kind: 'breaking', code: 'unique-renamed', model: after.name, member: name, sentence })
    }
    if (same !== undefined || !hasUniqueLookups(after)) continue
    // New fields are already reported.
    if (of.every((field) => !before.fields.some((each) => (fields.get(each.name) ?? each.name) === field))) continue
    const sentence = `A ${quote(after.name)} can now be found by ${joinNames(of)} alone${inStyles(styles, { rest: '`matchFields` of an upsert', rpc: '`findUnique`, `connect`' })}.`
    findings.push({ kind: 'exposure', code: 'unique-added', model: after.name, member: of.join('+'), sentence })
  }
  for (const { name, key } of was) {
    const isThere = after.uniques.some(({ fields: of }) => of.join() === key.join())
    const isReported = key.some(
      (field) => !after.fields.some((each) => each.name === field && each.exposure !== 'hidden'),
    )
    if (isThere || isReported || !hasUniqueLookups(before)) continue
    const sentence = `A ${quote(after.name)} can no longer be found by ${joinNames(key)} alone: requests that do are refused${inStyles(styles, { rest: '`matchFields` of an upsert', rpc: '`findUnique`, `connect`: 400' })}.`
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

function hasUniqueLookups({ operations }: ModelSpec): boolean {
  return operations.some((operation) => operation !== 'list' && operation !== 'create')
}

/** Compares whether the database rejects duplicate values. This also applies to hidden fields. */
function compareDuplicates({ before, after, was, is, fields, styles }: ModelPair): Finding[] {
  const [old, now] = [keysOf(was).map((key) => key.map((name) => fields.get(name) ?? name)), keysOf(is)]
  const findings: Finding[] = []
  const written = (model: ModelSpec, key: readonly string[]) =>
    isWritableModel(model) &&
    key.every((name) => model.fields.some((field) => field.name === name && isWritable(field, model)))
  const isNew = (key: readonly string[]) => !before.fields.some(({ name }) => key.includes(fields.get(name) ?? name))
  for (const key of now) {
    if (old.some((one) => one.join() === key.join()) || !written(after, key) || isNew(key)) continue
    const sentence = `Two rows of ${quote(after.name)} can no longer have the same ${joinNames(key)}: writes that would make such are refused${inStyles(styles, { rest: '409', rpc: '409' })}.`
    findings.push({ kind: 'breaking', code: 'duplicates-refused', model: after.name, member: key.join('+'), sentence })
  }
  for (const key of old) {
    if (now.some((one) => one.join() === key.join()) || !written(after, key)) continue
    const sentence = `Two rows of ${quote(after.name)} may have the same ${joinNames(key)} now.`
    findings.push({ kind: 'loosened', code: 'duplicates-taken', model: after.name, member: key.join('+'), sentence })
  }
  return findings
}

function keysOf(model: SchemaModel | undefined): (readonly string[])[] {
  if (model === undefined) return []
  return [...(model.primaryKey ? [model.primaryKey] : []), ...model.uniques].map(({ fields }) => fields)
}
