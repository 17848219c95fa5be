import type { Route } from '../../http/route.js'
import { inverseRelationship, type Relationship, type RestModel } from '../../rest/model.js'
import { isReadOnly, mayRead } from '../../rest/permissions.js'
import type { AppErrors } from '../error-responses.js'
import type { HttpMethod, OperationObject, PathItem, Reference, RequestBody, ResponseObject } from '../document.js'
import { keyParameters } from '../idempotency-key.js'
import { capitalize, type NameAllocator, pluralize } from '../names.js'
import { CHANGES, DESCRIPTIONS } from './descriptions.js'
import { modelSchemaNames, type RestDocumentContext } from './context.js'
import {
  collectionResponseObject,
  createdResponseObject,
  linkageResponseObject,
  relatedResponseObject,
  resourceResponseObject,
} from './responses.js'
import { preconditionSchemas, type ResourceUse } from './preconditions.js'
import { createBody, createMemberBody, linkageBody, updateBody } from './bodies.js'
import { errorResponses, isWrite, type OperationKind } from './error-responses.js'
import {
  collectionParameters,
  linkageParameters,
  relatedParameters,
  idParameter,
  relatedIdParameter,
  linkageIncludeParameter,
  preferParameter,
  resourceParameters,
} from './parameters.js'

interface Describing {
  readonly described: RestDocumentContext
  readonly appErrors: AppErrors
  readonly operationIds: NameAllocator
}

const METHODS: Readonly<Record<string, HttpMethod>> = {
  GET: 'get',
  POST: 'post',
  PATCH: 'patch',
  PUT: 'put',
  DELETE: 'delete',
}
const LINKAGE = /^\/:id\/relationships\/(\w+)$/
const RELATED = /^\/:id\/(\w+)$/
const MEMBER = /^\/:id\/(\w+)\/:relatedId$/

/** Returns the paths of a model, with all routes that do not always reject. */
export function modelPaths(
  model: RestModel,
  routes: readonly Route[],
  describing: Describing,
): readonly (readonly [path: string, item: PathItem])[] {
  const paths = new Map<string, Record<string, unknown>>()
  for (const { method, path } of routes) {
    const verb = METHODS[method]
    const operation = verb && describeOperation(model, verb, path, describing)
    if (!operation) continue
    const at = `/${model.type}${path === '/' ? '' : path.replace(/:(id|relatedId)/g, '{$1}')}`
    const item = paths.get(at) ?? pathItem(path, describing)
    item[verb] = operation
    paths.set(at, item)
  }
  return [...paths]
}

function pathItem(path: string, { described }: Describing): Record<string, unknown> {
  if (path === '/') return {}
  const related = MEMBER.test(path) && !LINKAGE.test(path) ? [relatedIdParameter(described)] : []
  return { parameters: [idParameter(described), ...related] }
}

function describeOperation(
  model: RestModel,
  method: HttpMethod,
  path: string,
  describing: Describing,
): OperationObject | undefined {
  if (path === '/') return method === 'get' ? list(model, describing) : create(model, describing)
  if (path === '/:id') {
    if (method === 'get') return get(model, describing)
    return method === 'delete' ? remove(model, describing) : update(model, method, describing)
  }
  const [, linked] = LINKAGE.exec(path) ?? []
  const [, relatedTo] = RELATED.exec(path) ?? []
  const [, membersOf] = MEMBER.exec(path) ?? []
  const relationship = model.relationships.get(linked ?? relatedTo ?? membersOf ?? '')
  if (!relationship) return undefined
  const isNested = linked === undefined && (membersOf !== undefined || method !== 'get')
  if (isNested) return nested(model, relationship, method, describing)
  if (relatedTo !== undefined) return mayRead(relationship) ? related(model, relationship, describing) : undefined
  if (method !== 'get') {
    return isReadOnly(relationship, model) ? undefined : changeLinkage(model, relationship, method, describing)
  }
  return mayRead(relationship) || relationship.linkage ? linkage(model, relationship, describing) : undefined
}

/** Describes an operation on a resource that is addressed through a related one. */
function nested(
  model: RestModel,
  relationship: Relationship,
  method: HttpMethod,
  describing: Describing,
): OperationObject | undefined {
  const { target, name } = relationship
  const of = `${modelSchemaNames(describing.described, model).resource}${capitalize(name)}`
  const summary = (what: string) => `${what} of "${name}"`
  if (method === 'get')
    return get(target, describing, { model, id: `get${of}Member`, summary: summary('One resource') })
  if (method === 'delete') {
    return remove(target, describing, { model, id: `delete${of}Member`, summary: summary('Delete a resource') })
  }
  if (method === 'post') {
    const inverse = inverseRelationship(relationship)
    if (!inverse || isReadOnly(inverse, target)) return undefined
    return createMember(target, inverse, describing, {
      model,
      id: `create${of}Member`,
      summary: summary('A new resource'),
    })
  }
  const id = relationship.relation.many ? `update${of}Member` : `update${of}`
  return update(target, method, describing, { model, id, summary: summary('Change a resource') })
}

/** The names of an operation on a resource that is addressed through a related one. */
interface Through {
  readonly model: RestModel
  readonly id: string
  readonly summary: string
}

function list(model: RestModel, describing: Describing): OperationObject {
  const { described } = describing
  return operation(model, describing, 'list', {
    id: `list${pluralize(modelSchemaNames(described, model).resource)}`,
    summary: `A page of "${model.type}"`,
    description: DESCRIPTIONS.list,
    parameters: [...collectionParameters(model, described), ...resourceParameters(model, described)],
    responses: { 200: collectionResponseObject(model, described) },
  })
}

function get(model: RestModel, describing: Describing, through?: Through): OperationObject {
  const { described } = describing
  return operation(through?.model ?? model, describing, 'get', {
    id: through?.id ?? `get${modelSchemaNames(described, model).resource}`,
    summary: through?.summary ?? `One "${model.type}"`,
    description: DESCRIPTIONS.get,
    parameters: resourceParameters(model, described),
    responses: { 200: resourceResponseObject(model, described) },
    about: [model, 'read'],
  })
}

function create(model: RestModel, describing: Describing): OperationObject {
  const { described } = describing
  const mayUpsert = model.model.operations.has('update')
  return operation(model, describing, 'create', {
    id: `create${modelSchemaNames(described, model).resource}`,
    summary: `A new "${model.type}"`,
    description: mayUpsert ? DESCRIPTIONS.createOrUpdate : DESCRIPTIONS.create,
    parameters: [...resourceParameters(model, described), preferParameter(described)],
    body: createBody(model, described),
    responses: {
      ...(mayUpsert && { 200: resourceResponseObject(model, described) }),
      201: createdResponseObject(model, described),
    },
    ...(mayUpsert && { about: [model, 'upsert'] }),
  })
}

function createMember(
  model: RestModel,
  inverse: Relationship,
  describing: Describing,
  through: Through,
): OperationObject {
  const { described } = describing
  return operation(through.model, describing, 'create', {
    id: through.id,
    summary: through.summary,
    description: DESCRIPTIONS.createMember,
    parameters: [...resourceParameters(model, described), preferParameter(described)],
    body: createMemberBody(model, inverse, described),
    responses: { 201: createdResponseObject(model, described) },
  })
}

function update(model: RestModel, method: HttpMethod, describing: Describing, through?: Through): OperationObject {
  const { described } = describing
  const id = through?.id ?? `update${modelSchemaNames(described, model).resource}`
  return operation(through?.model ?? model, describing, 'update', {
    id: method === 'patch' ? id : `${id}WithPut`,
    summary: through?.summary ?? `Change a "${model.type}"`,
    description: method === 'patch' ? DESCRIPTIONS.update : CHANGES.put.description,
    parameters: [...resourceParameters(model, described), preferParameter(described)],
    body: updateBody(model, described),
    responses: { 200: resourceResponseObject(model, described) },
    about: [model, 'change'],
  })
}

function remove(model: RestModel, describing: Describing, through?: Through): OperationObject {
  return operation(through?.model ?? model, describing, 'delete', {
    id: through?.id ?? `delete${modelSchemaNames(describing.described, model).resource}`,
    summary: through?.summary ?? `Delete a "${model.type}"`,
    description: DESCRIPTIONS.delete,
    responses: { 204: { description: 'It was deleted.' } },
    about: [model, 'change'],
  })
}

function related(model: RestModel, relationship: Relationship, describing: Describing): OperationObject {
  const { described } = describing
  const { relation, target, name } = relationship
  const { resource } = modelSchemaNames(described, model)
  if (relation.many) {
    return operation(model, describing, 'related', {
      id: `list${resource}${capitalize(name)}`,
      summary: `The resources that "${name}" leads to`,
      description: `With all filters of \`GET /${target.type}\`.`,
      parameters: [...relatedParameters(target, described), ...resourceParameters(target, described)],
      responses: { 200: collectionResponseObject(target, described) },
    })
  }
  return operation(model, describing, 'relatedOne', {
    id: `get${resource}${capitalize(name)}`,
    summary: `The resource that "${name}" leads to`,
    description: DESCRIPTIONS.relatedOne,
    parameters: resourceParameters(target, described),
    responses: { 200: relatedResponseObject(target, described) },
    about: [target, 'read'],
  })
}

function linkage(model: RestModel, relationship: Relationship, describing: Describing): OperationObject {
  const { described } = describing
  const { relation, target, name } = relationship
  const isCompound = mayRead(relationship)
  const description = relation.many
    ? `The filters are those of \`GET /${target.type}\`, with all operators.`
    : DESCRIPTIONS.relatedOne
  const includeParameters = isCompound ? [linkageIncludeParameter(relationship, described)] : []
  const fields = isCompound ? resourceParameters(target, described).filter(isFields) : []
  return operation(model, describing, relation.many ? 'related' : 'relatedOne', {
    id: `get${modelSchemaNames(described, model).resource}${capitalize(name)}Relationship`,
    summary: `Which resources "${name}" leads to`,
    description,
    parameters: [...(relation.many ? linkageParameters(target, described) : []), ...includeParameters, ...fields],
    responses: { 200: linkageResponseObject(relationship, described, isCompound) },
  })
}

function isFields({ $ref }: Reference): boolean {
  return $ref.endsWith('-fields')
}

function changeLinkage(
  model: RestModel,
  relationship: Relationship,
  method: HttpMethod,
  describing: Describing,
): OperationObject {
  const { described } = describing
  const { name, relation } = relationship
  const what = `${modelSchemaNames(described, model).resource}${capitalize(name)}`
  const { id, summary, description } = CHANGES[method]
  const isReadable = relationship.linkage !== undefined || mayRead(relationship)
  return operation(model, describing, 'linkage', {
    method,
    id: id.replace('*', what),
    summary: summary.replace('*', `"${name}"`),
    description: relation.many || method === 'put' ? description : DESCRIPTIONS.replaceOne,
    body: linkageBody(relationship, described),
    responses: isReadable
      ? { 200: linkageResponseObject(relationship, described, false, model) }
      : { 204: { description: 'It was changed.' } },
    about: [model, 'change'],
  })
}

interface OperationParts {
  /** Set if the kind does not determine it. */
  readonly method?: HttpMethod
  readonly id: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: OperationObject['parameters']
  readonly body?: RequestBody | Reference
  readonly responses: Readonly<Record<number, ResponseObject | Reference>>
  /** The resource that the preconditions of the request refer to. */
  readonly about?: readonly [model: RestModel, use: ResourceUse]
}

function operation(
  model: RestModel,
  { described, appErrors, operationIds }: Describing,
  kind: OperationKind,
  parts: OperationParts,
): OperationObject {
  const { id, summary, description, body, responses, about } = parts
  const conditions = about && preconditionSchemas(...about, described)
  const keys = isWrite(kind) ? keyParameters(described, parts.method ?? (kind === 'delete' ? kind : 'post')) : []
  const parameters = [...(parts.parameters ?? []), ...(conditions?.parameters ?? []), ...keys]
  return {
    operationId: operationIds.unique(id),
    summary,
    ...(description !== undefined && { description }),
    tags: [model.model.name],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...responses, ...conditions?.responses, ...errorResponses(kind, described, appErrors, conditions) },
  }
}
