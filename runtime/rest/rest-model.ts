import { type Lockable, toLockable } from '../prisma/transactions/row-lock.js'
import { type Model, type ModelRelation, type Schema, idFields } from '../schema/model.js'
import type { Field, Relation, Resource } from '../schema/resource.js'
import { quoteJson } from '../serialization/write-json.js'
import { type AttributeWriter, attributeWriter } from './document/attribute-writer.js'
import { type IdDefinition, createIdDefinition, type IdValues } from './request/resource-id.js'

/** A model as JSON:API exposes it. Contains everything that depends only on the schema and the options. */
export interface RestModel {
  readonly model: Model
  /** The path name, which is also the `type` of its resources. */
  readonly type: string
  /** URL of the collection. */
  readonly url: string
  readonly id: IdDefinition
  /** The attributes of a resource, by wire name, in schema order. */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Computed fields that are exposed as attributes, by name. They cannot be filtered by, sorted by or written. */
  readonly computed: ReadonlyMap<string, AttributeWriter>
  /** The fields that a body may contain as attributes or that an upsert may use to match a row, by wire name. Includes read-only fields. */
  readonly bodyFields: ReadonlyMap<string, NamedField>
  /** The fields that a create must contain. Linkage can replace a foreign key. */
  readonly required: readonly NamedField[]
  /** The relations, in schema order. */
  readonly relationships: ReadonlyMap<string, Relationship>
  /** The foreign keys that contain each field of this model, by field name. Includes the foreign keys of hidden relations. */
  readonly foreignKeys: ReadonlyMap<string, readonly ForeignKey[]>
  /** The routes that exist. Links are only rendered for existing routes. */
  readonly routes: ReadRoutes
  /** The metadata needed to lock a row. */
  readonly locking: Lockable
  /** Precomputed parts of the JSON of its resources. */
  readonly json: ModelJson
}

/** Precomputed parts of the JSON of a model's resources. */
export interface ModelJson {
  /** The start of a resource, up to its id. */
  readonly start: string
  /** URL of the collection, escaped for a JSON string. */
  readonly url: string
}

/** The GET routes of a model that exist, as path patterns (`/:id`). Filled once, when the routers are created. */
export type ReadRoutes = Set<string>

/** A field and its names. */
export interface NamedField {
  /** The name in the Prisma schema. */
  readonly name: string
  /** The name as an attribute. */
  readonly wire: string
  readonly field: Field
}

/** A field that is exposed as an attribute. */
export interface Attribute extends NamedField, AttributeWriter {}

/** A relation that is exposed as a relationship. */
export interface Relationship {
  readonly name: string
  /** The start of its JSON in a resource: the name and the opening brace. */
  readonly start: string
  readonly relation: ModelRelation
  readonly target: RestModel
  /**
   * The row's own fields that contain the id of the related resource, in the order of that id. Undefined if the relation must be loaded to
   * obtain the id.
   */
  readonly linkage: readonly string[] | undefined
  /**
   * The foreign key fields to which linkage can be written, with the fields that they reference. Undefined if the relation must be
   * connected instead, because the key does not contain the id or is part of a unique criterion. With a unique criterion, the database
   * could report a duplicate before access policies reject the target. This does not apply to one-to-one relations, whose targets policies
   * check first.
   */
  readonly linkageKey: readonly (readonly [name: string, reference: string])[] | undefined
  /** The other end of the relation, exposed or hidden. */
  readonly inverse: InverseRelation
  /**
   * Returns Prisma's `where` for the related rows of the row with this id.
   * @param ignoresOwner whether to filter by the foreign key if possible, which is faster, but does not check that the row exists and that
   * the caller may read it
   */
  readonly membersWhere: (id: IdValues, ignoresOwner?: boolean) => Readonly<Record<string, unknown>>
}

/** The other end of a relation. */
export interface InverseRelation extends Omit<Relation, 'model'> {
  readonly name: string
}

/** Returns the inverse relationship, if the target exposes it. */
export function inverseRelationship({ relation, target }: Relationship): Relationship | undefined {
  return target.relationships.get(relation.inverse ?? '')
}

/** A foreign key of a row: its relation, its fields with the fields that they reference, and its target. */
export interface ForeignKey {
  readonly relation: string
  readonly fields: Readonly<Record<string, string>>
  readonly target: string
}

/** Matches member names of JSON:API, limited to the characters that Prisma allows in names. */
export const LEGAL_NAME = /^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?$/

/** Options for {@link restModels}. */
export interface RestModelOptions {
  readonly endpoint: string
  readonly typeOf: (model: string) => string
  /** The unique criterion that identifies a model in URLs, if it is not the model's id. */
  readonly externalId: (model: string) => string | undefined
  /** Whether attribute names must be valid in JSON:API. */
  readonly strict: boolean
}

/**
 * Compiles all models of a schema for JSON:API.
 * @param createComputedWriter undefined without the feature `computed`
 * @throws Error if a model cannot be identified by the criterion in the options
 */
export function restModels(
  schema: Schema,
  resources: ReadonlyMap<string, Resource>,
  options: RestModelOptions,
  createComputedWriter?: (name: string) => AttributeWriter,
): ReadonlyMap<string, RestModel> {
  const models = new Map<string, RestModel & { relationships: Map<string, Relationship> }>()
  for (const model of schema.values()) {
    const type = options.typeOf(model.name)
    const fields = namedFields(model, options.strict)
    const id = createIdDefinition(model, options.externalId(model.name) ?? model.id)
    const resource = resources.get(model.name)
    if (!resource) continue
    const url = `${options.endpoint}/${encodeURIComponent(type)}`
    models.set(model.name, {
      model,
      type,
      url,
      json: { start: `{"type":${quoteJson(type)},"id":`, url: quoteJson(url).slice(1, -1) },
      id,
      attributes: toAttributes(fields),
      computed: new Map(createComputedWriter && [...model.computed].map((name) => [name, createComputedWriter(name)])),
      bodyFields: new Map(fields.map((field) => [field.wire, field])),
      required: requiredFields(model, fields),
      relationships: new Map(),
      foreignKeys: foreignKeysByField(resource),
      routes: new Set(),
      locking: toLockable(
        resource,
        id.fields.map(({ name }) => name),
      ),
    })
  }
  for (const source of models.values()) {
    for (const [name, relation] of source.model.relations) {
      const target = models.get(relation.model)
      if (!target) continue
      const linkage = findLinkage(relation, target.id)
      const inverse = findInverse(name, relation, source.model.name, resources)
      source.relationships.set(name, {
        name,
        start: `"${name}":{`,
        relation,
        target,
        linkage,
        linkageKey: findLinkageKey(relation, linkage, source.model, inverse),
        inverse,
        membersWhere: createMembersWhere(inverse, source.id),
      })
    }
    if (options.strict) assertLegalNames(source)
  }
  return models
}

function requiredFields({ fields, required }: Model, attributes: readonly NamedField[]): readonly NamedField[] {
  const id = fields.get('id')
  const candidates = id ? [{ name: 'id', wire: 'id', field: id }, ...attributes] : attributes
  return candidates.filter(({ name }) => required.has(name))
}

/**
 * Returns the fields of a model with their attribute names. `id` is a member of the resource itself, so it is never an attribute (contract
 * 2.2). In strict mode, names that JSON:API does not allow for attributes are changed: `type` becomes `ticketType`, `kind_` becomes `kind`.
 * Otherwise, the contract requires unchanged names.
 */
function namedFields(model: Model, strict: boolean): readonly NamedField[] {
  const fields = [...model.fields].filter(([name]) => name !== 'id')
  const reserved = new Set([...model.fields.keys(), ...model.relations.keys()])
  return fields.map(([name, field]) => {
    const wire = strict ? legalName(name, model) : name
    if (wire === name) return { name, wire, field }
    if (reserved.has(wire))
      throw new Error(`strict: "${model.name}.${name}" would be called "${wire}", which is already in use.`)
    reserved.add(wire)
    return { name, wire, field }
  })
}

function legalName(name: string, { delegate }: Model): string {
  const bare = name.replace(/^_+|_+$/g, '')
  if (bare === 'type') return `${delegate}Type`
  return bare === 'id' ? `${delegate}Id` : bare
}

/**
 * Checks that types, computed fields and relationships have names that JSON:API allows. Unlike attributes, they are not renamed: types and
 * relationships also appear in URLs.
 * @throws Error that names the model and the invalid name
 */
function assertLegalNames({ model, type, attributes, computed, relationships }: RestModel): void {
  if (!LEGAL_NAME.test(type)) {
    const hint = `Give ${model.name} a different path name in modelNameMapping.`
    throw new Error(`strict: "${type}" is not a valid JSON:API type: it must end with a letter or a digit. ${hint}`)
  }
  for (const name of computed.keys()) {
    if (LEGAL_NAME.test(name) && name !== 'type' && !attributes.has(name)) continue
    throw new Error(`strict: "${name}" in computed.${model.name} is already in use or is not a valid attribute name.`)
  }
  for (const name of relationships.keys()) {
    if (LEGAL_NAME.test(name) && name !== 'id' && name !== 'type') continue
    const hint = 'Rename the relation in the schema, or hide it with @api.hidden.'
    throw new Error(`strict: "${model.name}.${name}" is not a valid JSON:API relationship name. ${hint}`)
  }
}

function toAttributes(fields: readonly NamedField[]): ReadonlyMap<string, Attribute> {
  const readable = fields.filter(({ field }) => !field.writeOnly)
  return new Map(
    readable.map((named) => {
      const { wire, field } = named
      return [wire, { ...named, key: `"${wire}":`, write: attributeWriter(wire, field) }]
    }),
  )
}

function findLinkage(relation: Pick<Relation, 'many' | 'foreignKey'>, id: IdDefinition): readonly string[] | undefined {
  if (relation.many || !relation.foreignKey) return undefined
  const byReference = new Map(Object.entries(relation.foreignKey).map(([field, reference]) => [reference, field]))
  const fields = id.fields.flatMap(({ name }) => byReference.get(name) ?? [])
  return fields.length === id.fields.length ? fields : undefined
}

function findLinkageKey(
  { foreignKey = {} }: ModelRelation,
  linkage: Relationship['linkage'],
  { uniques }: Model,
  inverse: InverseRelation,
): Relationship['linkageKey'] {
  const key = Object.entries(foreignKey)
  if (!linkage || key.length !== linkage.length) return undefined
  if (!inverse.many) return key
  const isUnique = [...uniques.values()].some((fields) => key.some(([name]) => fields.includes(name)))
  return isUnique ? undefined : key
}

/** Returns the other end of a relation. The end with the foreign key does not name its inverse. */
function findInverse(
  name: string,
  relation: ModelRelation,
  model: string,
  resources: ReadonlyMap<string, Resource>,
): InverseRelation {
  const others = Object.entries(resources.get(relation.model)?.relations ?? {})
  const found = others.find(([other, { model: target, inverse }]) => {
    return relation.inverse === undefined ? target === model && inverse === name : other === relation.inverse
  })
  return found ? { ...found[1], name: found[0] } : NO_RELATION
}

/** Placeholder for the other end of a relation that no resource exposes. */
const NO_RELATION: InverseRelation = { name: '', many: true }

/** Filters by the relation and not by its foreign key, so that the access policies of the parent row apply too. */
function createMembersWhere(inverse: InverseRelation, id: IdDefinition): Relationship['membersWhere'] {
  const operator = inverse.many ? 'some' : 'is'
  const key = findLinkage(inverse, id)
  return (values, ignoresOwner) =>
    key && ignoresOwner
      ? Object.fromEntries(id.fields.map(({ name }, index) => [key[index], values[name]]))
      : { [inverse.name]: { [operator]: { ...values } } }
}

function foreignKeysByField(resource: Resource): ReadonlyMap<string, readonly ForeignKey[]> {
  const keys = new Map<string, ForeignKey[]>()
  for (const [relation, { foreignKey, model }] of Object.entries(resource.relations)) {
    for (const field of Object.keys(foreignKey ?? {})) {
      keys.set(field, [...(keys.get(field) ?? []), { relation, fields: foreignKey ?? {}, target: model }])
    }
  }
  return keys
}

/** Returns the body field with the given name in the Prisma schema. */
export function bodyFieldBySchemaName({ bodyFields }: RestModel, name: string): NamedField | undefined {
  return [...bodyFields.values()].find((field) => field.name === name)
}

/** Whether callers may choose the id of a new resource. */
export function acceptsId({ model, id }: RestModel): boolean {
  return id.fields.every(({ name, field }) => !field.generated && !model.readOnly.has(name))
}

/**
 * Whether the database generates an id field. This includes the model's own id, even if a different unique criterion identifies its
 * resources.
 */
export function isDatabaseGenerated({ model, id }: RestModel, { name, field }: NamedField): boolean {
  if (!field.generated) return false
  return idFields(model).includes(name) || id.fields.some((part) => part.name === name)
}
