import type { Fieldsets } from '../request/query/parse-fieldsets.js'
import type { IncludeTree, IncludedList } from '../request/query/include-tree.js'
import { formatQuery } from '../request/query/parse-query.js'
import type { AttributeWriter } from '../document/attribute-writer.js'
import type { Relationship, RestModel } from '../rest-model.js'
import { mayRead } from '../relationship-capabilities.js'
import { selectFields } from '../../prisma/keys.js'
import { idSelect, rowSelect } from './delegate-calls.js'

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
export interface SelectedRelationship {
  readonly relationship: Relationship
  /** Whether the resource contains the relationship. A fieldset may omit a relationship whose resources are included. */
  readonly visible: boolean
  /** The selection of the included related resources. Undefined if they are not included. */
  readonly included: Selection | undefined
  /** The parameters of the included list. */
  readonly list: IncludedList | undefined
  /** Whether its related resources are counted. */
  readonly hasTotal: boolean
  /** The JSON of its `links`, split at the places where the resource's own URL is inserted. Empty if no route serves them. */
  readonly links: readonly string[]
  /** `links` for a truncated list, with a link to the next page. */
  readonly nextLinks: readonly string[]
}

/** Creates selections. The default selection of each model is cached. */
export interface Selector {
  /**
   * Selects the fields of a model to load and to include in the response.
   * @param include the relations to include
   * @param fieldsets the fields in `fields[type]`, by model
   * @param counts the to-many relations whose related resources are counted. Default: none
   */
  select(
    model: RestModel,
    include: IncludeTree | undefined,
    fieldsets: Fieldsets,
    counts?: ReadonlySet<string>,
  ): Selection
}

const NONE: ReadonlySet<string> = new Set()

/** Creates the {@link Selector} of a handler. */
export function createSelector(): Selector {
  const defaults = new Map<RestModel, Selection>()
  const build = (
    model: RestModel,
    include: IncludeTree | undefined,
    fieldsets: Fieldsets,
    counts: ReadonlySet<string>,
  ): Selection => {
    const fieldset = fieldsets.get(model)
    const isSelected = (name: string) => !fieldset || fieldset.has(name)
    const attributes = [...model.attributes.values(), ...model.computed.values()].filter(({ wire }) => isSelected(wire))
    const relationships = [...model.relationships.values()].flatMap((relationship): SelectedRelationship[] => {
      const node = include?.get(relationship.name)
      const included = node && build(relationship.target, node.nested, fieldsets, NONE)
      const list = node?.list
      const visible = isSelected(relationship.name)
      return visible || included
        ? [
            {
              relationship,
              visible,
              included,
              list,
              hasTotal: visible && counts.has(relationship.name),
              ...relationshipLinks(model, relationship, list),
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
    select(model, include, fieldsets, counts = NONE) {
      const isPlain = fieldsets.size === 0 && counts.size === 0 && !(include && include.size > 0)
      if (!isPlain) return build(model, include, fieldsets, counts)
      const cached = defaults.get(model)
      if (cached) return cached
      const selection = build(model, undefined, fieldsets, NONE)
      defaults.set(model, selection)
      return selection
    },
  }
}

/** Returns the links of a relationship. The links of an included list contain its parameters. */
function relationshipLinks(
  { routes }: RestModel,
  relationship: Relationship,
  list: IncludedList | undefined,
): Pick<SelectedRelationship, 'links' | 'nextLinks'> {
  const { name, linkage } = relationship
  const isReadable = mayRead(relationship)
  const isLinked = isReadable || linkage !== undefined
  const links: [name: string, path: string][] = []
  if (isReadable && routes.has(`/:id/${name}`)) links.push(['related', `/${name}${list ? listQuery(list, 0) : ''}`])
  if (isLinked && routes.has(`/:id/relationships/${name}`)) links.push(['self', `/relationships/${name}`])
  const hasNext = list?.limit !== undefined && links[0]?.[0] === 'related'
  const parts = splitAtSelf(links, hasNext ? ',"next":null}' : '}')
  if (!hasNext) return { links: parts, nextLinks: parts }
  return { links: parts, nextLinks: splitAtSelf([...links, ['next', `/${name}${listQuery(list, list.limit)}`]], '}') }
}

/** Returns the JSON of links, split at the places where the resource's own URL is inserted. */
function splitAtSelf(links: readonly (readonly [name: string, path: string])[], end: string): readonly string[] {
  if (links.length === 0) return []
  const prefixes = links.map(([name], index) => `${index === 0 ? '"links":{' : '",'}"${name}":"`)
  return [prefixes[0] ?? '', ...links.map(([, path], index) => path + (prefixes[index + 1] ?? `"${end}`))]
}

/** Returns the query that requests an included list as a related collection. */
function listQuery({ parameters, limit }: IncludedList, offset: number): string {
  return formatQuery([
    ...parameters,
    ...(offset > 0 ? [{ name: 'page[offset]', value: String(offset) }] : []),
    ...(limit === undefined ? [] : [{ name: 'page[limit]', value: String(limit) }]),
  ])
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

/** Returns a `select` that contains the fieldset plus the fields that ids and linkage require. The client adds those that computed fields require. */
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
  const counted = relationships
    .filter((selected) => selected.hasTotal)
    .map(({ relationship }) => [relationship.name, true])
  if (counted.length > 0) args['_count'] = { select: Object.fromEntries(counted) }
  return args
}
