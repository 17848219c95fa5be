import type { Route } from '../../http/routing/route.js'
import { inverseRelationship, type Relationship, type RestModel } from '../../rest/rest-model.js'
import { isReadOnly, mayRead } from '../../rest/relationship-capabilities.js'
import { type AppErrors, keyParameters } from '../operation-errors.js'
import type {
  HttpMethod,
  OperationObject,
  PathItem,
  Reference,
  RequestBody,
  ResponseObject,
} from '../document-types.js'
import { type NameAllocator, capitalize, pluralize } from '../name-allocator.js'
import type { RestDocumentContext } from './rest-document-context.js'
import { modelSchemaNames } from './schema-names.js'
import {
  collectionResponseObject,
  createdResponseObject,
  linkageResponseObject,
  relatedResponseObject,
  resourceResponseObject,
  createBody,
  createMemberBody,
  linkageBody,
  updateBody,
} from './request-and-response-objects.js'
import { preconditionComponents, type ResourceUse } from './precondition-components.js'
import { errorResponses, isWrite, type OperationKind } from './error-responses.js'
import {
  collectionParameters,
  linkageParameters,
  relatedParameters,
  idParameter,
  relatedIdParameter,
  fieldsParameters,
  linkageIncludeParameter,
  preferParameters,
  resourceParameters,
} from './parameters.js'
import { upsertKeys } from './writable-members.js'

type DescribedMethod = Exclude<HttpMethod, 'put'>

/** Descriptions of operations, in addition to those of their parameters and schemas. */
const DESCRIPTIONS = {
  list: 'Returns the resources that match all filters, one page at a time.',
  get: 'Use `include` to also return related resources.',
  create: 'Relationships must refer to existing resources.',
  createOrUpdate:
    'Relationships must refer to existing resources. With `meta.operation` and `meta.matchFields`, an existing resource that matches is updated instead.',
  createMember: 'The new resource is related to the resource in the URL. The body can omit this relationship.',
  update: 'Fields that are not in the body do not change. A to-many relationship is replaced completely.',
  delete: 'The foreign keys in the database determine whether related resources are deleted, are kept or cause a 409.',
  relatedOne: 'Null if there is no related resource.',
  replaceOne: 'The related resources themselves do not change.',
} as const

/** Descriptions of changes to a relationship, by method. `*` is replaced with the name of the relationship. */
const CHANGES = {
  patch: {
    id: 'replace*',
    summary: 'Replace *',
    description: 'Replaces all members with those in the body.',
  },
  post: { id: 'addTo*', summary: 'Add members to *', description: 'Resources that are already members are ignored.' },
  delete: {
    id: 'removeFrom*',
    summary: 'Remove members from *',
    description: 'Resources that are not members are ignored.',
  },
  get: { id: 'get*', summary: '*', description: '' },
} as const satisfies Readonly<Record<DescribedMethod, object>>

/** The parts of a document that its operations share. */
export interface OperationContext {
  readonly doc: RestDocumentContext
  readonly appErrors: AppErrors
  readonly operationIds: NameAllocator
}

/** PUT is not listed, because it is equivalent to PATCH. */
const METHODS: Readonly<Record<string, DescribedMethod>> = {
  GET: 'get',
  POST: 'post',
  PATCH: 'patch',
  DELETE: 'delete',
}

/** Returns the paths of a model. Omits routes that reject every request. */
export function modelPaths(
  model: RestModel,
  routes: readonly Route[],
  context: OperationContext,
): readonly (readonly [path: string, item: PathItem])[] {
  const paths = new Map<string, Record<string, unknown>>()
  for (const route of routes) {
    const { method, path } = route
    const verb = METHODS[method]
    const operation = verb && describeOperation(model, verb, route, context)
    if (!operation) continue
    const at = `/${model.type}${path === '/' ? '' : path.replace(/:(id|relatedId)/g, '{$1}')}`
    const item = paths.get(at) ?? pathItem(model, route, context)
    item[verb] = operation
    paths.set(at, item)
  }
  return [...paths]
}

function pathItem(model: RestModel, { path }: Route, { doc }: OperationContext): Record<string, unknown> {
  const parameters = [
    ...(path === '/' ? resourceParameters(model, doc) : []),
    ...(path.includes('/:id') ? [idParameter(doc)] : []),
    ...(path.includes('/:relatedId') ? [relatedIdParameter(doc)] : []),
  ]
  return parameters.length > 0 ? { parameters } : {}
}

function describeOperation(
  model: RestModel,
  method: DescribedMethod,
  { operation, relation }: Route,
  context: OperationContext,
): OperationObject | undefined {
  if (relation === undefined) {
    if (operation === 'list') return list(model, context)
    if (operation === 'create') return create(model, context)
    if (operation === 'get') return get(model, context)
    return operation === 'delete' ? remove(model, context) : update(model, context)
  }
  const relationship = model.relationships.get(relation)
  if (!relationship) return undefined
  if (operation.endsWith('Member')) return nested(model, relationship, method, context)
  if (operation === 'related') return mayRead(relationship) ? related(model, relationship, context) : undefined
  if (operation === 'linkage') {
    return mayRead(relationship) || relationship.linkage ? linkage(model, relationship, context) : undefined
  }
  return isReadOnly(relationship, model) ? undefined : changeLinkage(model, relationship, method, context)
}

/** Describes an operation on a resource that is addressed through a related one. */
function nested(
  model: RestModel,
  relationship: Relationship,
  method: DescribedMethod,
  context: OperationContext,
): OperationObject | undefined {
  const { target, name } = relationship
  const subject = `${modelSchemaNames(context.doc, model).resource}${capitalize(name)}`
  const summary = (what: string) => `${what} of "${name}"`
  if (method === 'get')
    return get(target, context, { model, id: `get${subject}Member`, summary: summary('Get a resource') })
  if (method === 'delete') {
    return remove(target, context, { model, id: `delete${subject}Member`, summary: summary('Delete a resource') })
  }
  if (method === 'post') {
    const inverse = inverseRelationship(relationship)
    if (!inverse || isReadOnly(inverse, target)) return undefined
    return createMember(target, inverse, context, {
      model,
      id: `create${subject}Member`,
      summary: summary('Create a resource'),
    })
  }
  const id = relationship.relation.many ? `update${subject}Member` : `update${subject}`
  return update(target, context, { model, id, summary: summary('Update a resource') })
}

/** The names of an operation on a resource that is addressed through a related one. */
interface ParentResource {
  readonly model: RestModel
  readonly id: string
  readonly summary: string
}

function list(model: RestModel, context: OperationContext): OperationObject {
  const { doc } = context
  return operation(model, context, 'list', {
    id: `list${pluralize(modelSchemaNames(doc, model).resource)}`,
    summary: `List "${model.type}"`,
    description: DESCRIPTIONS.list,
    parameters: collectionParameters(model, doc),
    responses: { 200: collectionResponseObject(model, doc) },
  })
}

function get(model: RestModel, context: OperationContext, through?: ParentResource): OperationObject {
  const { doc } = context
  return operation(through?.model ?? model, context, 'get', {
    id: through?.id ?? `get${modelSchemaNames(doc, model).resource}`,
    summary: through?.summary ?? `Get a "${model.type}"`,
    description: DESCRIPTIONS.get,
    parameters: resourceParameters(model, doc),
    responses: { 200: resourceResponseObject(model, doc) },
    use: [model, 'read'],
  })
}

function create(model: RestModel, context: OperationContext): OperationObject {
  const { doc } = context
  const mayUpsert = upsertKeys(model).length > 0
  return operation(model, context, 'create', {
    id: `create${modelSchemaNames(doc, model).resource}`,
    summary: `Create a "${model.type}"`,
    description: mayUpsert ? DESCRIPTIONS.createOrUpdate : DESCRIPTIONS.create,
    parameters: preferParameters(doc),
    body: createBody(model, doc),
    responses: {
      ...(mayUpsert && { 200: resourceResponseObject(model, doc) }),
      201: createdResponseObject(model, doc),
    },
    ...(mayUpsert && { use: [model, 'upsert'] }),
  })
}

function createMember(
  model: RestModel,
  inverse: Relationship,
  context: OperationContext,
  through: ParentResource,
): OperationObject {
  const { doc } = context
  return operation(through.model, context, 'create', {
    id: through.id,
    summary: through.summary,
    description: DESCRIPTIONS.createMember,
    parameters: [...resourceParameters(model, doc), ...preferParameters(doc)],
    body: createMemberBody(model, inverse, doc),
    responses: { 201: createdResponseObject(model, doc) },
  })
}

function update(model: RestModel, context: OperationContext, through?: ParentResource): OperationObject {
  const { doc } = context
  return operation(through?.model ?? model, context, 'update', {
    id: through?.id ?? `update${modelSchemaNames(doc, model).resource}`,
    summary: through?.summary ?? `Update a "${model.type}"`,
    description: DESCRIPTIONS.update,
    parameters: [...resourceParameters(model, doc), ...preferParameters(doc)],
    body: updateBody(model, doc),
    responses: { 200: resourceResponseObject(model, doc) },
    use: [model, 'change'],
  })
}

function remove(model: RestModel, context: OperationContext, through?: ParentResource): OperationObject {
  return operation(through?.model ?? model, context, 'delete', {
    id: through?.id ?? `delete${modelSchemaNames(context.doc, model).resource}`,
    summary: through?.summary ?? `Delete a "${model.type}"`,
    description: DESCRIPTIONS.delete,
    responses: { 204: { description: 'The resource was deleted.' } },
    use: [model, 'change'],
  })
}

function related(model: RestModel, relationship: Relationship, context: OperationContext): OperationObject {
  const { doc } = context
  const { relation, target, name } = relationship
  const { resource } = modelSchemaNames(doc, model)
  if (relation.many) {
    return operation(model, context, 'related', {
      id: `list${resource}${capitalize(name)}`,
      summary: `List "${name}"`,
      description: DESCRIPTIONS.list,
      parameters: relatedParameters(target, doc),
      responses: { 200: collectionResponseObject(target, doc) },
    })
  }
  return operation(model, context, 'relatedOne', {
    id: `get${resource}${capitalize(name)}`,
    summary: `Get "${name}"`,
    description: DESCRIPTIONS.relatedOne,
    parameters: resourceParameters(target, doc),
    responses: { 200: relatedResponseObject(target, doc) },
    use: [target, 'read'],
  })
}

function linkage(model: RestModel, relationship: Relationship, context: OperationContext): OperationObject {
  const { doc } = context
  const { relation, target, name } = relationship
  const compoundParameters = mayRead(relationship)
    ? [linkageIncludeParameter(relationship, doc), ...fieldsParameters([target], doc)]
    : []
  return operation(model, context, relation.many ? 'related' : 'relatedOne', {
    id: `get${modelSchemaNames(doc, model).resource}${capitalize(name)}Relationship`,
    summary: `Get the linkage of "${name}"`,
    description: relation.many ? 'Use `include` to also return the resources.' : DESCRIPTIONS.relatedOne,
    parameters: [...(relation.many ? linkageParameters(target, doc) : []), ...compoundParameters],
    responses: { 200: linkageResponseObject(relationship, doc) },
  })
}

function changeLinkage(
  model: RestModel,
  relationship: Relationship,
  method: DescribedMethod,
  context: OperationContext,
): OperationObject {
  const { doc } = context
  const { name, relation } = relationship
  const what = `${modelSchemaNames(doc, model).resource}${capitalize(name)}`
  const { id, summary, description } = CHANGES[method]
  const isReadable = relationship.linkage !== undefined || mayRead(relationship)
  return operation(model, context, 'linkage', {
    method,
    id: id.replace('*', what),
    summary: summary.replace('*', `"${name}"`),
    description: relation.many ? description : DESCRIPTIONS.replaceOne,
    body: linkageBody(relationship, doc),
    responses: isReadable
      ? { 200: linkageResponseObject(relationship, doc, model) }
      : { 204: { description: 'The relationship was changed.' } },
    use: [model, 'change'],
  })
}

interface OperationParts {
  /** The HTTP method, if the kind of operation does not determine it. */
  readonly method?: DescribedMethod
  readonly id: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: OperationObject['parameters']
  readonly body?: RequestBody | Reference
  readonly responses: Readonly<Record<number, ResponseObject | Reference>>
  /** The resource that the preconditions of the request refer to. */
  readonly use?: readonly [model: RestModel, use: ResourceUse]
}

function operation(
  model: RestModel,
  { doc, appErrors, operationIds }: OperationContext,
  kind: OperationKind,
  parts: OperationParts,
): OperationObject {
  const { id, summary, description, body, responses, use } = parts
  const conditions = use && preconditionComponents(...use, doc)
  const keys = isWrite(kind) ? keyParameters(doc, parts.method ?? (kind === 'delete' ? kind : 'post')) : []
  const parameters = [...(parts.parameters ?? []), ...(conditions?.parameters ?? []), ...keys]
  return {
    operationId: operationIds.unique(id),
    summary,
    ...(description !== undefined && { description }),
    tags: [model.model.name],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: body }),
    responses: { ...responses, ...conditions?.responses, ...errorResponses(kind, doc, appErrors, conditions) },
  }
}
