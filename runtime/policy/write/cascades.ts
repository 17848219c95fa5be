import { RequestError } from '../../errors/request-error.js'
import { callClient } from '../../orm/client-port.js'
import type { Action, Rules } from '../rules/rules.js'
import type { PolicyModel, PolicyRelation } from '../schema.js'
import type { Args } from '../args.js'
import { bulkUpdate, bulkDelete } from './bulk.js'
import type { Cascade } from './row-hooks.js'
import { nestedContext, type WriteContext } from './write-context.js'

/**
 * Writes the rows of which an app is told before the row is deleted that they refer to: the database would change or delete them
 * with it, and tell nobody. Rules on them are not asked, as they are not asked where the database does it, but of what hooks add.
 * @throws RequestError 409 where not all of them can be told: rows that the caller may not read, that are kept when they are
 *   deleted, or that would get a default
 */
export async function applyCascade(
  writing: WriteContext,
  { model, relation, action, path }: Cascade,
  row: Args,
): Promise<void> {
  const { foreignKey = {} } = relation
  const where = Object.fromEntries(Object.entries(foreignKey).map(([own, other]) => [own, row[other]]))
  const count = await callClient(writing.client, model, 'count', { where })
  if (count === 0) return
  if (action === 'SetDefault' || (action === 'Cascade' && writing.hooks.keeps(model))) return reject()
  const cascade = nestedContext({ ...writing, rules: cascadingRules(writing.rules, model, relation) }, ...path)
  const written =
    action === 'Cascade'
      ? await bulkDelete(cascade, model, { where: {}, more: where })
      : (await bulkUpdate(cascade, model, { where: {}, more: where }, emptied(model, foreignKey))).count
  if (written < count) reject()
}

/** Rejects a delete because of rows that refer to the row. Does not name their model, because the caller may not be allowed to read them. */
function reject(): never {
  const detail = 'Other records refer to this one, and cannot be changed or deleted with it.'
  throw new RequestError({ code: 'foreign-key-violation', detail })
}

function emptied({ fields }: PolicyModel, foreignKey: Args): Args {
  return Object.fromEntries(
    Object.keys(foreignKey)
      .filter((name) => fields.get(name)?.optional)
      .map((name) => [name, null]),
  )
}

const cascading = new WeakMap<Rules, Map<PolicyRelation, Rules>>()

/**
 * Rules that allow what the database would do by itself: to delete rows, and to write the key of a relation. What an app adds to that
 * is judged.
 * @param held the model that holds the key
 */
function cascadingRules(rules: Rules, held: PolicyModel, relation: PolicyRelation): Rules {
  const byRelation = cascading.get(rules) ?? new Map<PolicyRelation, Rules>()
  cascading.set(rules, byRelation)
  const known = byRelation.get(relation)
  if (known) return known
  const done = new Set([relation.name, ...Object.keys(relation.foreignKey ?? {})])
  const isJudged = (action: Action, model: PolicyModel, field?: string) =>
    action === 'read' || (action !== 'delete' && field !== undefined && !(model === held && done.has(field)))
  const made: Rules = {
    ...rules,
    condition: (action, model, field) => !isJudged(action, model, field) || rules.condition(action, model, field),
    isOpen: (action, model) => action === 'delete' || rules.isOpen(action, model),
    hasFieldRules: (action, model) => action !== 'read' || rules.hasFieldRules(action, model),
    isExact: (action, model, field) => !isJudged(action, model, field) || rules.isExact(action, model, field),
  }
  byRelation.set(relation, made)
  return made
}
