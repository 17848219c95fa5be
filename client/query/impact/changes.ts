import {
  type ForeignKey,
  type Graph,
  idFields,
  isPlainObject,
  isScalar,
  toArray,
  type PlainObject,
  pickAll,
  getRelation,
  pickScalars,
} from './graph.js'

/** The effect of a write on rows of one model. */
export interface Change {
  readonly model: string
  /** `any` if the effect is unknown. */
  readonly kind: 'create' | 'update' | 'delete' | 'any'
  /** A condition that all affected rows met before the write. Undefined if any row may be affected. */
  readonly where?: unknown
  /** The id, if exactly one row is affected. */
  readonly id?: PlainObject | undefined
  /** The known values of a row: after the write, or before its deletion. */
  readonly row: PlainObject
  /** The fields and many-to-many relations that the write may change. Undefined if it may change all. */
  readonly names?: Set<string> | undefined
}

/**
 * Finds all effects of a write: those of its arguments and nested writes, and the database's referential actions. Uses the values in the
 * result, if there is one. The effect of the operation `any` is unknown.
 */
export function findChanges(
  graph: Graph,
  model: string,
  operation: string,
  args: PlainObject,
  result?: unknown,
): readonly Change[] {
  const changes: Change[] = []

  /** Adds the creation or update of a row, with its nested writes. */
  const addWrite = (
    model: string,
    kind: 'create' | 'update',
    data: unknown,
    where: unknown,
    baseValues: PlainObject,
    result?: unknown,
  ): void => {
    if (!isPlainObject(data)) return
    const row: Record<string, unknown> = { ...(kind === 'create' && createDefaults(model, data)), ...baseValues }
    const names = new Set(graph[model]?.touches)
    const nested: (() => void)[] = []
    for (const [name, value] of Object.entries(data)) {
      if (value === undefined) continue
      const relation = getRelation(graph, model, name)
      if (relation) {
        // If two foreign keys share a field, the other relation may have set it to null in `createDefaults`.
        if (relation.via && 'local' in relation.via)
          for (const field of Object.keys(relation.via.local)) delete row[field]
        nested.push(() => addNestedWrites(model, name, value, row, names))
      } else {
        names.add(name)
        delete row[name]
        const set = isPlainObject(value) ? value['set'] : value
        if (isScalar(set)) row[name] = set
      }
    }
    const id = pickAll(Object(where), idFields(graph, model))
    changes.push({ model, kind, where, id, row, names })
    if (isPlainObject(result)) {
      for (const [name, value] of Object.entries(result))
        if (name !== '_count' && !getRelation(graph, model, name)) row[name] = value
    }
    for (const addNested of nested) addNested()
    if (kind === 'update') addKeyUpdates(model, names)
  }

  /** Returns the known values of a new row for relations that are not in its data: empty arrays and null foreign keys. */
  const createDefaults = (model: string, data: PlainObject): PlainObject => {
    const { relations = {}, touches: serverSetFields = [] } = graph[model] ?? {}
    const row: Record<string, unknown> = {}
    for (const name of Object.keys(relations)) {
      const via = getRelation(graph, model, name)?.via
      if (!via || data[name] !== undefined) continue
      if (!('local' in via)) row[name] = []
      else for (const field of Object.keys(via.local)) if (!serverSetFields.includes(field)) row[field] = null
    }
    return row
  }

  /** Adds the effects of nested writes. Updates the known values of the parent row. */
  const addNestedWrites = (
    model: string,
    name: string,
    writes: unknown,
    row: Record<string, unknown>,
    names: Set<string>,
  ): void => {
    const relation = getRelation(graph, model, name)
    if (!relation || !isPlainObject(writes)) return
    const { target, via } = relation
    if (!via) {
      changes.push({ model: target, kind: 'any', row: {} }, { model, kind: 'any', row: {} })
      return
    }
    // Rows that refer to this row have these foreign key values, both before and after the write.
    const key = 'inverse' in via ? foreignKeyValues(via.inverse, row) : {}
    const addLink = (where: unknown, after: PlainObject): void => {
      const fields =
        'inverse' in via
          ? [...Object.keys(via.inverse), ...(graph[target]?.touches ?? [])]
          : 'between' in via
            ? [via.between]
            : []
      if (fields.length > 0) changes.push({ model: target, kind: 'update', where, row: after, names: new Set(fields) })
    }
    for (const [action, value] of Object.entries(writes)) {
      if (value === undefined) continue
      if (!action.startsWith('update')) {
        if ('local' in via) for (const field of Object.keys(via.local)) names.add(field)
        else if ('between' in via) names.add(name)
      }
      for (const write of toArray(value)) {
        const { where = write, data = write, create, update } = isPlainObject(write) ? write : {}
        const condition =
          where === true ? key : 'inverse' in via && !action.startsWith('connect') ? { AND: [where, key] } : where
        if (action === 'create') addWrite(target, 'create', write, undefined, key)
        else if (action === 'createMany')
          for (const row of toArray(data)) addWrite(target, 'create', row, undefined, key)
        else if (action === 'connect') {
          // Values in the server's result take precedence.
          if ('local' in via && isPlainObject(write))
            Object.assign(row, { ...foreignKeyValues(via.local, write), ...row })
          addLink(where, key)
        } else if (action === 'connectOrCreate') {
          addWrite(target, 'create', create, undefined, key)
          addLink(where, key)
        } else if (action === 'set') {
          addLink(where, key)
        } else if (action === 'disconnect') addLink(condition, {})
        else if (action.startsWith('update')) {
          // In a to-one relation, `where` can be omitted, and `write` is the data itself.
          const isDataOnly = isPlainObject(write) && !('data' in write)
          addWrite(target, 'update', data, isDataOnly ? ('inverse' in via ? key : undefined) : condition, {})
        } else if (action === 'upsert') {
          addWrite(target, 'create', create, undefined, key)
          addWrite(
            target,
            'update',
            update,
            isPlainObject(write) && 'where' in write ? condition : 'inverse' in via ? key : undefined,
            {},
          )
        } else addDeletion(target, condition === false ? undefined : condition, {})
      }
      // Related rows that `set` does not list are disconnected.
      if (action === 'set') addLink('inverse' in via ? key : undefined, {})
    }
  }

  /** Adds the deletion of rows and its referential actions: cascading deletes and foreign keys set to null or their default. */
  const addDeletion = (model: string, where: unknown, row: PlainObject, seen: readonly string[] = []): void => {
    changes.push({ model, kind: 'delete', where, row })
    const { deletes = [], detaches: dependents = [] } = graph[model] ?? {}
    for (const [other, { relations }] of Object.entries(graph)) {
      for (const name of Object.keys(relations)) {
        const relation = getRelation(graph, other, name)
        if (relation?.target !== model || (relation.via && !('local' in relation.via))) continue
        const foreignKey = relation.via?.local
        const rowValues = { ...(isPlainObject(where) && where), ...row }
        const entries = Object.entries(foreignKey ?? {}).filter(([, to]) => isScalar(rowValues[to]))
        const condition =
          entries.length > 0 ? Object.fromEntries(entries.map(([field, to]) => [field, rowValues[to]])) : undefined
        if (deletes.includes(other) && !seen.includes(other))
          addDeletion(other, condition, condition ?? {}, [...seen, model])
        if (dependents.includes(other)) {
          changes.push({
            model: other,
            kind: 'update',
            where: condition,
            row: {},
            names: foreignKey && new Set(Object.keys(foreignKey)),
          })
        }
      }
    }
  }

  /** Adds the changes to foreign keys that cascade from an updated key. */
  const addKeyUpdates = (model: string, names: ReadonlySet<string>): void => {
    for (const [other, { relations }] of Object.entries(graph)) {
      for (const name of Object.keys(relations)) {
        const relation = getRelation(graph, other, name)
        if (relation?.target !== model || !relation.via || !('local' in relation.via)) continue
        const { local: foreignKey } = relation.via
        if (Object.values(foreignKey).some((to) => names.has(to))) {
          changes.push({ model: other, kind: 'update', row: {}, names: new Set(Object.keys(foreignKey)) })
        }
      }
    }
  }

  if (operation === 'any') return [{ model, kind: 'any', row: {} }]
  const { where, data, create, update } = args
  const rows = Array.isArray(result) ? result.filter(isPlainObject) : undefined
  const id = idFields(graph, model)
  /** Returns the condition of one row: `where` and its id, unless the write changes the id. */
  const rowCondition = (row: unknown, data: unknown, where: unknown): PlainObject => ({
    ...Object(where),
    ...(id.some((name) => name in Object(data)) ? {} : pickAll(Object(row), id)),
  })
  // Wrapped in `AND`, because `isSame` would treat plain values as the identity of a single row.
  const condition = { AND: [where] }

  if (isPlainObject(result) && Object.keys(result).length === 1 && result['count'] === 0 && operation.endsWith('Many'))
    return []
  if (operation === 'create') addWrite(model, 'create', data, undefined, {}, result)
  else if (operation.startsWith('createMany')) {
    if (rows) for (const row of rows) addWrite(model, 'create', {}, undefined, {}, row)
    else for (const row of toArray(data)) addWrite(model, 'create', row, undefined, {})
  } else if (operation === 'upsert') {
    addWrite(model, 'create', create, rowCondition(result, {}, undefined), {}, result)
    addWrite(model, 'update', update, rowCondition(result, update, where), {}, result)
  } else if (operation === 'updateMany' || (operation === 'updateManyAndReturn' && !rows)) {
    addWrite(model, 'update', data, condition, pickScalars(where))
  } else if (operation === 'updateManyAndReturn') {
    for (const row of rows ?? []) addWrite(model, 'update', data, rowCondition(row, data, condition), {}, row)
  } else if (operation === 'deleteMany') addDeletion(model, where, pickScalars(where))
  else if (operation === 'delete') {
    addDeletion(model, rowCondition(result, {}, where), { ...pickScalars(where), ...Object(result) })
  } else addWrite(model, 'update', data, rowCondition(result, data, where), {}, result)
  return changes
}

/** Returns the values of a foreign key to a row, if the row contains the referenced fields. */
function foreignKeyValues(key: ForeignKey, row: PlainObject): PlainObject {
  return Object.fromEntries(Object.entries(key).flatMap(([field, to]) => (isScalar(row[to]) ? [[field, row[to]]] : [])))
}
