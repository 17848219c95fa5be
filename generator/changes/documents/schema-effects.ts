import type { ModelSpec, Operation, RelationSpec } from '../../model/api-model.js'
import { getIdFields } from '../../model/writable-fields.js'
import { requiresVersions } from '../../model/version-field.js'
import type { ApiSnapshot } from '../api-snapshot.js'
import { findRenamedModels } from '../compare/renames.js'
import { capitalize } from '../phrases.js'
import type { DocumentOperation } from './document-summary.js'

/** The differences between documents that result from a schema change. The schema comparison reports these. */
export interface SchemaEffects {
  /** The new names of renamed models, by old name. */
  readonly renamedModels: ReadonlyMap<string, string>
  /** Whether the schema adds or removes an operation. False for operations of custom routes, which the generator does not emit. */
  changesOperation(operation: DocumentOperation): boolean
  /** Whether the generator emits an operation. False for operations of custom routes. */
  isEmitted(operation: DocumentOperation): boolean
  /** The names under which RPC requests to the custom routes of a model contain the id and the version of a row. */
  rowArguments(model: string | undefined): ReadonlySet<string>
  /** Whether the types of a model's id filter in both documents are those of the ids in the schemas. */
  changesId(model: string, from: string, to: string): boolean
}

/** Determines the effects of a schema change on documents. */
export function createSchemaEffects(before: ApiSnapshot, after: ApiSnapshot): SchemaEffects {
  // Both sides use the same target models. Otherwise, a nested route that changes with its target would count as reported, although the
  // report of the target does not mention it.
  const targets = [...before.api.models, ...after.api.models]
  const [oldKeys, newKeys] = [emittedKeys(before, targets), emittedKeys(after, targets)]
  return {
    renamedModels: findRenamedModels(before.api.models, after.api.models),
    changesOperation: (operation) => operationKeys(operation).some((key) => oldKeys.has(key) !== newKeys.has(key)),
    isEmitted: (operation) => operationKeys(operation).some((key) => oldKeys.has(key) || newKeys.has(key)),
    rowArguments: (name) => {
      const models = [before, after].flatMap(({ api }) => api.models.filter((model) => model.name === name))
      const versions = models.flatMap(({ fields }) => fields.filter(({ version }) => version !== undefined))
      return new Set([...models.map(({ id }) => id), ...versions.map((field) => field.name)])
    },
    changesId: (model, from, to) => from === idFilter(before, model) && to === idFilter(after, model),
  }
}

function operationKeys({ model, method, path, name }: DocumentOperation): readonly string[] {
  return [`${model} ${method} ${path.replace(/^\/[^/]+/, '')}`, `${model} ${name}`]
}

function idFilter({ api }: ApiSnapshot, name: string): string | undefined {
  const model = api.models.find((each) => each.name === name)
  const [id, ...others] = model?.fields.filter((field) => getIdFields(model).includes(field.name)) ?? []
  return others.length > 0 ? 'IdFilter' : id && `${id.uuid ? 'Uuid' : id.type}Filter`
}

/**
 * Returns the keys of all emitted operations: the route for REST, such as `Post GET /{id}`, and the operation id for RPC, such as
 * `Post postFindMany`. RPC operations are identified by their id, because a custom REST route can have the same
 * path, such as `/count`.
 */
function emittedKeys({ api, options }: ApiSnapshot, targets: readonly ModelSpec[]): ReadonlySet<string> {
  const hasNestedRoutes = options.features.rest.includes('nestedRoutes')
  return new Set(
    api.models.flatMap((model) => {
      const relations = model.relations.flatMap((relation) => [
        ...relationRoutes(model, relation, api.models),
        ...(hasNestedRoutes ? nestedRoutes(model, relation, targets) : []),
      ])
      return [...modelRoutes(model), ...relations, ...rpcOperationIds(model)].map((key) => `${model.name} ${key}`)
    }),
  )
}

/** The REST route of each operation, below the path of the model. */
const ROUTES: Readonly<Record<Operation, string>> = {
  list: 'GET ',
  get: 'GET /{id}',
  create: 'POST ',
  update: 'PATCH /{id}',
  delete: 'DELETE /{id}',
}

function modelRoutes({ operations }: ModelSpec): string[] {
  return operations.map((operation) => ROUTES[operation])
}

function relationRoutes({ operations }: ModelSpec, relation: RelationSpec, models: readonly ModelSpec[]): string[] {
  const { name, exposure, many, dependent } = relation
  const target = models.find((model) => model.name === relation.target)
  const linkage = `/{id}/relationships/${name}`
  const isReadable = exposure !== 'hidden' && operations.includes('get')
  const isWritable = exposure === 'full' && operations.includes('update') && !requiresVersions(relation, target)
  return [
    ...(isReadable ? [`GET /{id}/${name}`, `GET ${linkage}`] : []),
    ...(isWritable ? [`PATCH ${linkage}`] : []),
    ...(isWritable && many ? [`POST ${linkage}`] : []),
    ...(isWritable && many && !dependent ? [`DELETE ${linkage}`] : []),
  ]
}

function nestedRoutes(
  { operations }: ModelSpec,
  { name, exposure, many, target: targetName, inverse }: RelationSpec,
  targets: readonly ModelSpec[],
): string[] {
  const target = targets.find((model) => model.name === targetName)
  if (!target || exposure === 'hidden' || !operations.includes('get')) return []
  const allows = (operation: Operation) => target.operations.includes(operation)
  const isCreatable = target.relations.some((relation) => relation.name === inverse && relation.exposure === 'full')
  const [list, member] = [`/{id}/${name}`, `/{id}/${name}/{relatedId}`]
  if (!many) return allows('update') ? [`PATCH ${list}`] : []
  return [
    ...(isCreatable && allows('create') ? [`POST ${list}`] : []),
    ...(allows('get') ? [`GET ${member}`] : []),
    ...(allows('update') ? [`PATCH ${member}`] : []),
    ...(allows('delete') ? [`DELETE ${member}`] : []),
  ]
}

function rpcOperationIds({ delegate, prismaOperations }: ModelSpec): string[] {
  const names = [...prismaOperations, 'check', ...(prismaOperations.includes('findFirst') ? ['exists'] : [])]
  return names.flatMap((name) => {
    const id = `${delegate}${capitalize(name)}`
    return [id, `${id}WithBody`]
  })
}
