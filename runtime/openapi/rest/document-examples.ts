import type { Relationship, RestModel } from '../../rest/rest-model.js'
import { formatId } from '../../rest/request/resource-id.js'
import { exampleValues, exampleRow } from '../example-value.js'
import { createRequirements, writableAttributes, writableRelationships } from './writable-members.js'

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

/** Returns an example resource of a model, as if its fieldset contained only attributes. Undefined if its id has no example. */
export function resourceExample(model: RestModel): object | undefined {
  const id = formatExampleId(model)
  if (id === undefined) return undefined
  const row = exampleRow(model.model)
  const attributes = [...model.attributes.values()].flatMap(({ wire, name, field }): [string, unknown][] => {
    const value = row.get(name) ?? (field.optional && !field.list ? null : undefined)
    return value === undefined ? [] : [[wire, value]]
  })
  const self = `${model.url}/${encodeURIComponent(id)}`
  return {
    type: model.type,
    id,
    ...(attributes.length > 0 && { attributes: Object.fromEntries(attributes) }),
    ...(model.routes.has('/:id') && { links: { self } }),
  }
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
