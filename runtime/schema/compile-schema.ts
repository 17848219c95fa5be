import { type Field, type Operation, type Relation, type Resource, getUniques } from './resource.js'
import { type Version, getVersion } from './version-field.js'

/**
 * A schema's resources, indexed when a handler is created. Contains only exposed names, so hidden names and names that never existed cannot
 * be distinguished.
 */
export type Schema = ReadonlyMap<string, Model>

/** An exposed model. */
export interface Model {
  /** The model's name in the Prisma schema. */
  readonly name: string
  /** The schema's comment on the model. */
  readonly description?: string
  /** The schema's comments on fields and relations, by name. */
  readonly descriptions: Readonly<Record<string, string>>
  /** The name of the delegate on the Prisma client. */
  readonly delegate: string
  /** The name of the unique criterion that identifies a row: a key of `uniques`. */
  readonly id: string
  /** Unique criteria: name in Prisma's `where` → fields, in order. */
  readonly uniques: ReadonlyMap<string, readonly string[]>
  /** Scalar fields, in schema order, including write-only ones. */
  readonly fields: ReadonlyMap<string, Field>
  /** Fields that callers cannot write: read-only and server-set fields, and foreign keys of read-only relations, exposed or not. */
  readonly readOnly: ReadonlySet<string>
  /** Fields required on create, including foreign keys. A relation may replace them. */
  readonly required: ReadonlySet<string>
  /** Relations required on create, because no exposed field can replace their foreign keys. */
  readonly requiredRelations: ReadonlySet<string>
  /**
   * Required values that only the server can set: the name in the client's error message (a field, or a relation with such a foreign key) →
   * the field. A hook or a client extension must set them.
   */
  readonly serverSetFields: ReadonlyMap<string, string>
  /** Relations to exposed models, in schema order. */
  readonly relations: ReadonlyMap<string, ModelRelation>
  /** Fields that are never read (hidden and write-only ones), in Prisma's `omit` form. Undefined if there are none. */
  readonly omit: Readonly<Record<string, true>> | undefined
  /** Exposed computed fields of the client. They can only be read and selected. */
  readonly computed: ReadonlySet<string>
  /** The version field, or undefined if there is none. */
  readonly version: Version | undefined
  /** The allowed operations. */
  readonly operations: ReadonlySet<Operation>
}

/** Returns the fields of a model's id, in order. */
export function idFields({ uniques, id }: Model): readonly string[] {
  return uniques.get(id) ?? NONE
}

const NONE: readonly string[] = []

/** A relation with its target model. */
export interface ModelRelation extends Relation {
  readonly target: Model
  /** The nullable fields of its foreign key, if this side has it. A relation without any cannot be disconnected. */
  readonly nullableKeys: readonly string[]
  /** The relation on the other side, named by `inverse`. It may be hidden and is used only for its rules. */
  readonly inverseRelation?: Relation
}

const ALL_OPERATIONS: readonly Operation[] = ['list', 'get', 'create', 'update', 'delete']

/**
 * Indexes resources for lookup.
 * @param resources all resources of a handler
 * @param addsData whether the app may set values of a model's rows on create that the caller did not set
 * @param computed names of computed fields to expose, by model
 */
export function compileSchema(
  resources: Iterable<Resource>,
  addsData: (model: string) => boolean = () => false,
  computed: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
): Schema {
  const schema = new Map<string, Model & { relations: Map<string, ModelRelation> }>()
  const all = [...resources]
  for (const resource of all) {
    const fields = Object.entries(resource.fields)
    const unreadable = fields.filter(([, field]) => field.hidden || field.writeOnly)
    const readOnly = readOnlyFields(resource)
    const hasHookData = addsData(resource.model)
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
      required: new Set(hasHookData ? [] : required.map(([name]) => name)),
      requiredRelations: new Set(hasHookData ? [] : requiredRelations(resource, readOnly)),
      serverSetFields: findServerSetFields(resource, readOnly),
      relations: new Map(),
      omit: unreadable.length > 0 ? Object.fromEntries(unreadable.map(([name]) => [name, true as const])) : undefined,
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
      const inverseRelation = relation.inverse === undefined ? undefined : raw.get(relation.model)?.[relation.inverse]
      const key = Object.keys(relation.foreignKey ?? {})
      const nullableKeys = key.filter((field) => resource.fields[field]?.optional)
      relations?.set(name, { ...relation, target, nullableKeys, ...(inverseRelation && { inverseRelation }) })
    }
  }
  return schema
}

/** Whether a row cannot be created without a value for a field. */
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

function findServerSetFields(
  { fields, relations }: Resource,
  readOnly: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const serverSetFields = new Map<string, string>()
  const keys = Object.entries(relations).flatMap(([name, relation]) =>
    relation.foreignKey ? [{ name, ...relation }] : [],
  )
  for (const [name, field] of Object.entries(fields)) {
    if (!isRequiredOnCreate(field) || !(field.hidden || readOnly.has(name))) continue
    const keyRelations = keys.filter(({ foreignKey = {} }) => Object.hasOwn(foreignKey, name))
    const isWritten = (key: (typeof keys)[number]) => {
      return !key.hidden && !key.readOnly && !Object.keys(key.foreignKey ?? {}).some((part) => readOnly.has(part))
    }
    if (keyRelations.some(isWritten)) continue
    for (const called of [name, ...keyRelations.map((key) => key.name)]) serverSetFields.set(called, name)
  }
  return serverSetFields
}

function readOnlyFields({ fields, relations }: Resource): ReadonlySet<string> {
  const directFields = Object.entries(fields).flatMap(([name, { readOnly, version, serverSet }]) =>
    readOnly || version || serverSet ? [name] : [],
  )
  const keys = Object.values(relations).flatMap(({ readOnly, foreignKey = {} }) =>
    readOnly ? Object.keys(foreignKey) : [],
  )
  return new Set([...directFields, ...keys])
}

/** Whether a foreign key is read-only because one of its fields is. That field may be shared with another relation. */
export function isReadOnlyKey({ readOnly }: Model, foreignKey: Readonly<Record<string, string>>): boolean {
  return Object.keys(foreignKey).some((name) => readOnly.has(name))
}
