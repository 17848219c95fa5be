import { deny } from '../errors/policy-error.js'
import { whereNoRows, serializeKey } from '../prisma/keys.js'
import { type Lockable, toLockable } from '../prisma/transactions/row-lock.js'
import { type Field, type Relation, type Resource, getUniques } from '../schema/resource.js'
import { type Version, getVersion } from '../schema/version-field.js'
import type { Args } from './args.js'

/** A schema for the policy layer. It includes hidden fields and relations, because the app's own code may use them. */
export type PolicySchema = ReadonlyMap<string, PolicyModel>

/** A model that has a resource. */
export interface PolicyModel {
  /** The model's name in the Prisma schema. */
  readonly name: string
  /** The name of its delegate on the Prisma client. */
  readonly delegate: string
  /** The name of the unique criterion that identifies rows. */
  readonly id: string
  /** The fields of `id`. */
  readonly idFields: readonly [string, ...string[]]
  readonly fields: ReadonlyMap<string, Field>
  readonly relations: ReadonlyMap<string, PolicyRelation>
  /** The names of all fields and relations, including relations to models without a resource. */
  readonly members: ReadonlySet<string>
  /** Whether the model has to-many relations to models without a resource. The related rows cannot be counted. */
  readonly hasUnexposedToMany: boolean
  /** Compound unique criteria, by their name in Prisma's `where`. */
  readonly compounds: ReadonlyMap<string, readonly string[]>
  /** Fields that are unique by themselves. */
  readonly uniques: ReadonlySet<string>
  /** The fields of a row that a write needs: its id, its foreign keys, fields that foreign keys refer to, and fields that locking needs. */
  readonly keys: ReadonlySet<string>
  /** The information needed to lock a row. */
  readonly locking: Lockable
  /** The field that identifies the revision of a row, if the model has one. */
  readonly version: Version | undefined
  /** A filter that matches no row. */
  readonly noRows: Readonly<Record<string, unknown>>
}

/** A relation to a model that has a resource. */
export interface PolicyRelation extends Relation {
  readonly name: string
  readonly target: PolicyModel
  /** The relation on the other side; undefined if the resource does not contain it, for example because it is hidden. */
  readonly inverseRelation: PolicyRelation | undefined
}

/**
 * Compiles resources for the policy layer. Called once, when their module is loaded.
 * @param resources the resources of all exposed models. Relations to other models cannot be used under policies
 */
export function compilePolicySchema(resources: readonly Resource[]): PolicySchema {
  const schema = new Map<string, PolicyModel & { relations: Map<string, PolicyRelation>; keys: Set<string> }>()
  const modelNames = new Set(resources.map(({ model }) => model))
  for (const resource of resources) {
    const criteria = getUniques(resource)
    const idFields = criteria[resource.id]
    if (!idFields) throw new Error(`${resource.model} has no unique criterion "${resource.id}".`)
    const uniques = Object.entries(criteria)
    const locking = toLockable(resource, idFields)
    schema.set(resource.model, {
      name: resource.model,
      delegate: resource.delegate,
      id: resource.id,
      idFields,
      fields: new Map(Object.entries(resource.fields)),
      hasUnexposedToMany: Object.values(resource.relations).some(({ model, many }) => many && !modelNames.has(model)),
      relations: new Map(),
      members: new Set([...Object.keys(resource.fields), ...Object.keys(resource.relations)]),
      compounds: new Map(uniques.filter(([name]) => !Object.hasOwn(resource.fields, name))),
      uniques: new Set(
        Object.values(criteria).flatMap(([field = '', ...others]) => (others.length === 0 ? [field] : [])),
      ),
      keys: new Set([...idFields, ...locking.updatedAtFields]),
      locking,
      version: getVersion(resource),
      noRows: whereNoRows(idFields, resource.fields),
    })
  }
  for (const resource of resources) {
    const model = schema.get(resource.model)
    for (const [name, relation] of Object.entries(resource.relations)) {
      const target = schema.get(relation.model)
      if (!model || !target) continue
      const getInverse = (): PolicyRelation | undefined =>
        relation.inverse === undefined ? undefined : target.relations.get(relation.inverse)
      model.relations.set(name, {
        ...relation,
        name,
        target,
        get inverseRelation() {
          return getInverse()
        },
      })
      for (const [field, referencedField] of Object.entries(relation.foreignKey ?? {})) {
        model.keys.add(field)
        target.keys.add(referencedField)
      }
    }
  }
  return schema
}

/** Returns the name of a field or relation for messages. Hidden names are not revealed. */
export function qualifiedName({ name, fields, relations }: PolicyModel, field: string): string {
  const isHidden = fields.get(field)?.hidden ?? relations.get(field)?.hidden
  return isHidden ? `A field of ${name}` : `"${field}" of ${name}`
}

/**
 * Returns the rule that would allow an action, as code: `can('update', 'Post', ['title'])`.
 * @param field the field of the rule; omitted from the result if it is hidden
 */
export function ruleName(action: string, { name, fields, relations }: PolicyModel, field?: string): string {
  const isNamed = field !== undefined && !(fields.get(field)?.hidden ?? relations.get(field)?.hidden)
  return `can('${action}', '${name}'${isNamed ? `, ['${field}']` : ''})`
}

/** Whether the foreign key of a relation is unique, so that at most one row refers to each target row. */
export function isOneToOneKey(model: PolicyModel, { name, target, foreignKey = {} }: PolicyRelation): boolean {
  const { uniques, compounds, idFields } = model
  const names = Object.keys(foreignKey)
  const isKey = (fields: readonly string[]) =>
    fields.length === names.length && fields.every((name) => names.includes(name))
  return (
    [...uniques].some((field) => isKey([field])) ||
    [idFields, ...compounds.values()].some(isKey) ||
    // Unique criteria with hidden fields are missing from the resource.
    [...target.relations.values()].some((other) => other.inverse === name && other.target === model && !other.many)
  )
}

/**
 * Returns a filter that matches a row by its id.
 * @throws PolicyError if a value of the id is missing, because rows without an id cannot be distinguished, and a check of one would apply
 * to the others
 */
export function idFilter(model: PolicyModel, row: Args): Args {
  if (model.idFields.some((field) => row[field] === null || row[field] === undefined)) {
    deny(`A row of ${model.name} without an id cannot be verified.`)
  }
  return Object.fromEntries(model.idFields.map((field) => [field, row[field]]))
}

/** Returns the id of a row as a key for maps and sets. */
export function rowKey(model: PolicyModel, row: Args): string {
  return serializeKey(model.idFields, row)
}

/** Returns the unique `where` of a row, for Prisma's `update` and `delete`. */
export function uniqueWhere(model: PolicyModel, row: Args): Args {
  const id = idFilter(model, row)
  return model.idFields.length === 1 ? id : { [model.id]: id }
}
