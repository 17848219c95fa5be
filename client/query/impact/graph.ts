/** The relations of a schema, as exported by the generated `graph.ts`. */
export type Graph = Readonly<Record<string, GraphModel>>

/** A model in the graph. */
export interface GraphModel {
  /** Exposed relation → target model. */
  readonly relations: Readonly<Record<string, string>>
  /** Relation → its foreign key, or the name of its inverse relation. */
  readonly keys: Readonly<Record<string, string | ForeignKey>>
  /** The id fields. Default: `id`. */
  readonly id?: readonly string[]
  /** Fields that a write can change even if its data does not contain them, such as an `@updatedAt` field. */
  readonly touches?: readonly string[]
  /** Models whose rows are deleted together with a row of this model. */
  readonly deletes?: readonly string[]
  /** Models whose foreign key is set to null or its default when a row of this model is deleted. */
  readonly detaches?: readonly string[]
}

/** Foreign key field → referenced field. */
export type ForeignKey = Readonly<Record<string, string>>

/** How a relation is stored: in a foreign key of this model or of the target model, or in a join table. Undefined if unknown. */
export type RelationKey =
  { readonly local: ForeignKey } | { readonly inverse: ForeignKey } | { readonly between: string } | undefined

/** A relation of a model. */
export interface Relation {
  readonly target: string
  readonly via: RelationKey
}

/** Returns a model's relation by name, or undefined if the model has no such relation. */
export function getRelation(graph: Graph, model: string, name: string): Relation | undefined {
  const entry = graph[model]
  if (!entry || !Object.hasOwn(entry.relations, name)) return undefined
  const target = entry.relations[name] ?? ''
  const key = entry.keys[name]
  if (typeof key === 'object') return { target, via: { local: key } }
  const inverse = key === undefined ? undefined : graph[target]?.keys[key]
  return {
    target,
    via: typeof inverse === 'object' ? { inverse } : inverse && key ? { between: key } : undefined,
  }
}

/** Returns the id fields of a model. */
export function idFields(graph: Graph, model: string): readonly string[] {
  return graph[model]?.id ?? ['id']
}

/** An object with named properties: a row or arguments. */
export type PlainObject = Readonly<Record<string, unknown>>

/** Whether a value is an object with named properties, and not an array or a scalar such as a Date, Bytes or a Decimal. */
export function isPlainObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isValue(value)
}

/** Wraps a single value in an array. Returns an empty array for undefined. */
export function toArray(value: unknown): readonly unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}

function isValue(value: object): boolean {
  return value instanceof Date || ArrayBuffer.isView(value) || 'toFixed' in value
}

/** Whether a value is a column value or null, and not undefined, an array or a {@link PlainObject}. */
export function isScalar(value: unknown): boolean {
  return value !== undefined && !isPlainObject(value) && !Array.isArray(value)
}

/** Picks properties of an object. Returns undefined unless all of them are scalars. */
export function pickAll(row: PlainObject, names: readonly string[]): PlainObject | undefined {
  return names.every((name) => isScalar(row[name]))
    ? Object.fromEntries(names.map((name) => [name, row[name]]))
    : undefined
}

/** Returns the field values that rows must have to meet a condition. */
export function pickScalars(where: unknown): PlainObject {
  return Object.fromEntries(Object.entries(Object(where)).filter(([, value]) => isScalar(value)))
}
