import { whereNone } from '../orm/keys.js'
import { type Lockable, toLockable } from '../orm/row-lock.js'
import { type Field, type Relation, type Resource, getUniques } from '../schema/resource.js'
import { type Version, getVersion } from '../schema/version.js'

/** A schema as rules see it: hidden fields and relations included, for the app's own code may use them. */
export type PolicySchema = ReadonlyMap<string, PolicyModel>

/** One model that has a resource. */
export interface PolicyModel {
  /** The model's name in the Prisma schema. */
  readonly name: string
  /** The name of its delegate on the Prisma client. */
  readonly delegate: string
  /** The name of the unique criterion that tells its rows apart. */
  readonly id: string
  /** The fields of `id`. */
  readonly idFields: readonly [string, ...string[]]
  readonly fields: ReadonlyMap<string, Field>
  readonly relations: ReadonlyMap<string, PolicyRelation>
  /** Whether it has to-many relations to models without a resource, which nobody may count. */
  readonly hasUnknown: boolean
  /** Unique criteria of several fields, by the name that Prisma's `where` has for them. */
  readonly compounds: ReadonlyMap<string, readonly string[]>
  /** Fields that tell a row apart alone. */
  readonly uniques: ReadonlySet<string>
  /** The fields that a write has to know of a row: its id, its foreign keys, what foreign keys refer to, and what locking it needs. */
  readonly keys: ReadonlySet<string>
  /** What locking one of its rows needs to know. */
  readonly locking: Lockable
  /** The field that tells the revisions of a row apart; undefined where there is none. */
  readonly version: Version | undefined
  /** A filter that no row meets. */
  readonly none: Readonly<Record<string, unknown>>
}

/** A relation to a model that has a resource. */
export interface PolicyRelation extends Relation {
  readonly name: string
  readonly target: PolicyModel
  /** The relation at the other end; undefined where the resource does not tell, as for hidden ones. */
  readonly back: PolicyRelation | undefined
}

/**
 * Makes resources ready for the policy layer: once, when the module that has them is loaded.
 * @param resources those of all models that are on the wire. A relation to any other model cannot be used under policies
 */
export function compilePolicySchema(resources: readonly Resource[]): PolicySchema {
  const schema = new Map<string, PolicyModel & { relations: Map<string, PolicyRelation>; keys: Set<string> }>()
  const known = new Set(resources.map(({ model }) => model))
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
      hasUnknown: Object.values(resource.relations).some(({ model, many }) => many && !known.has(model)),
      relations: new Map(),
      compounds: new Map(uniques.filter(([name]) => !Object.hasOwn(resource.fields, name))),
      uniques: new Set(
        Object.values(criteria).flatMap(([field = '', ...others]) => (others.length === 0 ? [field] : [])),
      ),
      keys: new Set([...idFields, ...locking.stamps]),
      locking,
      version: getVersion(resource),
      none: whereNone(idFields, resource.fields),
    })
  }
  for (const resource of resources) {
    const model = schema.get(resource.model)
    for (const [name, relation] of Object.entries(resource.relations)) {
      const target = schema.get(relation.model)
      if (!model || !target) continue
      const back = (): PolicyRelation | undefined =>
        relation.inverse === undefined ? undefined : target.relations.get(relation.inverse)
      model.relations.set(name, {
        ...relation,
        name,
        target,
        get back() {
          return back()
        },
      })
      for (const [own, other] of Object.entries(relation.foreignKey ?? {})) {
        model.keys.add(own)
        target.keys.add(other)
      }
    }
  }
  return schema
}

/** What messages call a field or a relation of a model: what is hidden has no name to callers. */
export function qualifiedName({ name, fields, relations }: PolicyModel, field: string): string {
  const isHidden = fields.get(field)?.hidden ?? relations.get(field)?.hidden
  return isHidden ? `A field of ${name}` : `"${field}" of ${name}`
}

/**
 * Names the rule that would allow an action: `can('update', 'Post', ['title'])`.
 * @param field the field of the rule; omitted from the result if it is hidden
 */
export function ruleName(action: string, { name, fields, relations }: PolicyModel, field?: string): string {
  const isNamed = field !== undefined && !(fields.get(field)?.hidden ?? relations.get(field)?.hidden)
  return `can('${action}', '${name}'${isNamed ? `, ['${field}']` : ''})`
}

/** Whether no two rows of a model may hold the same key of a relation. */
export function isOneToOneKey(model: PolicyModel, { name, target, foreignKey = {} }: PolicyRelation): boolean {
  const { uniques, compounds, idFields } = model
  const names = Object.keys(foreignKey)
  const isKey = (fields: readonly string[]) =>
    fields.length === names.length && fields.every((name) => names.includes(name))
  return (
    [...uniques].some((field) => isKey([field])) ||
    [idFields, ...compounds.values()].some(isKey) ||
    // A criterion with hidden fields is not in the resource.
    [...target.relations.values()].some((other) => other.inverse === name && other.target === model && !other.many)
  )
}
