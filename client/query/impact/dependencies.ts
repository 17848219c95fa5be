import { type Graph, isMembers, toArray, type Members, getRelation, scalarsIn } from './graph.js'

/** A place in a query where rows of a model matter: those that it shows, or those that it looks at to find, order or count others. */
export interface Dependency {
  readonly model: string
  /** The conditions that all of them meet. */
  readonly where: readonly unknown[]
  /** The fields that tell which rows these are, and in what order. */
  readonly names: Set<string>
  /** The fields of a shown row that matter beside those that it shows. */
  readonly reads: Set<string>
  /** The rows that it shows; undefined where they cannot be seen. */
  readonly shown: readonly Members[] | undefined
  /** What is cut out of the rows: how many, in what order, and whether some before them are left out. */
  readonly take?: number | undefined
  readonly orderBy?: unknown
  readonly offset?: boolean
  /** Whether a row that is made may be one of them. */
  readonly grows: boolean
  /** Whether a row that cannot be seen and is deleted may have been one of them. */
  readonly shrinks: boolean
  /** Whether any change of a row of the model may matter. */
  readonly any?: boolean
}

type Hidden = Pick<Dependency, 'grows' | 'shrinks'> & { readonly where?: unknown; readonly names?: readonly string[] }

/**
 * Finds all places of a read.
 * @param shown the rows that it gave
 */
export function findDependencies(
  graph: Graph,
  model: string,
  operation: string,
  args: Members,
  shown: readonly Members[] | undefined,
): readonly Dependency[] {
  const places: Dependency[] = []

  /** A relation by which rows are found, ordered or counted. Its rows are not seen. */
  const through = (from: Dependency, name: string, within: unknown, where?: unknown, key?: Members): void => {
    const relation = getRelation(graph, from.model, name)
    if (!relation) return
    const { target, kept } = relation
    if (kept && 'own' in kept) {
      for (const field of Object.keys(kept.own)) from.names.add(field)
      look(target, within, { grows: false, shrinks: false })
    } else if (kept && 'other' in kept) {
      const names = Object.keys(kept.other)
      look(target, within, { grows: true, shrinks: true, where: key ? { AND: [where ?? {}, key] } : where, names })
    } else if (kept) {
      from.names.add(name)
      look(target, within, { grows: false, shrinks: true, where })
    } else {
      from.names.add(name)
      places.push({ ...hidden(target, { grows: true, shrinks: true }), any: true })
    }
  }

  /** Rows that are looked at and not seen. */
  const look = (model: string, within: unknown, how: Hidden): void => {
    const place = hidden(model, how)
    places.push(place)
    scan(place, within)
  }

  /** The fields and relations in a condition, an order, or a list of names. */
  const scan = (place: Dependency, within: unknown): void => {
    if (typeof within === 'string') place.names.add(within)
    else if (Array.isArray(within)) for (const each of within) scan(place, each)
    else if (isMembers(within)) {
      for (const [key, value] of Object.entries(within)) {
        if (value === undefined) continue
        if (getRelation(graph, place.model, key)) {
          // What is true of some or of none of them is not made so by others.
          const some =
            isMembers(value) && Object.keys(value).length === 1 ? (value['some'] ?? value['none']) : undefined
          through(place, key, value, some)
        } else {
          // `settings.theme` is a path into a Json field.
          place.names.add(key.replace(/\..*/, ''))
          scan(place, value)
        }
      }
    }
  }

  /** What is selected of rows that are shown. */
  const select = (place: Dependency, args: Members): void => {
    const selection = args['select'] ?? args['include']
    if (!isMembers(selection)) return
    for (const [name, value] of Object.entries(selection)) {
      if (!value) continue
      const nested = isMembers(value) ? value : {}
      if (name === '_count') count(place, nested['select'])
      else if (getRelation(graph, place.model, name)) include(place, name, nested)
    }
  }

  const include = (place: Dependency, name: string, args: Members): void => {
    const relation = getRelation(graph, place.model, name)
    if (!relation) return
    const { target, kept } = relation
    if (!place.shown || !kept) {
      place.reads.add(name)
      rows(target, args, undefined, { grows: true, shrinks: true })
      return
    }
    const all = place.shown.flatMap((row) => rowsIn(row[name]))
    if ('own' in kept) {
      for (const field of Object.keys(kept.own)) place.reads.add(field)
      rows(target, args, all, { grows: false, shrinks: false })
    } else if ('other' in kept) {
      const names = Object.keys(kept.other)
      for (const row of place.shown) {
        rows(target, args, rowsIn(row[name]), { grows: true, shrinks: false, where: keyTo(kept.other, row), names })
      }
    } else {
      place.reads.add(name)
      // Of many rows that are shown here, each has its own: where one ends is not known.
      const cut = args['take'] !== undefined || args['skip'] !== undefined || args['cursor'] !== undefined
      rows(target, { ...args, take: undefined, ...(cut && { skip: 1 }) }, all, { grows: false, shrinks: false })
    }
  }

  const count = (place: Dependency, selection: unknown): void => {
    const names = isMembers(selection) ? selection : (graph[place.model]?.relations ?? {})
    for (const [name, value] of Object.entries(names)) {
      const relation = getRelation(graph, place.model, name)
      if (!relation || !value) continue
      const where = isMembers(value) ? value['where'] : undefined
      const { kept } = relation
      if (place.shown && kept && 'other' in kept) {
        for (const row of place.shown) through(place, name, where, where, keyTo(kept.other, row))
      } else {
        place.reads.add(name)
        through({ ...place, names: place.reads }, name, where, where)
      }
    }
  }

  /** Rows that are shown, with what is selected of them, and what their conditions say. */
  const rows = (model: string, args: Members, shown: readonly Members[] | undefined, how: Hidden): void => {
    const { where, orderBy, distinct, cursor, take, skip } = args
    const place: Dependency = {
      ...hidden(model, how),
      where: [how.where, where],
      shown: shown?.map((row) => ({ ...scalarsIn(where), ...row })),
      any: !shown,
      take: typeof take === 'number' ? take : undefined,
      orderBy,
      offset: Boolean(skip) || cursor !== undefined || Number(take) < 0,
    }
    places.push(place)
    scan(place, [where, orderBy, distinct, cursor])
    select(place, args)
  }

  if (/^find(Unique|First|Many)/.test(operation)) {
    const take = operation.startsWith('findFirst') ? { take: Number(args['take']) < 0 ? -1 : 1 } : undefined
    const grows = !operation.startsWith('findUnique') || shown?.length === 0
    rows(model, { ...args, ...take }, shown, { grows, shrinks: false })
  } else if (operation === 'check') {
    places.push({ ...hidden(model, { grows: true, shrinks: true }), any: true })
  } else {
    const { where, ...others } = args
    look(model, [where, Object.values(others)], { grows: true, shrinks: true, where })
  }
  return places
}

function hidden(model: string, { where, names = [], grows, shrinks }: Hidden): Dependency {
  return { model, where: [where], names: new Set(names), reads: new Set(), shown: undefined, grows, shrinks }
}

/** The condition that rows have which refer to a row, as far as it shows what they refer to. */
function keyTo(key: Readonly<Record<string, string>>, row: Members): Members {
  return Object.fromEntries(Object.entries(key).map(([field, to]) => [field, row[to]]))
}

/** The rows in a part of a result. */
export function rowsIn(data: unknown): readonly Members[] {
  return toArray(data).filter(isMembers)
}
