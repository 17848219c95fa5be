/** How the rows of a schema hang together: what the emitted `graph.ts` exports. */
export type Graph = Readonly<Record<string, GraphModel>>

/** What the graph says of a model. */
export interface GraphModel {
  /** The relations on the wire, and the model that each leads to. */
  readonly relations: Readonly<Record<string, string>>
  /** How each is kept: the fields of its foreign key and what they refer to, or the name of the relation at its other end. */
  readonly by: Readonly<Record<string, string | ForeignKey>>
  /** The fields that identify a row, where that is not `id` alone. */
  readonly id?: readonly string[]
  /** The fields that a write may change without being told to. */
  readonly sets?: readonly string[]
  /** The models of which rows go along with a row that is deleted. */
  readonly deletes?: readonly string[]
  /** The models of which rows lose their foreign key to it. */
  readonly changes?: readonly string[]
}

/** The fields of a foreign key, each with the one that it refers to. */
export type ForeignKey = Readonly<Record<string, string>>

/** How a relation is kept: by a key of this model, of the other one, by rows of a table between them, or that is not known. */
export type RelationStorage =
  { readonly own: ForeignKey } | { readonly other: ForeignKey } | { readonly between: string } | undefined

/** A relation of a model. */
export interface Relation {
  readonly target: string
  readonly kept: RelationStorage
}

/** The relation of a model with a name; undefined where that is none. */
export function getRelation(graph: Graph, model: string, name: string): Relation | undefined {
  const entry = graph[model]
  if (!entry || !Object.hasOwn(entry.relations, name)) return undefined
  const target = entry.relations[name] ?? ''
  const by = entry.by[name]
  if (typeof by === 'object') return { target, kept: { own: by } }
  const there = by === undefined ? undefined : graph[target]?.by[by]
  return { target, kept: typeof there === 'object' ? { other: there } : there && by ? { between: by } : undefined }
}

/** The fields that identify a row of a model. */
export function idFields(graph: Graph, model: string): readonly string[] {
  return graph[model]?.id ?? ['id']
}

/** Something with members: a row, or arguments. */
export type Members = Readonly<Record<string, unknown>>

/** Whether something has members; a Date and the like have none of interest. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isValue(value)
}

/** A single element, or a list of them, as a list. */
export function toArray(value: unknown): readonly unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

function isValue(value: object): boolean {
  return value instanceof Date || ArrayBuffer.isView(value) || 'toFixed' in value
}

/** The value of a column as far as it is known: null and what has no members. */
export function isScalar(value: unknown): boolean {
  return value !== undefined && !isMembers(value) && !Array.isArray(value)
}

/** Some members of an object; undefined unless it has them all. */
export function pickAll(row: Members, names: readonly string[]): Members | undefined {
  return names.every((name) => isScalar(row[name]))
    ? Object.fromEntries(names.map((name) => [name, row[name]]))
    : undefined
}

/** What a condition says of the rows that meet it. */
export function scalarsIn(where: unknown): Members {
  return Object.fromEntries(Object.entries(Object(where)).filter(([, value]) => isScalar(value)))
}
