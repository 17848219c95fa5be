import type { Fieldsets } from '../request/query/parse-fieldsets.js'
import type { IncludeTree, IncludedList, LinksJson, RelationshipLink } from '../request/query/include-tree.js'
import type { AttributeWriter } from '../document/attribute-writer.js'
import type { Relationship, RestModel } from '../rest-model.js'
import { mayRead } from '../relationship-capabilities.js'
import { selectFields } from '../../prisma/keys.js'
import { idSelect, rowSelect } from './delegate-calls.js'
import type { Row } from './row.js'

/** The fields of one type's resources in a response, and the arguments that load them. */
export interface Selection {
  readonly model: RestModel
  readonly attributes: readonly AttributeWriter[]
  readonly relationships: readonly SelectedRelationship[]
  /** `select`, `include` and `omit` of the Prisma call. */
  readonly args: SelectionArgs
  /** Whether to-many relations are included, here or at a deeper level. They are loaded after the rows instead of by `args`. */
  readonly hasToMany: boolean
}

/** The part of Prisma's arguments that selects fields and relations. */
export interface SelectionArgs {
  readonly select?: Readonly<Record<string, unknown>>
  readonly include?: Readonly<Record<string, unknown>>
  readonly omit?: Readonly<Record<string, true>>
}

/** A relationship that a response contains as linkage, as included resources, or both. */
export interface SelectedRelationship extends LinksJson {
  readonly relationship: Relationship
  /** Whether the resource contains the relationship. A fieldset may omit a relationship whose resources are included. */
  readonly visible: boolean
  /** The selection of the included related resources. Undefined if they are not included. */
  readonly included: Selection | undefined
  /** The parameters of the included list. */
  readonly list: IncludedList | undefined
  /** The counts that contain the number of its related resources. Undefined if they are not counted. */
  readonly counts: RequestedCounts | undefined
}

/** The counts of related resources that a response contains. Created by the feature `relatedCounts`. */
export interface RequestedCounts {
  /** Whether the resources of a relationship are counted. */
  readonly has: (relationship: string) => boolean
  /** The arguments that load the counts of these relationships. */
  readonly args: (relationships: readonly string[]) => Readonly<Record<string, unknown>>
  /** Returns the member of a relationship's `meta` with the number of related resources. Empty if the caller may not read it. */
  readonly formatTotal: (row: Row, relationship: string) => string
}

/** Creates selections. The default selection of each model is cached. */
export interface Selector {
  /**
   * Selects the fields of a model to load and to include in the response.
   * @param include the relations to include
   * @param fieldsets the fields in `fields[type]`, by model
   * @param counts the counts of related resources. Default: none
   */
  select(model: RestModel, include: IncludeTree | undefined, fieldsets: Fieldsets, counts?: RequestedCounts): Selection
}

/** Creates the {@link Selector} of a handler. */
export function createSelector(): Selector {
  const defaults = new Map<RestModel, Selection>()
  const build = (
    model: RestModel,
    include: IncludeTree | undefined,
    fieldsets: Fieldsets,
    counts?: RequestedCounts,
  ): Selection => {
    const fieldset = fieldsets.get(model)
    const isSelected = (name: string) => !fieldset || fieldset.has(name)
    const attributes = [...model.attributes.values(), ...model.computed.values()].filter(({ wire }) => isSelected(wire))
    const relationships = [...model.relationships.values()].flatMap((relationship): SelectedRelationship[] => {
      const node = include?.get(relationship.name)
      const included = node && build(relationship.target, node.nested, fieldsets)
      const list = node?.list
      const visible = isSelected(relationship.name)
      return visible || included
        ? [
            {
              relationship,
              visible,
              included,
              list,
              counts: visible && counts?.has(relationship.name) ? counts : undefined,
              ...formatLinks(relationshipLinks(model, relationship), list),
            },
          ]
        : []
    })
    const args = fieldset
      ? { select: fieldsetSelect(model, attributes, relationships) }
      : defaultArgs(model, relationships)
    const loadsLater = relationships.some(({ relationship, included }) => {
      return included && (relationship.relation.many || included.hasToMany)
    })
    return { model, attributes, relationships, args, hasToMany: loadsLater }
  }
  return {
    select(model, include, fieldsets, counts) {
      const isPlain = fieldsets.size === 0 && !counts && !(include && include.size > 0)
      if (!isPlain) return build(model, include, fieldsets, counts)
      const cached = defaults.get(model)
      if (cached) return cached
      const selection = build(model, undefined, fieldsets)
      defaults.set(model, selection)
      return selection
    },
  }
}

function relationshipLinks({ routes }: RestModel, relationship: Relationship): readonly RelationshipLink[] {
  const { name, linkage } = relationship
  const isReadable = mayRead(relationship)
  const links: RelationshipLink[] = []
  if (isReadable && routes.has(`/:id/${name}`)) links.push(['related', `/${name}`])
  if ((isReadable || linkage) && routes.has(`/:id/relationships/${name}`))
    links.push(['self', `/relationships/${name}`])
  return links
}

/** Returns the JSON of a relationship's links. The links of an included list contain its parameters. */
function formatLinks(links: readonly RelationshipLink[], list: IncludedList | undefined): LinksJson {
  if (list) return list.formatLinks(links)
  const parts = splitAtSelf(links)
  return { links: parts, nextLinks: parts }
}

/**
 * Returns the JSON of links, split at the places where the resource's own URL is inserted.
 * @param end the end of the JSON
 */
export function splitAtSelf(links: readonly RelationshipLink[], end = '}'): readonly string[] {
  if (links.length === 0) return []
  const prefixes = links.map(([name], index) => `${index === 0 ? '"links":{' : '",'}"${name}":"`)
  return [prefixes[0] ?? '', ...links.map(([, path], index) => path + (prefixes[index + 1] ?? `"${end}`))]
}

/**
 * Returns arguments for all fields except those that responses never contain. Does not use `select`, so that the client's own `omit` still
 * applies.
 */
function defaultArgs(model: RestModel, relationships: readonly SelectedRelationship[]): SelectionArgs {
  const linkage = new Set(relationships.flatMap(({ relationship }) => relationship.linkage ?? []))
  const omit = Object.fromEntries(Object.entries(model.model.omit ?? {}).filter(([name]) => !linkage.has(name)))
  const include = relationArgs(relationships)
  return {
    ...(Object.keys(omit).length > 0 ? { omit } : {}),
    ...(Object.keys(include).length > 0 ? { include } : {}),
  }
}

/**
 * Returns a `select` that contains the fieldset plus the fields that ids and linkage require. The client adds those that computed fields
 * require.
 */
function fieldsetSelect(
  model: RestModel,
  attributes: readonly AttributeWriter[],
  relationships: readonly SelectedRelationship[],
): Record<string, unknown> {
  const names = [
    ...Object.keys(rowSelect(model)),
    ...attributes.map(({ name }) => name),
    ...relationships.flatMap(({ relationship, included }) => {
      if (!included) return relationship.linkage ?? []
      return relationship.relation.many ? Object.values(relationship.inverse.foreignKey ?? {}) : []
    }),
  ]
  return { ...selectFields(names), ...relationArgs(relationships) }
}

/** Returns the arguments for to-one relations that are included or whose linkage is not in the row, and for counts. */
function relationArgs(relationships: readonly SelectedRelationship[]): Record<string, unknown> {
  const args: Record<string, unknown> = {}
  for (const { relationship, included } of relationships) {
    const { name, relation, target, linkage } = relationship
    if (relation.many) continue
    if (included) args[name] = Object.keys(included.args).length > 0 ? included.args : true
    else if (!linkage && mayRead(relationship)) args[name] = { select: idSelect(target) }
  }
  const counted = relationships.filter(({ counts }) => counts)
  const names = counted.map(({ relationship }) => relationship.name)
  return Object.assign(args, counted[0]?.counts?.args(names))
}
