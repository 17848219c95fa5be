import type { Fieldsets } from '../request/fields.js'
import type { IncludeTree } from '../request/include.js'
import type { AttributeText } from '../document/attribute-text.js'
import type { Relationship, RestModel } from '../model.js'
import { mayRead } from '../permissions.js'

/** What an answer shows of the resources of one type, and what Prisma has to load for it. */
export interface Selection {
  readonly model: RestModel
  readonly attributes: readonly AttributeText[]
  readonly relationships: readonly SelectedRelationship[]
  /** `select`, `include` and `omit` of the Prisma call. */
  readonly args: SelectionArgs
  /** Whether to-many relations are included, here or further below: they are loaded after the rows, and not by `args`. */
  readonly loadsLater: boolean
}

export interface SelectionArgs {
  readonly select?: Readonly<Record<string, unknown>>
  readonly include?: Readonly<Record<string, unknown>>
  readonly omit?: Readonly<Record<string, true>>
}

export interface SelectedRelationship {
  readonly relationship: Relationship
  /** Whether the resource shows it; a fieldset may leave out what is included all the same. */
  readonly shown: boolean
  /** What is included of the related resources, if they are. */
  readonly included: Selection | undefined
  /** The JSON of its `links`, to be written around the resource's own URL; empty where nothing serves them. */
  readonly links: readonly string[]
}

/** Makes selections. What no request narrows or widens is computed once for each model. */
export interface Selector {
  /**
   * What to show and to load of a model.
   * @param include relations to include
   * @param fieldsets what `fields[type]` left, by model
   */
  select(model: RestModel, include: IncludeTree | undefined, fieldsets: Fieldsets): Selection
}

/** Makes the {@link Selector} of a handler. */
export function selector(): Selector {
  const plain = new Map<RestModel, Selection>()
  const build = (model: RestModel, include: IncludeTree | undefined, fieldsets: Fieldsets): Selection => {
    const fieldset = fieldsets.get(model)
    const shows = (name: string) => !fieldset || fieldset.has(name)
    const attributes = [...model.attributes.values(), ...model.computed.values()].filter(({ wire }) => shows(wire))
    const relationships = [...model.relationships.values()].flatMap((relationship): SelectedRelationship[] => {
      const below = include?.get(relationship.name)
      const included = below && build(relationship.target, below, fieldsets)
      const shown = shows(relationship.name)
      return shown || included ? [{ relationship, shown, included, links: linkTexts(model, relationship) }] : []
    })
    const args = fieldset ? { select: narrow(model, attributes, relationships) } : whole(model, relationships)
    const loadsLater = relationships.some(({ relationship, included }) => {
      return included && (relationship.relation.many || included.loadsLater)
    })
    return { model, attributes, relationships, args, loadsLater }
  }
  return {
    select(model, include, fieldsets) {
      if (fieldsets.size > 0 || (include && include.size > 0)) return build(model, include, fieldsets)
      const known = plain.get(model)
      if (known) return known
      const selection = build(model, undefined, fieldsets)
      plain.set(model, selection)
      return selection
    },
  }
}

function linkTexts({ served }: RestModel, relationship: Relationship): readonly string[] {
  const { name, linkage } = relationship
  const isReadable = mayRead(relationship)
  const isLinked = isReadable || linkage !== undefined
  const related = isReadable && served.has(`/:id/${name}`)
  const self = isLinked && served.has(`/:id/relationships/${name}`)
  if (related && self) return ['"links":{"related":"', `/${name}","self":"`, `/relationships/${name}"}`]
  if (related) return ['"links":{"related":"', `/${name}"}`]
  return self ? ['"links":{"self":"', `/relationships/${name}"}`] : []
}

/** All fields but those never read. No `select`, so that an `omit` of the client's own stays in force. */
function whole(model: RestModel, relationships: readonly SelectedRelationship[]): SelectionArgs {
  const linkage = new Set(relationships.flatMap(({ relationship }) => relationship.linkage ?? []))
  const omit = Object.fromEntries(Object.entries(model.model.omit ?? {}).filter(([name]) => !linkage.has(name)))
  const include = loaded(relationships)
  return {
    ...(Object.keys(omit).length > 0 ? { omit } : {}),
    ...(Object.keys(include).length > 0 ? { include } : {}),
  }
}

/** The fields of a fieldset alone, with what ids and linkage need. What computed ones need, the client adds. */
function narrow(
  model: RestModel,
  attributes: readonly AttributeText[],
  relationships: readonly SelectedRelationship[],
): Record<string, unknown> {
  const names = [
    ...model.id.fields.map(({ name }) => name),
    ...attributes.map(({ name }) => name),
    ...relationships.flatMap(({ relationship, included }) => {
      if (!included) return relationship.linkage ?? []
      return relationship.relation.many ? Object.values(relationship.back?.foreignKey ?? {}) : []
    }),
  ]
  return { ...Object.fromEntries(names.map((name) => [name, true])), ...loaded(relationships) }
}

/** The to-one relations to load: the included ones, and linkage that the row does not hold. */
function loaded(relationships: readonly SelectedRelationship[]): Record<string, unknown> {
  const args: Record<string, unknown> = {}
  for (const { relationship, included } of relationships) {
    const { name, relation, target, linkage } = relationship
    if (relation.many) continue
    if (included) args[name] = Object.keys(included.args).length > 0 ? included.args : true
    else if (!linkage && mayRead(relationship)) args[name] = { select: idSelect(target) }
  }
  return args
}

/** The fields of a model's id, in Prisma's `select` form. */
export function idSelect(model: RestModel): Record<string, true> {
  return Object.fromEntries(model.id.fields.map(({ name }) => [name, true]))
}
