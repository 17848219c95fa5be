import { type Operation, type Resource, getUniques } from './resource.js'
import { getVersion, type Version } from './version-field.js'
import {
  type Schema,
  type Model,
  type ModelRelation,
  type VersionChecks,
  requiredRelations,
  isRequiredOnCreate,
} from './model.js'

const ALL_OPERATIONS: readonly Operation[] = ['list', 'get', 'create', 'update', 'delete']

/**
 * Indexes resources for lookup.
 * @param resources all resources of a handler
 * @param addsData whether the app may add values to a new row of a model, in addition to those from the caller
 * @param computed names of computed fields to expose, by model
 * @param createVersionChecks creates the checks of a model's version in RPC arguments
 */
export function compileSchema(
  resources: Iterable<Resource>,
  addsData: (model: string) => boolean = () => false,
  computed: ReadonlyMap<string, ReadonlySet<string>> = new Map(),
  createVersionChecks?: (model: string, version: Version) => VersionChecks,
): Schema {
  const schema = new Map<string, Model & { relations: Map<string, ModelRelation> }>()
  const all = [...resources]
  for (const resource of all) {
    const fields = Object.entries(resource.fields)
    const version = getVersion(resource)
    const unreadable = fields.filter(([, field]) => field.hidden || field.writeOnly)
    const readOnly = readOnlyFields(resource)
    const hasHookData = addsData(resource.model)
    const required = fields.filter(([name, field]) => !field.hidden && !readOnly.has(name) && isRequiredOnCreate(field))
    schema.set(resource.model, {
      ...resource,
      name: resource.model,
      uniques: new Map(Object.entries(getUniques(resource))),
      fields: new Map(fields.filter(([, field]) => !field.hidden)),
      readOnly,
      required: new Set(hasHookData ? [] : required.map(([name]) => name)),
      requiredRelations: new Set(hasHookData ? [] : requiredRelations(resource, readOnly)),
      serverSetFields: findServerSetFields(resource, readOnly),
      relations: new Map(),
      omit: unreadable.length > 0 ? Object.fromEntries(unreadable.map(([name]) => [name, true as const])) : undefined,
      computed: computed.get(resource.model) ?? new Set(),
      version,
      versionChecks: version && createVersionChecks?.(resource.model, version),
      operations: new Set(resource.operations ?? ALL_OPERATIONS),
    })
  }
  const raw = new Map(all.map((resource) => [resource.model, resource.relations]))
  for (const resource of all) {
    const relations = schema.get(resource.model)?.relations
    for (const [name, relation] of Object.entries(resource.relations)) {
      const target = schema.get(relation.model)
      if (!target || relation.hidden) continue
      const inverseRelation = relation.inverse === undefined ? undefined : raw.get(relation.model)?.[relation.inverse]
      const key = Object.keys(relation.foreignKey ?? {})
      const nullableKeys = key.filter((field) => resource.fields[field]?.optional)
      relations?.set(name, { ...relation, target, nullableKeys, ...(inverseRelation && { inverseRelation }) })
    }
  }
  return schema
}

function findServerSetFields(
  { fields, relations }: Resource,
  readOnly: ReadonlySet<string>,
): ReadonlyMap<string, string> {
  const serverSetFields = new Map<string, string>()
  const keys = Object.entries(relations).flatMap(([name, relation]) =>
    relation.foreignKey ? [{ name, ...relation }] : [],
  )
  for (const [name, field] of Object.entries(fields)) {
    if (!isRequiredOnCreate(field) || !(field.hidden || readOnly.has(name))) continue
    const keyRelations = keys.filter(({ foreignKey = {} }) => Object.hasOwn(foreignKey, name))
    const isWritten = (key: (typeof keys)[number]) => {
      return !key.hidden && !key.readOnly && !Object.keys(key.foreignKey ?? {}).some((part) => readOnly.has(part))
    }
    if (keyRelations.some(isWritten)) continue
    for (const called of [name, ...keyRelations.map((key) => key.name)]) serverSetFields.set(called, name)
  }
  return serverSetFields
}

function readOnlyFields({ fields, relations }: Resource): ReadonlySet<string> {
  const directFields = Object.entries(fields).flatMap(([name, { readOnly, version, serverSet }]) =>
    readOnly || version || serverSet ? [name] : [],
  )
  const keys = Object.values(relations).flatMap(({ readOnly, foreignKey = {} }) =>
    readOnly ? Object.keys(foreignKey) : [],
  )
  return new Set([...directFields, ...keys])
}
