import type { Relationship, RestModel } from '../../rest/rest-model.js'
import { JSONAPI } from '../../rest/document/respond.js'
import { mayRead } from '../../rest/relationship-capabilities.js'
import { formatId } from '../../rest/request/resource-id.js'
import type { Field } from '../../schema/resource.js'
import { exampleValues, exampleRow, exampleMeta } from '../example-value.js'
import { createRequirements, writableAttributes, writableRelationships } from './writable-members.js'

/** Returns an example document of a model, or undefined if its id has no example. */
export function documentExample(model: RestModel): object | undefined {
  const resource = resourceExample(model, 'data')
  return resource && { data: resource.data, jsonapi: JSONAPI, links: resource.links, meta: resource.meta }
}

/** Returns an example page with a single resource, as if its fieldset contained only attributes. */
export function collectionExample(model: RestModel): object | undefined {
  const resource = resourceExample(model, 'data.0', false)
  if (!resource) return undefined
  const page = `${model.url}?page%5Boffset%5D=0`
  const links = { self: model.url, first: page, last: page, prev: null, next: null }
  return { data: [resource.data], jsonapi: JSONAPI, links, meta: { total: 1, ...resource.meta } }
}

/** Returns an example of a relationship's linkage in a request. */
export function linkageExample({ relation, target }: Relationship): object | undefined {
  const identifier = identifierExample(target)
  return identifier && { data: relation.many ? [identifier] : identifier }
}

/** Returns an example body of a create with only the required members. */
export function createExample(model: RestModel, ownerRelationship?: Relationship): object | undefined {
  const { takesId, attributes, relationships } = createRequirements(model, ownerRelationship)
  const idNames = new Set(model.id.fields.map(({ name }) => name))
  const hasId = takesId && model.required.some(({ name }) => idNames.has(name))
  const written = new Set(writableRelationships(model).map(({ name }) => name))
  const wireNames = new Set(attributes)
  const linked = new Set(relationships)
  for (const { name, wire } of model.required) {
    if (wireNames.has(wire) || (hasId && idNames.has(name))) continue
    const keys = model.foreignKeys.get(name) ?? []
    if (keys.some(({ relation }) => relation === ownerRelationship?.name)) continue
    const keyRelation = keys.find(({ relation }) => written.has(relation))?.relation
    if (keyRelation === undefined) wireNames.add(wire)
    else linked.add(keyRelation)
  }
  const id = hasId ? formatExampleId(model) : undefined
  const values = attributesExample(model, [...wireNames])
  const linkages = [...linked].flatMap((name): [string, object][] => {
    const relationship = model.relationships.get(name)
    const linkage = relationship && linkageExample(relationship)
    return linkage ? [[name, linkage]] : []
  })
  if (!values || (hasId && id === undefined) || linkages.length < linked.size) return undefined
  return {
    data: {
      type: model.type,
      ...(id !== undefined && { id }),
      ...(wireNames.size > 0 && { attributes: values }),
      ...(linkages.length > 0 && { relationships: Object.fromEntries(linkages) }),
    },
  }
}

/** Returns an example body of an update with some of the writable members. */
export function updateExample(model: RestModel): object {
  const { type, foreignKeys } = model
  const row = exampleRow(model.model)
  const unique = new Set([...model.model.uniques.values()].flat())
  const written = writableAttributes(model).filter(({ name }) => row.has(name))
  const plain = written.filter(({ name }) => !unique.has(name) && !foreignKeys.has(name))
  const wireNames = (plain.length > 0 ? plain : written).slice(0, 2).map(({ wire }) => wire)
  if (wireNames.length > 0) return { data: { type, attributes: attributesExample(model, wireNames) } }
  const [relationship] = writableRelationships(model)
  const linkage = relationship && linkageExample(relationship)
  return { data: { type, ...(linkage && { relationships: { [relationship.name]: linkage } }) } }
}

function attributesExample(model: RestModel, wireNames: readonly string[]): object | undefined {
  const row = exampleRow(model.model)
  const entries = wireNames.map((wire): [string, unknown] => [wire, row.get(model.bodyFields.get(wire)?.name ?? '')])
  return entries.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(entries)
}

interface ResourceExample {
  readonly data: object
  readonly links: { readonly self: string }
  readonly meta: object
}

function resourceExample(model: RestModel, path: string, withRelationships = true): ResourceExample | undefined {
  const id = formatExampleId(model)
  if (id === undefined) return undefined
  const row = exampleRow(model.model)
  const attributes = [...model.attributes.values()].flatMap(({ wire, name, field }): [string, Field, unknown][] => {
    const value = row.get(name) ?? (field.optional && !field.list ? null : undefined)
    return value === undefined ? [] : [[wire, field, value]]
  })
  const self = `${model.url}/${encodeURIComponent(id)}`
  const relationships = [...model.relationships.values()].flatMap((relationship): [string, object][] => {
    const member = withRelationships && relationshipExample(relationship, model, self)
    return member ? [[relationship.name, member]] : []
  })
  const meta = exampleMeta(attributes.map(([wire, field, value]) => [`${path}.attributes.${wire}`, field, value]))
  const links = { self }
  return {
    data: {
      type: model.type,
      id,
      ...(attributes.length > 0 && {
        attributes: Object.fromEntries(attributes.map(([wire, , value]) => [wire, value])),
      }),
      ...(relationships.length > 0 && { relationships: Object.fromEntries(relationships) }),
      ...(model.routes.has('/:id') && { links }),
    },
    links,
    meta,
  }
}

/** Returns an example relationship: links and, if the row has the foreign key, linkage. */
function relationshipExample(relationship: Relationship, { routes }: RestModel, self: string): object | undefined {
  const { name, target, linkage } = relationship
  const isReadable = mayRead(relationship)
  const data = linkage && identifierExample(target)
  const links = {
    ...((isReadable || linkage) &&
      routes.has(`/:id/relationships/${name}`) && { self: `${self}/relationships/${name}` }),
    ...(isReadable && routes.has(`/:id/${name}`) && { related: `${self}/${name}` }),
  }
  const hasLinks = Object.keys(links).length > 0
  return data || hasLinks ? { ...(data && { data }), ...(hasLinks && { links }) } : undefined
}

function identifierExample(model: RestModel): object | undefined {
  const id = formatExampleId(model)
  return id === undefined ? undefined : { type: model.type, id }
}

function formatExampleId({ id, model }: RestModel): string | undefined {
  const values = exampleValues(
    model,
    id.fields.map(({ name }) => name),
  )
  return values && formatId(id, values)
}
