import type { RelationSpec } from '../../model/api-model.js'
import type { Finding } from '../change.js'
import { inStyles, quote } from '../phrases.js'
import { type ModelPair, routePath, describeReaders } from './context.js'
import { isWritableModel } from './field-traits.js'
import { findRenamedRelations } from './renames.js'

/** Compares the relations of two versions of a model. */
export function compareRelations(pair: ModelPair): Finding[] {
  const { before, after, models, fields } = pair
  const withoutHidden = (relations: readonly RelationSpec[]) =>
    relations.filter(({ exposure }) => exposure !== 'hidden')
  const [was, is] = [withoutHidden(before.relations), withoutHidden(after.relations)]
  const renamed = findRenamedRelations(was, is, models, fields)
  const newNames = new Set(renamed.values())
  const findings: Finding[] = []
  for (const relation of is) {
    if (newNames.has(relation.name)) continue
    const old = was.find(({ name }) => name === relation.name)
    findings.push(
      ...(old === undefined ? [describeAddedRelation(relation, pair)] : compareRelation(old, relation, pair)),
    )
  }
  for (const relation of was) {
    const newName = renamed.get(relation.name)
    const now = is.find(({ name }) => name === (newName ?? relation.name))
    if (now === undefined) findings.push(describeRemovedRelation(relation, pair))
    else if (newName !== undefined) {
      findings.push(describeRenamedRelation(relation, now, pair), ...compareRelation(relation, now, pair))
    }
  }
  return [...findings, ...compareDeletes(pair)]
}

function describeAddedRelation(relation: RelationSpec, { before, after, styles }: ModelPair): Finding {
  const isStill = before.relations.some(({ name }) => name === relation.name)
  const writes = relation.exposure === 'full' && isWritableModel(after) ? ', and written' : ''
  const path = `${routePath(after.name)}/:id/${relation.name}`
  const sentence = `${nameOf(after.name, relation)} (${quote(relation.target)}) can now be followed, included and filtered through by ${describeReaders(after)}${writes}${inStyles(
    styles,
    { rest: `${quote(path)}, \`include\``, rpc: '`include`, `select`, `where`' },
  )}.`
  const code = isStill ? 'relation-exposed' : 'relation-added'
  return { kind: 'exposure', code, model: after.name, member: relation.name, sentence }
}

function describeRemovedRelation(relation: RelationSpec, { before, after, styles }: ModelPair): Finding {
  const isStill = after.relations.some(({ name }) => name === relation.name)
  const sentence = `${nameOf(before.name, relation)} is ${isStill ? 'not on the wire any more' : 'gone'}: requests that follow, include or filter through it are refused${inStyles(
    styles,
    { rest: `${quote(`${routePath(before.name)}/:id/${relation.name}`)}: 404, \`include\`: 400`, rpc: '400' },
  )}.`
  const code = isStill ? 'relation-hidden' : 'relation-removed'
  return {
    kind: 'breaking',
    code,
    model: after.name,
    member: relation.name,
    sentence,
    ...(!isStill && { removed: true }),
  }
}

function describeRenamedRelation(was: RelationSpec, is: RelationSpec, { after, before, styles }: ModelPair): Finding {
  const sentence = `${nameOf(before.name, was)} is called ${quote(is.name)} now: requests with the old name are refused${inStyles(
    styles,
    { rest: `${quote(`${routePath(before.name)}/:id/${was.name}`)}: 404`, rpc: '400' },
  )}, and answers have the new one.`
  const detail = `${was.name} -> ${is.name}`
  return { kind: 'breaking', code: 'relation-renamed', model: after.name, member: is.name, detail, sentence }
}

function compareRelation(was: RelationSpec, is: RelationSpec, { before, after, models, styles }: ModelPair): Finding[] {
  const about = { model: after.name, member: is.name } as const
  const name = nameOf(after.name, is)
  const findings: Finding[] = []
  const target = models.get(was.target) ?? was.target
  if (target !== is.target || was.many !== is.many) {
    const [from, to] = [shapeOf({ ...was, target }), shapeOf(is)]
    const sentence = `${name} is ${quote(to)} instead of ${quote(from)}: answers and requests have another form${inStyles(styles, { rest: '', rpc: '' })}.`
    return [{ kind: 'breaking', code: 'relation-type', ...about, detail: `${from} -> ${to}`, sentence }]
  }
  const wrote = was.exposure === 'full' && isWritableModel(before)
  const writes = is.exposure === 'full' && isWritableModel(after)
  if (wrote && !writes && isWritableModel(after)) {
    const sentence = `${name} is read-only now: requests that write it are refused${inStyles(styles, { rest: `${quote('relationships')}: 403 or 405`, rpc: '403' })}.`
    findings.push({ kind: 'breaking', code: 'relation-read-only', ...about, sentence })
  }
  if (writes && !wrote && isWritableModel(before)) {
    const sentence = `${name} can now be written by everyone who may write ${quote(after.name)}${inStyles(styles, { rest: quote('relationships'), rpc: '`connect`, `create`' })}.`
    findings.push({ kind: 'exposure', code: 'relation-writable', ...about, sentence })
  }
  if (wrote && writes && was.dependent !== is.dependent && before.operations.includes('update')) {
    findings.push(describeDependentChange(is, after.name, styles))
  }
  // If the column is nullable before or after, the findings of the foreign key report it.
  if (was.optional === is.optional && was.nullable !== is.nullable) findings.push(nullability(is, after.name, styles))
  return findings
}

/** Describes whether responses may contain null for a required relation. */
function nullability(relation: RelationSpec, model: string, styles: ModelPair['styles']): Finding {
  const name = nameOf(model, relation)
  const about = { model, member: relation.name } as const
  if (relation.nullable) {
    const sentence = `${name} is null in responses if its ${quote(relation.target)} is hidden from the caller${inStyles(styles, { rest: '`data: null`', rpc: '`null`' })}.`
    return { kind: 'breaking', code: 'relation-nullable', ...about, sentence }
  }
  const sentence = `${name} is no longer null in responses: a caller who may read it may read its ${quote(relation.target)}.`
  return { kind: 'harmless', code: 'relation-non-null', ...about, sentence }
}

/** Describes whether rows on the other side can still be disconnected from this row. */
function describeDependentChange(relation: RelationSpec, model: string, styles: ModelPair['styles']): Finding {
  const name = nameOf(model, relation)
  const about = { model, member: relation.name } as const
  if (relation.dependent) {
    const sentence = `A ${quote(relation.target)} can no longer be taken out of ${name}: it needs an owner now${inStyles(styles, { rest: '403 or 405', rpc: '`disconnect`: 400' })}.`
    return { kind: 'breaking', code: 'relation-tied', ...about, sentence }
  }
  const sentence = `A ${quote(relation.target)} can now be taken out of ${name}${inStyles(styles, { rest: relation.many ? '`DELETE` of the relationship' : '`null`', rpc: '`disconnect`' })}.`
  return { kind: relation.many ? 'exposure' : 'loosened', code: 'relation-untied', ...about, sentence }
}

/** Compares the effects of deleting a row on the rows that refer to it. */
function compareDeletes({ before, after, models }: ModelPair): Finding[] {
  return after.relations.flatMap((is): Finding[] => {
    const was = before.relations.find(({ name }) => name === is.name)
    if (was === undefined || is.foreignKey.length === 0 || was.foreignKey.length === 0) return []
    const [from, to] = [actionOf(was), actionOf(is)]
    if (from === to || (models.get(was.target) ?? was.target) !== is.target) return []
    const about = { model: after.name, member: is.name, detail: `${from} -> ${to}` } as const
    const [target, name] = [quote(is.target), quote(after.name)]
    if (rejectsDelete(to) && rejectsDelete(from)) return []
    if (rejectsDelete(to)) {
      const sentence = `A ${target} that a ${name} refers to can no longer be deleted (409).`
      return [{ kind: 'breaking', code: 'delete-refused', ...about, sentence }]
    }
    const suffix = rejectsDelete(from) ? ', where it was refused' : ''
    if (to === 'Cascade') {
      const sentence = `Deleting a ${target} deletes every ${name} that refers to it now${suffix}.`
      // Breaking unless the delete was rejected before: rows that used to be kept are now deleted.
      return [{ kind: rejectsDelete(from) ? 'loosened' : 'breaking', code: 'delete-reaches', ...about, sentence }]
    }
    const sentence = `Deleting a ${target} takes it from every ${name} that refers to it now${suffix}.`
    return [{ kind: rejectsDelete(from) ? 'loosened' : 'harmless', code: 'delete-unties', ...about, sentence }]
  })
}

function rejectsDelete(action: string): boolean {
  return action === 'Restrict' || action === 'NoAction'
}

/** Returns the referential action, or Prisma's default if the schema does not set one. */
function actionOf({ onDelete, optional }: RelationSpec): string {
  return onDelete ?? (optional ? 'SetNull' : 'Restrict')
}

function shapeOf({ target, many }: Pick<RelationSpec, 'target' | 'many'>): string {
  return `${target}${many ? '[]' : ''}`
}

function nameOf(model: string, { name }: RelationSpec): string {
  return quote(`${model}.${name}`)
}
