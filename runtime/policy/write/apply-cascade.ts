import { RequestError } from '../../errors/request-error.js'
import { callClient } from '../../prisma/call-client.js'
import { selectFields, whereAnyKey } from '../../prisma/keys.js'
import type { Action, Rules } from '../rules/rules.js'
import type { PolicyModel, PolicyRelation } from '../policy-schema.js'
import type { Args } from '../args.js'
import { bulkUpdate, bulkDelete } from './bulk-writes.js'
import { type Cascade, deletesRowsOf, deletionKey, nestedContext, type WriteContext } from './write-context.js'

/**
 * Updates or deletes the rows with hooks that refer to a row, before that row is deleted. Otherwise, the database would do so without
 * calling the hooks. As with the database's own cascades, rules do not apply to the cascade itself, but they apply to the data that hooks
 * add.
 * @throws RequestError 409 if some of the rows cannot be written: the caller cannot read them, a hook replaces their deletion, or the
 * database would set a default value
 */
export async function applyCascade(
  writeContext: WriteContext,
  { model, relation, action, path }: Cascade,
  row: Args,
): Promise<void> {
  const { foreignKey = {} } = relation
  const where = Object.fromEntries(
    Object.entries(foreignKey).map(([field, referencedField]) => [field, row[referencedField]]),
  )
  const { client, deletions, hooks } = writeContext
  const count = await callClient(client, model, 'count', { where })
  if (count === 0) return
  const select = selectFields(model.idFields)
  const hasStarted = (candidate: Args) => deletions.has(deletionKey(model, candidate))
  const started = deletesRowsOf(writeContext, model)
    ? (await callClient(client, model, 'findMany', { where, select })).filter(hasStarted)
    : []
  if (started.length > 0) closeCycle(deletions)
  if (started.length === count) return
  if (action === 'SetDefault' || (action === 'Cascade' && hooks.replacesDelete(model))) return reject()
  const cascade = nestedContext(
    { ...writeContext, rules: cascadingRules(writeContext.rules, model, relation) },
    ...path,
  )
  if (action === 'Cascade') {
    const more = started.length > 0 ? { AND: [where], NOT: whereAnyKey(model.idFields, started) } : where
    await bulkDelete(cascade, model, { where: {}, more })
  } else await bulkUpdate(cascade, model, { where: {}, more: where }, createNullKeys(model, foreignKey))
  // Another transaction or a hook may have deleted or moved some of the rows, so only those that still refer to the row matter.
  const left = await callClient(client, model, 'findMany', { where, select, take: started.length + 1 })
  if (!left.every(hasStarted)) reject()
}

/** Marks the rows whose deletion has begun, because the cascade has reached one of them. */
function closeCycle(deletions: WriteContext['deletions']): void {
  for (const [key, state] of deletions) if (state === 'begun') deletions.set(key, 'circled')
}

/**
 * Rejects a delete because of rows that refer to the deleted row. Does not name their model, because the caller may not be allowed to read
 * them.
 */
function reject(): never {
  const detail = 'Other records refer to this one and cannot be changed or deleted with it.'
  throw new RequestError({ code: 'foreign-key-violation', detail })
}

function createNullKeys({ fields }: PolicyModel, foreignKey: Args): Args {
  return Object.fromEntries(
    Object.keys(foreignKey)
      .filter((name) => fields.get(name)?.optional)
      .map((name) => [name, null]),
  )
}

const cascading = new WeakMap<Rules, Map<PolicyRelation, Rules>>()

/**
 * Returns rules that allow the database's own actions in a cascade: deleting rows, and writing the key of a relation. They still apply to
 * everything that hooks add.
 * @param keyModel the model with the foreign key
 */
function cascadingRules(rules: Rules, keyModel: PolicyModel, relation: PolicyRelation): Rules {
  const byRelation = cascading.get(rules) ?? new Map<PolicyRelation, Rules>()
  cascading.set(rules, byRelation)
  const cached = byRelation.get(relation)
  if (cached) return cached
  const cascadedFields = new Set([relation.name, ...Object.keys(relation.foreignKey ?? {})])
  const appliesRules = (action: Action, model: PolicyModel, field?: string) =>
    action === 'read' ||
    (action !== 'delete' && field !== undefined && !(model === keyModel && cascadedFields.has(field)))
  const cascadeRules: Rules = {
    ...rules,
    condition: (action, model, field) => !appliesRules(action, model, field) || rules.condition(action, model, field),
    isOpen: (action, model) => action === 'delete' || rules.isOpen(action, model),
    hasFieldRules: (action, model) => action !== 'read' || rules.hasFieldRules(action, model),
    isExact: (action, model, field) => !appliesRules(action, model, field) || rules.isExact(action, model, field),
  }
  byRelation.set(relation, cascadeRules)
  return cascadeRules
}
