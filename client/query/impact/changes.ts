import {
  type ForeignKey,
  type Graph,
  idFields,
  isMembers,
  isScalar,
  toArray,
  type Members,
  pickAll,
  getRelation,
  scalarsIn,
} from './graph.js'

/** What a write does to rows of one model. */
export interface Change {
  readonly model: string
  /** `any` where nothing is known but that it may be anything. */
  readonly kind: 'create' | 'update' | 'delete' | 'any'
  /** A condition that all of these rows met before; undefined where they may be any. */
  readonly where?: unknown
  /** The id of the row, where it is known that it is one. */
  readonly id?: Members | undefined
  /** What is known of a row: after the write, or of one that is deleted, before it. */
  readonly row: Members
  /** The fields, and the relations kept by rows of a table between, that it may change. Undefined where these are all. */
  readonly names?: Set<string> | undefined
}

/**
 * Finds what a write does, by its arguments and the nested writes in them, by what the database does with rows that refer to deleted
 * ones, and by the result, where there is one.
 */
export function findChanges(
  graph: Graph,
  model: string,
  operation: string,
  args: Members,
  result?: unknown,
): readonly Change[] {
  const changes: Change[] = []

  /** A row that is made or changed. `row` is filled with what is known of it. */
  const write = (
    model: string,
    kind: 'create' | 'update',
    data: unknown,
    where: unknown,
    known: Members,
    result?: unknown,
  ): void => {
    if (!isMembers(data)) return
    const row: Record<string, unknown> = { ...(kind === 'create' && alone(model, data)), ...known }
    const names = new Set(graph[model]?.sets)
    const nested: (() => void)[] = []
    for (const [name, value] of Object.entries(data)) {
      if (value === undefined) continue
      const relation = getRelation(graph, model, name)
      if (relation) {
        // Another relation without this one may have told of a field of both.
        if (relation.kept && 'own' in relation.kept)
          for (const field of Object.keys(relation.kept.own)) delete row[field]
        nested.push(() => nest(model, name, value, row, names))
      } else {
        names.add(name)
        delete row[name]
        const set = isMembers(value) ? value['set'] : value
        if (isScalar(set)) row[name] = set
      }
    }
    const id = pickAll(Object(where), idFields(graph, model))
    changes.push({ model, kind, where, id, row, names })
    if (isMembers(result)) {
      for (const [name, value] of Object.entries(result))
        if (name !== '_count' && !getRelation(graph, model, name)) row[name] = value
    }
    for (const each of nested) each()
    if (kind === 'update') moved(model, names)
  }

  /** What is known of a new row by the relations that it is not given. */
  const alone = (model: string, data: Members): Members => {
    const { relations = {}, sets = [] } = graph[model] ?? {}
    const row: Record<string, unknown> = {}
    for (const name of Object.keys(relations)) {
      const kept = getRelation(graph, model, name)?.kept
      if (!kept || data[name] !== undefined) continue
      if (!('own' in kept)) row[name] = []
      else for (const field of Object.keys(kept.own)) if (!sets.includes(field)) row[field] = null
    }
    return row
  }

  /** What a nested write does to this row, and to others. */
  const nest = (
    model: string,
    name: string,
    writes: unknown,
    row: Record<string, unknown>,
    names: Set<string>,
  ): void => {
    const relation = getRelation(graph, model, name)
    if (!relation || !isMembers(writes)) return
    const { target, kept } = relation
    if (!kept) {
      changes.push({ model: target, kind: 'any', row: {} }, { model, kind: 'any', row: {} })
      return
    }
    // What is known of a related row: those that have a foreign key to this one have it before and after.
    const key = 'other' in kept ? known(kept.other, row) : {}
    const link = (where: unknown, after: Members): void => {
      const fields =
        'other' in kept
          ? [...Object.keys(kept.other), ...(graph[target]?.sets ?? [])]
          : 'between' in kept
            ? [kept.between]
            : []
      if (fields.length > 0) changes.push({ model: target, kind: 'update', where, row: after, names: new Set(fields) })
    }
    for (const [action, value] of Object.entries(writes)) {
      if (value === undefined) continue
      if (!action.startsWith('update')) {
        if ('own' in kept) for (const field of Object.keys(kept.own)) names.add(field)
        else if ('between' in kept) names.add(name)
      }
      for (const each of toArray(value)) {
        const { where = each, data = each, create, update } = isMembers(each) ? each : {}
        const those =
          where === true ? key : 'other' in kept && !action.startsWith('connect') ? { AND: [where, key] } : where
        if (action === 'create') write(target, 'create', each, undefined, key)
        else if (action === 'createMany') for (const one of toArray(data)) write(target, 'create', one, undefined, key)
        else if (action === 'connect') {
          // What the server says of it comes first.
          if ('own' in kept && isMembers(each)) Object.assign(row, { ...known(kept.own, each), ...row })
          link(where, key)
        } else if (action === 'connectOrCreate') {
          write(target, 'create', create, undefined, key)
          link(where, key)
        } else if (action === 'set') {
          link(where, key)
        } else if (action === 'disconnect') link(those, {})
        else if (action === 'update' || action === 'updateMany') {
          // Of one row, the condition may be left out, and the data stands alone.
          const alone = isMembers(each) && !('data' in each)
          write(target, 'update', data, alone ? ('other' in kept ? key : undefined) : those, {})
        } else if (action === 'upsert') {
          write(target, 'create', create, undefined, key)
          write(
            target,
            'update',
            update,
            isMembers(each) && 'where' in each ? those : 'other' in kept ? key : undefined,
            {},
          )
        } else remove(target, those === false ? undefined : those, {})
      }
      // Those that are not named any more.
      if (action === 'set') link('other' in kept ? key : undefined, {})
    }
  }

  /** Rows that are deleted, with what the database does with those that refer to them. */
  const remove = (model: string, where: unknown, row: Members, seen: readonly string[] = []): void => {
    changes.push({ model, kind: 'delete', where, row })
    const { deletes = [], changes: loses = [] } = graph[model] ?? {}
    for (const [other, { relations }] of Object.entries(graph)) {
      for (const name of Object.keys(relations)) {
        const relation = getRelation(graph, other, name)
        if (relation?.target !== model || (relation.kept && !('own' in relation.kept))) continue
        const own = relation.kept?.own
        const known = { ...(isMembers(where) && where), ...row }
        const entries = Object.entries(own ?? {}).filter(([, to]) => isScalar(known[to]))
        const those =
          entries.length > 0 ? Object.fromEntries(entries.map(([field, to]) => [field, known[to]])) : undefined
        if (deletes.includes(other) && !seen.includes(other)) remove(other, those, those ?? {}, [...seen, model])
        if (loses.includes(other)) {
          changes.push({ model: other, kind: 'update', where: those, row: {}, names: own && new Set(Object.keys(own)) })
        }
      }
    }
  }

  /** Where a row has another id, the rows that refer to it have another foreign key. */
  const moved = (model: string, names: ReadonlySet<string>): void => {
    for (const [other, { relations }] of Object.entries(graph)) {
      for (const name of Object.keys(relations)) {
        const relation = getRelation(graph, other, name)
        if (relation?.target !== model || !relation.kept || !('own' in relation.kept)) continue
        const { own } = relation.kept
        if (Object.values(own).some((to) => names.has(to))) {
          changes.push({ model: other, kind: 'update', row: {}, names: new Set(Object.keys(own)) })
        }
      }
    }
  }

  const { where, data, create, update } = args
  const rows = Array.isArray(result) ? result.filter(isMembers) : undefined
  const id = idFields(graph, model)
  /** The condition of one row: what was said of it, and its id, unless that is what changes. */
  const identity = (row: unknown, data: unknown, where: unknown): Members => ({
    ...Object(where),
    ...(id.some((name) => name in Object(data)) ? {} : pickAll(Object(row), id)),
  })
  // Of many rows: that a row meets it does not say that it is the only one.
  const those = { AND: [where] }

  if (isMembers(result) && Object.keys(result).length === 1 && result['count'] === 0 && operation.endsWith('Many'))
    return []
  if (operation === 'create') write(model, 'create', data, undefined, {}, result)
  else if (operation.startsWith('createMany')) {
    if (rows) for (const row of rows) write(model, 'create', {}, undefined, {}, row)
    else for (const row of toArray(data)) write(model, 'create', row, undefined, {})
  } else if (operation === 'upsert') {
    write(model, 'create', create, identity(result, {}, undefined), {}, result)
    write(model, 'update', update, identity(result, update, where), {}, result)
  } else if (operation === 'updateMany' || (operation === 'updateManyAndReturn' && !rows)) {
    write(model, 'update', data, those, scalarsIn(where))
  } else if (operation === 'updateManyAndReturn') {
    for (const row of rows ?? []) write(model, 'update', data, identity(row, data, those), {}, row)
  } else if (operation === 'deleteMany') remove(model, where, scalarsIn(where))
  else if (operation === 'delete') {
    remove(model, identity(result, {}, where), { ...scalarsIn(where), ...Object(result) })
  } else write(model, 'update', data, identity(result, data, where), {}, result)
  return changes
}

/** The values of a foreign key to a row, as far as it shows what they refer to. */
function known(key: ForeignKey, row: Members): Members {
  return Object.fromEntries(Object.entries(key).flatMap(([field, to]) => (isScalar(row[to]) ? [[field, row[to]]] : [])))
}
