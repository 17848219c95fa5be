import { type Lockable, toLockable } from '../orm/row-lock.js'
import type { Field, Relation, Resource } from '../schema/resource.js'
import type { Model, ModelRelation, Schema } from '../schema/schema.js'
import { quote } from '../serialization/json-writer.js'
import { type AttributeWriter, attributeWriter } from './document/attribute-json.js'
import { computedAttribute } from './document/computed-attribute.js'
import { type IdDefinition, createIdDefinition, type IdValues } from './request/id.js'

/** A model as JSON:API sees it: everything about it that depends on the schema and the options alone. */
export interface RestModel {
  readonly model: Model
  /** Its path name, which is the `type` of its resources. */
  readonly type: string
  /** URL of its collection. */
  readonly url: string
  readonly id: IdDefinition
  /** What a resource shows as attributes, by their names on the wire, in schema order. */
  readonly attributes: ReadonlyMap<string, Attribute>
  /** Computed fields that it shows as attributes beside those, by their names. They are neither filtered nor sorted by, nor written. */
  readonly computed: ReadonlyMap<string, AttributeWriter>
  /** What may be written as attributes, or be matched by an upsert, by names on the wire; read-only fields included. */
  readonly written: ReadonlyMap<string, NamedField>
  /** What has to be given when a resource is made; a foreign key may be given as linkage. */
  readonly required: readonly NamedField[]
  /** Its relations, in schema order. */
  readonly relationships: ReadonlyMap<string, Relationship>
  /**
   * The relations that hold each foreign key field on this side, hidden ones included: field → relation and the field of the
   * other model that it refers to.
   */
  readonly foreignKeys: ReadonlyMap<string, readonly ForeignKey[]>
  /** What is served of it; links exist only where a route does. */
  readonly served: ServedRoutes
  /** What locking one of its rows needs to know. */
  readonly locking: Lockable
  /** Parts of the JSON of its resources. */
  readonly texts: ModelJson
}

/** Parts of the JSON of a model's resources. */
export interface ModelJson {
  /** What a resource begins with, up to its id. */
  readonly head: string
  /** URL of its collection, escaped as inside a JSON string. */
  readonly url: string
}

/** Which of a model's GET routes exist, as path patterns (`/:id`). Filled once, when the routers are made. */
export type ServedRoutes = Set<string>

/** A field and its names. */
export interface NamedField {
  /** Its name in the Prisma schema. */
  readonly name: string
  /** Its name as an attribute. */
  readonly wire: string
  readonly field: Field
}

/** A field that a resource shows. */
export interface Attribute extends NamedField, AttributeWriter {}

/** A relation that a resource shows. */
export interface Relationship {
  readonly name: string
  /** What it begins with in a resource's JSON: its name and the brace behind it. */
  readonly opening: string
  readonly relation: ModelRelation
  readonly target: RestModel
  /**
   * The row's own fields that hold the id of the related resource, in the order of its id; undefined where the relation has to
   * be loaded for that.
   */
  readonly linkage: readonly string[] | undefined
  /**
   * The foreign key that linkage can be written as: its fields, and what they refer to. Undefined where the relation has to be
   * connected: if the key does not hold the id, or if it is a part of a unique criterion. The database could then report a row with the
   * same values before access policies reject the target. They check the targets of a one-to-one relation first.
   */
  readonly writtenKey: readonly (readonly [name: string, reference: string])[] | undefined
  /** The same relation at its other end, hidden or not. */
  readonly inverse: InverseRelation
  /** Prisma's `where` for what the relationship of the row with this id leads to. */
  readonly membersOf: (id: IdValues) => Readonly<Record<string, unknown>>
}

/** The other end of a relation. */
export interface InverseRelation extends Omit<Relation, 'model'> {
  readonly name: string
}

/** The same relationship as the resources have it that it leads to, if they show it. */
export function inverseRelationship({ relation, target }: Relationship): Relationship | undefined {
  return target.relationships.get(relation.inverse ?? '')
}

/** A foreign key of a row: the relation that it belongs to, and what each of its fields refers to. */
export interface ForeignKey {
  readonly relation: string
  readonly fields: Readonly<Record<string, string>>
  readonly target: string
}

/** A member name of JSON:API, of the characters that names in a Prisma schema have: checklist rows 50 to 52. */
export const LEGAL_NAME = /^[A-Za-z0-9]([A-Za-z0-9_-]*[A-Za-z0-9])?$/

/** What {@link restModels} needs to know. */
export interface RestModelOptions {
  readonly endpoint: string
  readonly typeOf: (model: string) => string
  /** The criterion that identifies a model, where it is not its own id. */
  readonly externalId: (model: string) => string | undefined
  /** Whether attributes need names that JSON:API allows. */
  readonly strict: boolean
}

/**
 * Compiles all models of a schema for JSON:API.
 * @throws Error where a model cannot be identified by what the options say
 */
export function restModels(
  schema: Schema,
  resources: ReadonlyMap<string, Resource>,
  options: RestModelOptions,
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
      texts: { head: `{"type":${quote(type)},"id":`, url: quote(url).slice(1, -1) },
      id,
      attributes: attributesOf(fields),
      computed: new Map([...model.computed].map((name) => [name, computedAttribute(name)])),
      written: new Map(fields.map((field) => [field.wire, field])),
      required: requiredFields(model, fields),
      relationships: new Map(),
      foreignKeys: foreignKeysOf(resource),
      served: new Set(),
      locking: toLockable(
        resource,
        id.fields.map(({ name }) => name),
      ),
    })
  }
  for (const from of models.values()) {
    for (const [name, relation] of from.model.relations) {
      const target = models.get(relation.model)
      if (!target) continue
      const linkage = linkageOf(relation, target.id)
      const inverse = inverseOf(name, relation, from.model.name, resources)
      from.relationships.set(name, {
        name,
        opening: `"${name}":{`,
        relation,
        target,
        linkage,
        writtenKey: writtenKeyOf(relation, linkage, from.model, inverse),
        inverse,
        membersOf: membersOf(inverse),
      })
    }
    if (options.strict) requireLegalNames(from)
  }
  return models
}

function requiredFields({ fields, required }: Model, attributes: readonly NamedField[]): readonly NamedField[] {
  const id = fields.get('id')
  const named = id ? [{ name: 'id', wire: 'id', field: id }, ...attributes] : attributes
  return named.filter(({ name }) => required.has(name))
}

/**
 * The fields of a model with their names as attributes. `id` is a member of the resource itself and never an attribute too
 * (contract 2.2). JSON:API says the same of `type`, and that names begin and end with a letter or a digit; the contract shows
 * fields as they are called. So it is another name only where JSON:API is to be followed: `ticketType`, `kind` for `kind_`.
 */
function namedFields(model: Model, strict: boolean): readonly NamedField[] {
  const fields = [...model.fields].filter(([name]) => name !== 'id')
  const taken = new Set([...model.fields.keys(), ...model.relations.keys()])
  return fields.map(([name, field]) => {
    const wire = strict ? legalName(name, model) : name
    if (wire === name) return { name, wire, field }
    if (taken.has(wire)) throw new Error(`strict: "${model.name}.${name}" would be called "${wire}", which is taken.`)
    taken.add(wire)
    return { name, wire, field }
  })
}

function legalName(name: string, { delegate }: Model): string {
  const bare = name.replace(/^_+|_+$/g, '')
  if (bare === 'type') return `${delegate}Type`
  return bare === 'id' ? `${delegate}Id` : bare
}

/**
 * Refuses what only the schema can give another name: types and relationships stand in URLs too.
 * @throws Error that names the model and what it is about
 */
function requireLegalNames({ model, type, attributes, computed, relationships }: RestModel): void {
  if (!LEGAL_NAME.test(type)) {
    const mend = `Give ${model.name} another path name in modelNameMapping.`
    throw new Error(`strict: "${type}" is no type that JSON:API allows: it must end with a letter or a digit. ${mend}`)
  }
  for (const name of computed.keys()) {
    if (LEGAL_NAME.test(name) && name !== 'type' && !attributes.has(name)) continue
    throw new Error(`strict: "${name}", which computed.${model.name} names, is taken, or is no name of an attribute.`)
  }
  for (const name of relationships.keys()) {
    if (LEGAL_NAME.test(name) && name !== 'id' && name !== 'type') continue
    const mend = 'Rename the relation in the schema, or hide it with @api.hidden.'
    throw new Error(`strict: "${model.name}.${name}" is no name that JSON:API allows a relationship. ${mend}`)
  }
}

function attributesOf(fields: readonly NamedField[]): ReadonlyMap<string, Attribute> {
  const shown = fields.filter(({ field }) => !field.writeOnly)
  return new Map(
    shown.map((named) => {
      const { wire, field } = named
      return [wire, { ...named, key: `"${wire}":`, write: attributeWriter(wire, field) }]
    }),
  )
}

function linkageOf(relation: ModelRelation, id: IdDefinition): readonly string[] | undefined {
  if (relation.many || !relation.foreignKey) return undefined
  const byReference = new Map(Object.entries(relation.foreignKey).map(([field, reference]) => [reference, field]))
  const fields = id.fields.flatMap(({ name }) => byReference.get(name) ?? [])
  return fields.length === id.fields.length ? fields : undefined
}

function writtenKeyOf(
  { foreignKey = {} }: ModelRelation,
  linkage: Relationship['linkage'],
  { uniques }: Model,
  inverse: InverseRelation,
): Relationship['writtenKey'] {
  const key = Object.entries(foreignKey)
  if (!linkage || key.length !== linkage.length) return undefined
  if (!inverse.many) return key
  const isUnique = [...uniques.values()].some((fields) => key.some(([name]) => fields.includes(name)))
  return isUnique ? undefined : key
}

/** The other end of a relation. The end that holds the foreign key does not name it. */
function inverseOf(
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

/** By the relation and not by its foreign key: access policies of this row count as well. */
function membersOf({ name, many }: InverseRelation): Relationship['membersOf'] {
  const operator = many ? 'some' : 'is'
  return (values) => ({ [name]: { [operator]: { ...values } } })
}

function foreignKeysOf(resource: Resource): ReadonlyMap<string, readonly ForeignKey[]> {
  const keys = new Map<string, ForeignKey[]>()
  for (const [relation, { foreignKey, model }] of Object.entries(resource.relations)) {
    for (const field of Object.keys(foreignKey ?? {})) {
      keys.set(field, [...(keys.get(field) ?? []), { relation, fields: foreignKey ?? {}, target: model }])
    }
  }
  return keys
}
