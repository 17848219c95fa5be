import type { ModelSpec, RelationSpec } from '../../model/api-model.js'
import { requiresVersions } from '../../model/version-field.js'
import type { Finding } from '../change.js'
import { formatPerStyle, joinList, quote, withArticle } from '../phrases.js'
import { type ModelPair, routePath, describeReaders } from './context.js'
import { isWritableModel } from './field-traits.js'
import { findRenamedRelations } from './renames.js'

/** Compares the relations of two versions of a model. */
export function compareRelations(pair: ModelPair): Finding[] {
  const { before, after, models, fields } = pair
  const withoutHidden = (relations: readonly RelationSpec[]) =>
    relations.filter(({ exposure }) => exposure !== 'hidden')
  const [oldRelations, newRelations] = [withoutHidden(before.relations), withoutHidden(after.relations)]
  const renamed = findRenamedRelations(oldRelations, newRelations, models, fields)
  const newNames = new Set(renamed.values())
  const findings: Finding[] = []
  for (const relation of newRelations) {
    if (newNames.has(relation.name)) continue
    const old = oldRelations.find(({ name }) => name === relation.name)
    findings.push(
      ...(old === undefined ? [describeAddedRelation(relation, pair)] : compareRelation(old, relation, pair)),
    )
  }
  for (const relation of oldRelations) {
    const newName = renamed.get(relation.name)
    const newRelation = newRelations.find(({ name }) => name === (newName ?? relation.name))
    if (newRelation === undefined) findings.push(describeRemovedRelation(relation, pair))
    else if (newName !== undefined) {
      findings.push(
        describeRenamedRelation(relation, newRelation, pair),
        ...compareRelation(relation, newRelation, pair),
      )
    }
  }
  return [...findings, ...compareDeletes(pair)]
}

function describeAddedRelation(relation: RelationSpec, { before, after, newModels, styles }: ModelPair): Finding {
  const wasHidden = before.relations.some(({ name }) => name === relation.name)
  const writes = isWritableRelation(relation, after, newModels) ? ', and written' : ''
  const path = `${routePath(after.name)}/:id/${relation.name}`
  const sentence = `${nameOf(after.name, relation)} (${quote(relation.target)}) can now be followed, included and used in filters by ${describeReaders(after)}${writes}${formatPerStyle(
    styles,
    { rest: `${quote(path)}, \`include\``, rpc: '`include`, `select`, `where`' },
  )}.`
  const code = wasHidden ? 'relation-exposed' : 'relation-added'
  return { kind: 'exposure', code, model: after.name, member: relation.name, sentence }
}

function describeRemovedRelation(relation: RelationSpec, { before, after, oldModels, styles }: ModelPair): Finding {
  const isHidden = after.relations.some(({ name }) => name === relation.name)
  const writes = isWritableRelation(relation, before, oldModels)
  const uses = ['follow it', 'include it', 'filter or sort by it', ...(writes ? ['write it'] : [])]
  const path = quote(`${routePath(before.name)}/:id/${relation.name}`)
  const sentence = `${nameOf(before.name, relation)} ${isHidden ? 'is no longer exposed' : 'was removed'}: requests that ${joinList(uses, 'or')} are rejected${formatPerStyle(
    styles,
    { rest: `${path}: 404, \`include\`: 400${writes ? ', `relationships`: 422' : ''}`, rpc: '400' },
  )}.`
  const code = isHidden ? 'relation-hidden' : 'relation-removed'
  return {
    kind: 'breaking',
    code,
    model: after.name,
    member: relation.name,
    sentence,
    ...(!isHidden && { removed: true }),
  }
}

function describeRenamedRelation(
  oldRelation: RelationSpec,
  newRelation: RelationSpec,
  { after, before, styles }: ModelPair,
): Finding {
  const sentence = `${nameOf(before.name, oldRelation)} was renamed to ${quote(newRelation.name)}: requests with the old name are rejected${formatPerStyle(
    styles,
    { rest: `${quote(`${routePath(before.name)}/:id/${oldRelation.name}`)}: 404, \`include\`: 400`, rpc: '400' },
  )}, and responses contain the new name.`
  const detail = `${oldRelation.name} -> ${newRelation.name}`
  return { kind: 'breaking', code: 'relation-renamed', model: after.name, member: newRelation.name, detail, sentence }
}

function compareRelation(
  oldRelation: RelationSpec,
  newRelation: RelationSpec,
  { before, after, oldModels, newModels, models, styles }: ModelPair,
): Finding[] {
  const about = { model: after.name, member: newRelation.name } as const
  const name = nameOf(after.name, newRelation)
  const findings: Finding[] = []
  const target = models.get(oldRelation.target) ?? oldRelation.target
  if (target !== newRelation.target || oldRelation.many !== newRelation.many) {
    const [from, to] = [formatTarget({ ...oldRelation, target }), formatTarget(newRelation)]
    const sentence = `${name} is ${quote(to)} instead of ${quote(from)}: the format of responses and requests changes${formatPerStyle(styles, { rest: '', rpc: '' })}.`
    return [{ kind: 'breaking', code: 'relation-type', ...about, detail: `${from} -> ${to}`, sentence }]
  }
  const wasWritable = isWritableRelation(oldRelation, before, oldModels)
  const writes = isWritableRelation(newRelation, after, newModels)
  if (wasWritable && !writes && isWritableModel(after)) {
    const isVersioned = newRelation.exposure === 'full'
    const reason = isVersioned ? `, because changes to ${quote(newRelation.target)} require a version` : ''
    const sentence = `${name} is now read-only${reason}: requests that write it are rejected${formatPerStyle(styles, { rest: `${quote('relationships')}: 403 or 405`, rpc: isVersioned ? '428, except for nested `create` and `createMany`' : '403' })}.`
    findings.push({ kind: 'breaking', code: 'relation-read-only', ...about, sentence })
  }
  if (writes && !wasWritable && isWritableModel(before)) {
    const sentence = `${name} can now be written by callers who may write ${quote(after.name)}${formatPerStyle(styles, { rest: quote('relationships'), rpc: '`connect`, `create`' })}.`
    findings.push({ kind: 'exposure', code: 'relation-writable', ...about, sentence })
  }
  if (
    wasWritable &&
    writes &&
    oldRelation.dependent !== newRelation.dependent &&
    before.operations.includes('update')
  ) {
    findings.push(describeDependentChange(newRelation, after.name, styles))
  }
  // If the foreign key became optional or required, the findings about its fields report that.
  if (oldRelation.optional === newRelation.optional && oldRelation.nullable !== newRelation.nullable)
    findings.push(nullability(newRelation, after.name, styles))
  return findings
}

function isWritableRelation(relation: RelationSpec, model: ModelSpec, models: readonly ModelSpec[]): boolean {
  const target = models.find(({ name }) => name === relation.target)
  return relation.exposure === 'full' && isWritableModel(model) && !requiresVersions(relation, target)
}

/** Describes whether responses may contain null for a required relation. */
function nullability(relation: RelationSpec, model: string, styles: ModelPair['styles']): Finding {
  const name = nameOf(model, relation)
  const about = { model, member: relation.name } as const
  if (relation.nullable) {
    const sentence = `${name} is null in responses if its ${quote(relation.target)} is hidden from the caller${formatPerStyle(styles, { rest: '`data: null`', rpc: '`null`' })}.`
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
    const sentence = `${withArticle('A', relation.target)} can no longer be removed from ${name}, because the relation is now required${formatPerStyle(styles, { rest: '403 or 405', rpc: '`disconnect`: 409' })}.`
    return { kind: 'breaking', code: 'relation-tied', ...about, sentence }
  }
  const sentence = `${withArticle('A', relation.target)} can now be removed from ${name}${formatPerStyle(styles, { rest: relation.many ? '`DELETE` of the relationship' : '`null`', rpc: '`disconnect`' })}.`
  return { kind: relation.many ? 'exposure' : 'loosened', code: 'relation-untied', ...about, sentence }
}

/** Compares the effects of deleting a row on the rows that refer to it. */
function compareDeletes({ before, after, oldModels, newModels, models }: ModelPair): Finding[] {
  return after.relations.flatMap((newRelation): Finding[] => {
    const oldRelation = before.relations.find(({ name }) => name === newRelation.name)
    if (oldRelation === undefined || newRelation.foreignKey.length === 0 || oldRelation.foreignKey.length === 0)
      return []
    const [from, to] = [getDeleteAction(oldRelation), getDeleteAction(newRelation)]
    if (from === to || (models.get(oldRelation.target) ?? oldRelation.target) !== newRelation.target) return []
    if (!isDeletable(oldRelation.target, oldModels) && !isDeletable(newRelation.target, newModels)) return []
    const about = { model: after.name, member: newRelation.name, detail: `${from} -> ${to}` } as const
    const [target, name] = [withArticle('a', newRelation.target), quote(after.name)]
    if (rejectsDelete(to) && rejectsDelete(from)) return []
    if (rejectsDelete(to)) {
      const sentence = `${withArticle('A', newRelation.target)} that ${withArticle('a', after.name)} refers to can no longer be deleted (409).`
      return [{ kind: 'breaking', code: 'delete-refused', ...about, sentence }]
    }
    const suffix = rejectsDelete(from) ? '. Previously, such a delete was rejected' : ''
    if (to === 'Cascade') {
      const sentence = `Deleting ${target} now deletes every ${name} that refers to it${suffix}.`
      // Breaking unless the delete was rejected before: rows that used to be kept are now deleted.
      return [{ kind: rejectsDelete(from) ? 'loosened' : 'breaking', code: 'delete-reaches', ...about, sentence }]
    }
    const sentence = `Deleting ${target} now disconnects every ${name} that refers to it${suffix}.`
    return [{ kind: rejectsDelete(from) ? 'loosened' : 'harmless', code: 'delete-unties', ...about, sentence }]
  })
}

/**
 * Whether callers can delete rows of a model, directly or by a cascade. Nested deletes also require the operation `delete`. Models that are not
 * exposed count as deletable, because their relations are unknown.
 * @param visited the models that cascades have already reached
 */
function isDeletable(name: string, models: readonly ModelSpec[], visited: readonly string[] = []): boolean {
  if (visited.includes(name)) return false
  const model = models.find((each) => each.name === name)
  return (
    model === undefined ||
    model.operations.includes('delete') ||
    model.relations.some(
      (relation) =>
        relation.foreignKey.length > 0 &&
        getDeleteAction(relation) === 'Cascade' &&
        isDeletable(relation.target, models, [...visited, name]),
    )
  )
}

function rejectsDelete(action: string): boolean {
  return action === 'Restrict' || action === 'NoAction'
}

/** Returns the referential action, or Prisma's default if the schema does not set one. */
function getDeleteAction({ onDelete, optional }: RelationSpec): string {
  return onDelete ?? (optional ? 'SetNull' : 'Restrict')
}

function formatTarget({ target, many }: Pick<RelationSpec, 'target' | 'many'>): string {
  return `${target}${many ? '[]' : ''}`
}

function nameOf(model: string, { name }: RelationSpec): string {
  return quote(`${model}.${name}`)
}
