import type { Fieldsets } from '../request/fields.js'
import type { IncludeTree } from '../request/include.js'
import type { IncludedList } from '../request/included-lists.js'
import { formatQuery } from '../request/query.js'
import type { AttributeWriter } from '../document/attribute-json.js'
import type { Relationship, RestModel } from '../model.js'
import { mayRead } from '../permissions.js'
import { selectFields } from '../../orm/select-fields.js'

/** What an answer shows of the resources of one type, and what Prisma has to load for it. */
export interface Selection {
  readonly model: RestModel
  readonly attributes: readonly AttributeWriter[]
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
  /** What is asked of it as an included list. */
  readonly list: IncludedList | undefined
  /** Whether its members are counted. */
  readonly counted: boolean
  /** The JSON of its `links`, to be written around the resource's own URL; empty where nothing serves them. */
  readonly links: readonly string[]
  /** The same where the list goes on behind what is included of it. */
  readonly linksOfCut: readonly string[]
}

/** Makes selections. What no request narrows or widens is computed once for each model. */
export interface Selector {
  /**
   * What to show and to load of a model.
   * @param include relations to include
   * @param fieldsets what `fields[type]` left, by model
   * @param counts the to-many relations whose members are counted; default: none
   */
  select(
    model: RestModel,
    include: IncludeTree | undefined,
    fieldsets: Fieldsets,
    counts?: ReadonlySet<string>,
  ): Selection
}

const NONE: ReadonlySet<string> = new Set()

/** Makes the {@link Selector} of a handler. */
export function createSelector(): Selector {
  const plain = new Map<RestModel, Selection>()
  const build = (
    model: RestModel,
    include: IncludeTree | undefined,
    fieldsets: Fieldsets,
    counts: ReadonlySet<string>,
  ): Selection => {
    const fieldset = fieldsets.get(model)
    const shows = (name: string) => !fieldset || fieldset.has(name)
    const attributes = [...model.attributes.values(), ...model.computed.values()].filter(({ wire }) => shows(wire))
    const relationships = [...model.relationships.values()].flatMap((relationship): SelectedRelationship[] => {
      const node = include?.get(relationship.name)
      const included = node && build(relationship.target, node.below, fieldsets, NONE)
      const list = node?.list
      const shown = shows(relationship.name)
      return shown || included
        ? [
            {
              relationship,
              shown,
              included,
              list,
              counted: shown && counts.has(relationship.name),
              ...linkTexts(model, relationship, list),
            },
          ]
        : []
    })
    const args = fieldset ? { select: narrow(model, attributes, relationships) } : whole(model, relationships)
    const loadsLater = relationships.some(({ relationship, included }) => {
      return included && (relationship.relation.many || included.loadsLater)
    })
    return { model, attributes, relationships, args, loadsLater }
  }
  return {
    select(model, include, fieldsets, counts = NONE) {
      const isPlain = fieldsets.size === 0 && counts.size === 0 && !(include && include.size > 0)
      if (!isPlain) return build(model, include, fieldsets, counts)
      const known = plain.get(model)
      if (known) return known
      const selection = build(model, undefined, fieldsets, NONE)
      plain.set(model, selection)
      return selection
    },
  }
}

/** The links of a relationship; of an included list, they ask for what is asked of it. */
function linkTexts(
  { served }: RestModel,
  relationship: Relationship,
  list: IncludedList | undefined,
): Pick<SelectedRelationship, 'links' | 'linksOfCut'> {
  const { name, linkage } = relationship
  const isReadable = mayRead(relationship)
  const isLinked = isReadable || linkage !== undefined
  const links: [name: string, path: string][] = []
  if (isReadable && served.has(`/:id/${name}`)) links.push(['related', `/${name}${list ? listQuery(list, 0) : ''}`])
  if (isLinked && served.has(`/:id/relationships/${name}`)) links.push(['self', `/relationships/${name}`])
  const isCut = list?.limit !== undefined && links[0]?.[0] === 'related'
  const plain = aroundSelf(links, isCut ? ',"next":null}' : '}')
  if (!isCut) return { links: plain, linksOfCut: plain }
  return { links: plain, linksOfCut: aroundSelf([...links, ['next', `/${name}${listQuery(list, list.limit)}`]], '}') }
}

/** The JSON of links, to be written around the resource's own URL. */
function aroundSelf(links: readonly (readonly [name: string, path: string])[], end: string): readonly string[] {
  if (links.length === 0) return []
  const heads = links.map(([name], index) => `${index === 0 ? '"links":{' : '",'}"${name}":"`)
  return [heads[0] ?? '', ...links.map(([, path], index) => path + (heads[index + 1] ?? `"${end}`))]
}

/** The query of a related collection that is asked for what is asked of it as an included list. */
function listQuery({ parameters, limit }: IncludedList, offset: number): string {
  return formatQuery([
    ...parameters,
    ...(offset > 0 ? [{ name: 'page[offset]', value: String(offset) }] : []),
    ...(limit === undefined ? [] : [{ name: 'page[limit]', value: String(limit) }]),
  ])
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
  return { ...selectFields(names), ...loaded(relationships) }
}

/** The to-one relations to load: the included ones, and linkage that the row does not hold; and what is counted. */
function loaded(relationships: readonly SelectedRelationship[]): Record<string, unknown> {
  const args: Record<string, unknown> = {}
  for (const { relationship, included } of relationships) {
    const { name, relation, target, linkage } = relationship
    if (relation.many) continue
    if (included) args[name] = Object.keys(included.args).length > 0 ? included.args : true
    else if (!linkage && mayRead(relationship)) args[name] = { select: idSelect(target) }
  }
  const counted = relationships.filter((one) => one.counted).map(({ relationship }) => [relationship.name, true])
  if (counted.length > 0) args['_count'] = { select: Object.fromEntries(counted) }
  return args
}

/** The fields of a model's id, in Prisma's `select` form. */
export function idSelect(model: RestModel): Record<string, true> {
  return selectFields(model.locking.id)
}

/** The same, with what tells the revisions of a row apart. */
export function rowSelect(model: RestModel): Record<string, true> {
  const { version } = model.model
  return version ? { ...idSelect(model), [version.name]: true } : idSelect(model)
}
