import type { Route } from '../../http/route.js'
import type { Relationship, RestModel } from '../../rest/model.js'
import { isReadOnly, mayRead } from '../../rest/permissions.js'
import { MEDIA_TYPE } from '../../rest/request/negotiation.js'
import type { AppRefusals } from '../failures.js'
import type {
  HttpMethod,
  JsonSchema,
  MediaType,
  OperationObject,
  PathItem,
  Reference,
  ResponseObject,
} from '../document.js'
import { capitalized, type Names, pluralOf } from '../names.js'
import { CHANGES, DESCRIPTIONS } from './descriptions.js'
import { namesOf, type RestDescription } from './describe.js'
import {
  collectionSchema,
  createDocumentSchema,
  documentSchema,
  linkageBodySchema,
  linkageDocumentSchema,
  relatedSchema,
  updateDocumentSchema,
} from './documents.js'
import { failureResponses, type OperationKind } from './failures.js'
import {
  collectionParameters,
  linkageParameters,
  relatedParameters,
  idParameter,
  linkageIncludeParameter,
  shownParameters,
} from './parameters.js'

interface Describing {
  readonly described: RestDescription
  readonly refusals: AppRefusals
  readonly operationIds: Names
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

/** The paths of a model: every route that answers, and none that only refuses. */
export function pathsOf(
  model: RestModel,
  routes: readonly Route[],
  describing: Describing,
): readonly (readonly [path: string, item: PathItem])[] {
  const paths = new Map<string, Record<string, unknown>>()
  for (const { method, path } of routes) {
    const verb = METHODS[method]
    const operation = verb && operationOf(model, verb, path, describing)
    if (!operation) continue
    const at = `/${model.type}${path === '/' ? '' : path.replace(':id', '{id}')}`
    const item = paths.get(at) ?? (path === '/' ? {} : { parameters: [idParameter(describing.described)] })
    item[verb] = operation
    paths.set(at, item)
  }
  return [...paths]
}

function operationOf(
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
  const relationship = model.relationships.get(linked ?? relatedTo ?? '')
  if (!relationship) return undefined
  if (relatedTo !== undefined) return mayRead(relationship) ? related(model, relationship, describing) : undefined
  if (method !== 'get') {
    return isReadOnly(relationship, model) ? undefined : changeLinkage(model, relationship, method, describing)
  }
  return mayRead(relationship) || relationship.linkage ? linkage(model, relationship, describing) : undefined
}

function list(model: RestModel, describing: Describing): OperationObject {
  const { described } = describing
  return operation(model, describing, 'list', {
    id: `list${pluralOf(namesOf(described, model).resource)}`,
    summary: `A page of "${model.type}"`,
    description: DESCRIPTIONS.list,
    parameters: [...collectionParameters(model, described), ...shownParameters(model, described)],
    responses: { 200: answer('A page of the collection.', collectionSchema(model, described)) },
  })
}

function get(model: RestModel, describing: Describing): OperationObject {
  const { described } = describing
  return operation(model, describing, 'get', {
    id: `get${namesOf(described, model).resource}`,
    summary: `One "${model.type}"`,
    description: DESCRIPTIONS.get,
    parameters: shownParameters(model, described),
    responses: { 200: answer('The resource.', documentSchema(model, described)) },
  })
}

function create(model: RestModel, describing: Describing): OperationObject {
  const { described } = describing
  const mayUpsert = model.model.operations.has('update')
  return operation(model, describing, 'create', {
    id: `create${namesOf(described, model).resource}`,
    summary: `A new "${model.type}"`,
    description: mayUpsert ? DESCRIPTIONS.createOrUpdate : DESCRIPTIONS.create,
    parameters: shownParameters(model, described),
    body: createDocumentSchema(model, described),
    responses: {
      ...(mayUpsert && { 200: answer('An upsert has updated this resource.', documentSchema(model, described)) }),
      201: {
        ...answer('The resource was created.', documentSchema(model, described)),
        ...(model.served.has('/:id') && {
          headers: {
            Location: {
              description: 'URL of the resource.',
              required: false,
              schema: { type: 'string', format: 'uri' },
            },
          },
        }),
      },
    },
  })
}

function update(model: RestModel, method: HttpMethod, describing: Describing): OperationObject {
  const { described } = describing
  const id = `update${namesOf(described, model).resource}`
  return operation(model, describing, 'update', {
    id: method === 'patch' ? id : `${id}WithPut`,
    summary: `Change a "${model.type}"`,
    description: method === 'patch' ? DESCRIPTIONS.update : CHANGES.put.description,
    parameters: shownParameters(model, described),
    body: updateDocumentSchema(model, described),
    responses: { 200: answer('The resource, as it is now.', documentSchema(model, described)) },
  })
}

function remove(model: RestModel, describing: Describing): OperationObject {
  return operation(model, describing, 'delete', {
    id: `delete${namesOf(describing.described, model).resource}`,
    summary: `Delete a "${model.type}"`,
    description: DESCRIPTIONS.delete,
    responses: { 204: { description: 'It was deleted.' } },
  })
}

function related(model: RestModel, relationship: Relationship, describing: Describing): OperationObject {
  const { described } = describing
  const { relation, target, name } = relationship
  const { resource } = namesOf(described, model)
  if (relation.many) {
    return operation(model, describing, 'related', {
      id: `list${resource}${capitalized(name)}`,
      summary: `The resources that "${name}" leads to`,
      description: `The filters are those of \`GET /${target.type}\`, with all operators.`,
      parameters: [...relatedParameters(target, described), ...shownParameters(target, described)],
      responses: { 200: answer('A page of the related resources.', collectionSchema(target, described)) },
    })
  }
  return operation(model, describing, 'relatedOne', {
    id: `get${resource}${capitalized(name)}`,
    summary: `The resource that "${name}" leads to`,
    description: DESCRIPTIONS.relatedOne,
    parameters: shownParameters(target, described),
    responses: { 200: answer('The related resource, or null.', relatedSchema(target, described)) },
  })
}

function linkage(model: RestModel, relationship: Relationship, describing: Describing): OperationObject {
  const { described } = describing
  const { relation, target, name } = relationship
  const isCompound = mayRead(relationship)
  const description = relation.many
    ? `The filters are those of \`GET /${target.type}\`, with all operators.`
    : DESCRIPTIONS.relatedOne
  const shown = isCompound ? [linkageIncludeParameter(relationship, described)] : []
  const fields = isCompound ? shownParameters(target, described).filter(isFields) : []
  return operation(model, describing, relation.many ? 'related' : 'relatedOne', {
    id: `get${namesOf(described, model).resource}${capitalized(name)}Relationship`,
    summary: `Which resources "${name}" leads to`,
    description,
    parameters: [...(relation.many ? linkageParameters(target, described) : []), ...shown, ...fields],
    responses: {
      200: answer('The linkage.', linkageDocumentSchema(relationship, described, isCompound)),
    },
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
  const what = `${namesOf(described, model).resource}${capitalized(name)}`
  const { id, summary, description } = CHANGES[method]
  const isShown = relationship.linkage !== undefined || mayRead(relationship)
  return operation(model, describing, 'relationshipChange', {
    id: id.replace('*', what),
    summary: summary.replace('*', `"${name}"`),
    description: relation.many || method === 'put' ? description : DESCRIPTIONS.replaceOne,
    body: linkageBodySchema(relationship, described),
    responses: isShown
      ? { 200: answer('The linkage, as it is now.', linkageDocumentSchema(relationship, described, false)) }
      : { 204: { description: 'It was changed.' } },
  })
}

interface OperationParts {
  readonly id: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: OperationObject['parameters']
  readonly body?: JsonSchema
  readonly responses: Readonly<Record<number, ResponseObject>>
}

function operation(
  model: RestModel,
  { described, refusals, operationIds }: Describing,
  kind: OperationKind,
  parts: OperationParts,
): OperationObject {
  const { id, summary, description, parameters = [], body, responses } = parts
  return {
    operationId: operationIds.unique(id),
    summary,
    ...(description !== undefined && { description }),
    tags: [model.model.name],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: { [MEDIA_TYPE]: { schema: body } } } }),
    responses: { ...responses, ...failureResponses(kind, described, refusals) },
  }
}

function answer(description: string, schema: JsonSchema): ResponseObject {
  const content: Readonly<Record<string, MediaType>> = { [MEDIA_TYPE]: { schema } }
  return { description, content }
}
