import { RequestError } from '../../errors/request-error.js'
import { callClient } from '../../orm/port.js'
import type { Rules } from '../rules/rules.js'
import type { PolicyModel } from '../schema.js'
import type { Tree } from '../tree.js'
import { changeRows, deleteRows } from './many-rows.js'
import type { Cascade } from './row-hooks.js'
import { below, type Writing } from './writing.js'

/**
 * Writes the rows of which an app is told before the row is deleted that they refer to: the database would change or delete them
 * with it, and tell nobody. Rules on them are not asked, as they are not asked where the database does it.
 * @throws RequestError 409 where not all of them can be told: rows that the caller may not read, that are kept when they are
 *   deleted, or that would get a default
 */
export async function writeCascade(
  writing: Writing,
  { model, relation, action, path }: Cascade,
  row: Tree,
): Promise<void> {
  const { foreignKey = {} } = relation
  const where = Object.fromEntries(Object.entries(foreignKey).map(([own, other]) => [own, row[other]]))
  const count = await callClient(writing.client, model, 'count', { where })
  if (count === 0) return
  if (action === 'SetDefault' || (action === 'Cascade' && writing.hooks.keeps(model))) return refuse(model)
  const unjudged = below({ ...writing, rules: judgingReads(writing.rules) }, ...path)
  const written =
    action === 'Cascade'
      ? await deleteRows(unjudged, model, { where: {}, more: where })
      : (await changeRows(unjudged, model, { where: {}, more: where }, emptied(model, foreignKey))).count
  if (written < count) refuse(model)
}

function refuse(model: PolicyModel): never {
  const detail = `Rows of ${model.name} refer to it, and cannot be changed or deleted with it.`
  throw new RequestError({ code: 'foreign-key-violation', detail })
}

function emptied({ fields }: PolicyModel, foreignKey: Tree): Tree {
  return Object.fromEntries(
    Object.keys(foreignKey)
      .filter((name) => fields.get(name)?.optional)
      .map((name) => [name, null]),
  )
}

const judging = new WeakMap<Rules, Rules>()

/** Rules that say which rows may be read, and allow every write. */
function judgingReads(rules: Rules): Rules {
  const known = judging.get(rules)
  if (known) return known
  const isRead = (action: string) => action === 'read'
  const made: Rules = {
    condition: (action, model, field) => (isRead(action) ? rules.condition(action, model, field) : true),
    isOpen: (action, model) => !isRead(action) || rules.isOpen(action, model),
    outcome: () => 'update',
    hasFieldRules: (action, model) => isRead(action) && rules.hasFieldRules(action, model),
    isExact: (action, model, field) => !isRead(action) || rules.isExact(action, model, field),
  }
  judging.set(rules, made)
  return made
}
