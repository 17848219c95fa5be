import { type Graph, isPlainObject, toArray, type PlainObject, getRelation, pickScalars } from './graph.js'

/** A set of rows of one model that a query depends on: the rows that it shows, or rows that it uses to filter, sort or count others. */
export interface Dependency {
  readonly model: string
  /** Conditions that all of these rows meet. */
  readonly where: readonly unknown[]
  /** The fields that determine which rows are in the set, and their order. */
  readonly names: Set<string>
  /** Fields that the query depends on in addition to the visible ones. */
  readonly reads: Set<string>
  /** The visible rows. Undefined if they are not part of the data. */
  readonly visible: readonly PlainObject[] | undefined
  /** The page size, the sort order, and whether rows are skipped before the page. */
  readonly take?: number | undefined
  readonly orderBy?: unknown
  readonly offset?: boolean
  /** Whether a new row may belong to the set. */
  readonly grows: boolean
  /** Whether a deleted row may have belonged to the set if it was not visible. */
  readonly shrinks: boolean
  /** Whether any change to rows of the model may matter. */
  readonly any?: boolean
}

type DependencyOptions = Pick<Dependency, 'grows' | 'shrinks'> & {
  readonly where?: unknown
  readonly names?: readonly string[]
}

/**
 * Finds all sets of rows that a read depends on.
 * @param visible the rows of its result
 */
export function findDependencies(
  graph: Graph,
  model: string,
  operation: string,
  args: PlainObject,
  visible: readonly PlainObject[] | undefined,
): readonly Dependency[] {
  const dependencies: Dependency[] = []

  /** Adds a relation that filters, sorts or counts rows. Its rows are not visible. */
  const addRelation = (
    from: Dependency,
    name: string,
    selection: unknown,
    where?: unknown,
    key?: PlainObject,
  ): void => {
    const relation = getRelation(graph, from.model, name)
    if (!relation) return
    const { target, via } = relation
    if (via && 'local' in via) {
      for (const field of Object.keys(via.local)) from.names.add(field)
      addHiddenRows(target, selection, { grows: false, shrinks: false })
    } else if (via && 'inverse' in via) {
      const names = Object.keys(via.inverse)
      addHiddenRows(target, selection, {
        grows: true,
        shrinks: true,
        where: key ? { AND: [where ?? {}, key] } : where,
        names,
      })
    } else if (via) {
      from.names.add(name)
      addHiddenRows(target, selection, { grows: false, shrinks: true, where })
    } else {
      from.names.add(name)
      dependencies.push({ ...createDependency(target, { grows: true, shrinks: true }), any: true })
    }
  }

  /** Adds rows that the query depends on but does not show. */
  const addHiddenRows = (model: string, input: unknown, options: DependencyOptions): void => {
    const dependency = createDependency(model, options)
    dependencies.push(dependency)
    scan(dependency, input)
  }

  /** Adds the fields and relations in a condition, a sort order or a list of names. */
  const scan = (dependency: Dependency, input: unknown): void => {
    if (typeof input === 'string') dependency.names.add(input)
    else if (Array.isArray(input)) for (const element of input) scan(dependency, element)
    else if (isPlainObject(input)) {
      for (const [key, value] of Object.entries(input)) {
        if (value === undefined) continue
        if (getRelation(graph, dependency.model, key)) {
          // Only rows that match the inner condition can change the result of `some` or `none`.
          const condition =
            isPlainObject(value) && Object.keys(value).length === 1 ? (value['some'] ?? value['none']) : undefined
          addRelation(dependency, key, value, condition)
        } else {
          // `settings.theme` is a path into a Json field.
          dependency.names.add(key.replace(/\..*/, ''))
          scan(dependency, value)
        }
      }
    }
  }

  /** Adds the selected relations of visible rows. */
  const addSelected = (dependency: Dependency, args: PlainObject): void => {
    const selection = args['select'] ?? args['include']
    if (!isPlainObject(selection)) return
    for (const [name, value] of Object.entries(selection)) {
      if (!value) continue
      const nested = isPlainObject(value) ? value : {}
      if (name === '_count') addCounts(dependency, nested['select'])
      else if (getRelation(graph, dependency.model, name)) addIncluded(dependency, name, nested)
    }
  }

  const addIncluded = (dependency: Dependency, name: string, args: PlainObject): void => {
    const relation = getRelation(graph, dependency.model, name)
    if (!relation) return
    const { target, via } = relation
    if (!dependency.visible || !via) {
      dependency.reads.add(name)
      addVisibleRows(target, args, undefined, { grows: true, shrinks: true })
      return
    }
    const all = dependency.visible.flatMap((row) => toRows(row[name]))
    if ('local' in via) {
      for (const field of Object.keys(via.local)) dependency.reads.add(field)
      addVisibleRows(target, args, all, { grows: false, shrinks: false })
    } else if ('inverse' in via) {
      const names = Object.keys(via.inverse)
      for (const row of dependency.visible) {
        addVisibleRows(target, args, toRows(row[name]), {
          grows: true,
          shrinks: false,
          where: toKeyCondition(via.inverse, row),
          names,
        })
      }
    } else {
      dependency.reads.add(name)
      // The related rows of all visible rows are merged here, so the end of each row's page is unknown.
      const isLimited = args['take'] !== undefined || args['skip'] !== undefined || args['cursor'] !== undefined
      addVisibleRows(target, { ...args, take: undefined, ...(isLimited && { skip: 1 }) }, all, {
        grows: false,
        shrinks: false,
      })
    }
  }

  const addCounts = (dependency: Dependency, selection: unknown): void => {
    const names = isPlainObject(selection) ? selection : (graph[dependency.model]?.relations ?? {})
    for (const [name, value] of Object.entries(names)) {
      const relation = getRelation(graph, dependency.model, name)
      if (!relation || !value) continue
      const where = isPlainObject(value) ? value['where'] : undefined
      const { via } = relation
      if (dependency.visible && via && 'inverse' in via) {
        for (const row of dependency.visible)
          addRelation(dependency, name, where, where, toKeyCondition(via.inverse, row))
      } else {
        dependency.reads.add(name)
        addRelation({ ...dependency, names: dependency.reads }, name, where, where)
      }
    }
  }

  /** Adds visible rows, the relations selected in them, and the fields in their conditions. */
  const addVisibleRows = (
    model: string,
    args: PlainObject,
    visible: readonly PlainObject[] | undefined,
    options: DependencyOptions,
  ): void => {
    const { where, orderBy, distinct, cursor, take, skip } = args
    const dependency: Dependency = {
      ...createDependency(model, options),
      where: [options.where, where],
      visible: visible?.map((row) => ({ ...pickScalars(where), ...row })),
      any: !visible,
      take: typeof take === 'number' ? take : undefined,
      orderBy,
      offset: Boolean(skip) || cursor !== undefined || Number(take) < 0,
    }
    dependencies.push(dependency)
    scan(dependency, [where, orderBy, distinct, cursor])
    addSelected(dependency, args)
  }

  if (/^find(Unique|First|Many)/.test(operation)) {
    const take = operation.startsWith('findFirst') ? { take: Number(args['take']) < 0 ? -1 : 1 } : undefined
    const grows = !operation.startsWith('findUnique') || visible?.length === 0
    addVisibleRows(model, { ...args, ...take }, visible, { grows, shrinks: false })
  } else if (operation === 'check') {
    dependencies.push({ ...createDependency(model, { grows: true, shrinks: true }), any: true })
  } else {
    const { where, ...options } = args
    addHiddenRows(model, [where, Object.values(options)], { grows: true, shrinks: true, where })
  }
  return dependencies
}

function createDependency(model: string, { where, names = [], grows, shrinks }: DependencyOptions): Dependency {
  return { model, where: [where], names: new Set(names), reads: new Set(), visible: undefined, grows, shrinks }
}

/** Returns the condition for rows that refer to a row, from the values that the row contains. */
function toKeyCondition(key: Readonly<Record<string, string>>, row: PlainObject): PlainObject {
  return Object.fromEntries(Object.entries(key).map(([field, to]) => [field, row[to]]))
}

/** Returns the rows in a part of a result. */
export function toRows(data: unknown): readonly PlainObject[] {
  return toArray(data).filter(isPlainObject)
}
