import { type Field, type Operation, type Relation, type Resource, getUniques } from './resource.js'
import { type Version, getVersion } from './version.js'

/**
 * A schema's resources, made ready for look-up once, when a handler is made. Only what is on the wire can be found here:
 * a hidden name and a name that never existed are the same thing to everything that reads a {@link Schema}.
 */
export type Schema = ReadonlyMap<string, Model>

/** One model on the wire. */
export interface Model {
  /** The model's name in the Prisma schema. */
  readonly name: string
  /** The schema's comment on it. */
  readonly description?: string
  /** The schema's comments on its fields and relations, by their names. */
  readonly descriptions: Readonly<Record<string, string>>
  /** The name of its delegate on the Prisma client. */
  readonly delegate: string
  /** The name of the unique criterion that identifies a row: a key of `uniques`. */
  readonly id: string
  /** Unique criteria: name in Prisma's `where` → fields, in order. */
  readonly uniques: ReadonlyMap<string, readonly string[]>
  /** Scalar fields, in schema order, write-only ones included. */
  readonly fields: ReadonlyMap<string, Field>
  /** Fields that are not written: read-only ones, those that the server sets, and those that hold a read-only relation, whether it is on the wire or not. */
  readonly readOnly: ReadonlySet<string>
  /** Fields that a new row has to be given, foreign keys included: a relation may stand for them. */
  readonly required: ReadonlySet<string>
  /** Relations that a new row has to be given, because nothing else on the wire can stand for their foreign keys. */
  readonly requiredRelations: ReadonlySet<string>
  /**
   * What a new row must have and no caller can give, by the names that the client calls it when it lacks: fields, and the relations
   * of such foreign keys. A client extension has to fill them in.
   */
  readonly withheld: ReadonlyMap<string, string>
  /** Relations to models that are on the wire, in schema order. */
  readonly relations: ReadonlyMap<string, ModelRelation>
  /** Fields that are never read: hidden and write-only ones, in Prisma's `omit` form. Undefined where there are none. */
  readonly omit: Readonly<Record<string, true>> | undefined
  /** Computed fields of the client that are on the wire: read and selected, and nothing else. */
  readonly computed: ReadonlySet<string>
  /** The field that tells the revisions of a row apart; undefined where there is none. */
  readonly version: Version | undefined
  /** What may be done with the model. */
  readonly operations: ReadonlySet<Operation>
}

/** The fields that a row's own id consists of, in order. */
export function idFields({ uniques, id }: Model): readonly string[] {
  return uniques.get(id) ?? NONE
}

const NONE: readonly string[] = []

/** A relation, with the model at its other end. */
export interface ModelRelation extends Relation {
  readonly target: Model
  /** The fields of its foreign key that may be empty, where this side holds it: without one, the relation cannot be emptied. */
  readonly nullableKeys: readonly string[]
  /** The relation at the other end, which `inverse` names. It may be hidden, and is here for its rules only. */
  readonly back?: Relation
}

const ALL_OPERATIONS: readonly Operation[] = ['list', 'get', 'create', 'update', 'delete']

/**
 * Makes resources ready for look-up.
 * @param resources all resources that a handler serves
 * @param completes whether the app may give rows of a model, when they are created, what their callers do not
 * @param computed names of computed fields to expose, by model
 */
export function compileSchema(
  resources: Iterable<Resource>,
  completes: (model: string) => boolean = () => false,
  computed: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
): Schema {
  const schema = new Map<string, Model & { relations: Map<string, ModelRelation> }>()
  const all = [...resources]
  for (const resource of all) {
    const fields = Object.entries(resource.fields)
    const unread = fields.filter(([, field]) => field.hidden || field.writeOnly)
    const readOnly = readOnlyFields(resource)
    const mayLack = completes(resource.model)
    const required = fields.filter(([name, field]) => !field.hidden && !readOnly.has(name) && isRequiredOnCreate(field))
    schema.set(resource.model, {
      name: resource.model,
      ...(resource.description !== undefined && { description: resource.description }),
      descriptions: resource.descriptions ?? {},
      delegate: resource.delegate,
      id: resource.id,
      uniques: new Map(Object.entries(getUniques(resource))),
      fields: new Map(fields.filter(([, field]) => !field.hidden)),
      readOnly,
      required: new Set(mayLack ? [] : required.map(([name]) => name)),
      requiredRelations: new Set(mayLack ? [] : requiredRelations(resource, readOnly)),
      withheld: withheldFields(resource, readOnly),
      relations: new Map(),
      omit: unread.length > 0 ? Object.fromEntries(unread.map(([name]) => [name, true as const])) : undefined,
      computed: computed.get(resource.model) ?? new Set(),
      version: getVersion(resource),
      operations: new Set(resource.operations ?? ALL_OPERATIONS),
    })
  }
  const raw = new Map(all.map((resource) => [resource.model, resource.relations]))
  for (const resource of all) {
    const relations = schema.get(resource.model)?.relations
    for (const [name, relation] of Object.entries(resource.relations)) {
      const target = schema.get(relation.model)
      if (!target || relation.hidden) continue
      const back = relation.inverse === undefined ? undefined : raw.get(relation.model)?.[relation.inverse]
      const key = Object.keys(relation.foreignKey ?? {})
      const nullableKeys = key.filter((field) => resource.fields[field]?.optional)
      relations?.set(name, { ...relation, target, nullableKeys, ...(back && { back }) })
    }
  }
  return schema
}

/** Whether a row cannot be created without a value of a field. */
export function isRequiredOnCreate(field: Field): boolean {
  const { optional, default: literal, hasDefault, updatedAt, generated, list } = field
  return !optional && literal === undefined && !hasDefault && !updatedAt && !generated && !list
}

function requiredRelations({ fields, relations }: Resource, unwritten: ReadonlySet<string>): readonly string[] {
  return Object.entries(relations).flatMap(([name, { foreignKey, hidden }]) => {
    if (!foreignKey || hidden) return []
    const isRequired = (part: string) => {
      const field = fields[part]
      return field?.hidden && isRequiredOnCreate(field) && !unwritten.has(part)
    }
    return Object.keys(foreignKey).every(isRequired) ? [name] : []
  })
}

function withheldFields({ fields, relations }: Resource, readOnly: ReadonlySet<string>): ReadonlyMap<string, string> {
  const withheld = new Map<string, string>()
  const keys = Object.entries(relations).flatMap(([name, relation]) =>
    relation.foreignKey ? [{ name, ...relation }] : [],
  )
  for (const [name, field] of Object.entries(fields)) {
    if (!isRequiredOnCreate(field) || !(field.hidden || readOnly.has(name))) continue
    const held = keys.filter(({ foreignKey = {} }) => Object.hasOwn(foreignKey, name))
    const isWritten = (key: (typeof keys)[number]) => {
      return !key.hidden && !key.readOnly && !Object.keys(key.foreignKey ?? {}).some((part) => readOnly.has(part))
    }
    if (held.some(isWritten)) continue
    for (const called of [name, ...held.map((key) => key.name)]) withheld.set(called, name)
  }
  return withheld
}

function readOnlyFields({ fields, relations }: Resource): ReadonlySet<string> {
  const own = Object.entries(fields).flatMap(([name, { readOnly, version, serverSet }]) =>
    readOnly || version || serverSet ? [name] : [],
  )
  const keys = Object.values(relations).flatMap(({ readOnly, foreignKey = {} }) =>
    readOnly ? Object.keys(foreignKey) : [],
  )
  return new Set([...own, ...keys])
}

/** Whether a foreign key may not be written, because one of its fields may not. It may share that field with another relation. */
export function isReadOnlyKey({ readOnly }: Model, foreignKey: Readonly<Record<string, string>>): boolean {
  return Object.keys(foreignKey).some((name) => readOnly.has(name))
}
