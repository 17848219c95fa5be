import type { Context } from 'hono'

import { RequestError, unknownPathError } from '../errors/request-error.js'
import { type ClientCall, executePreparedRoute, type PreparedRoute } from '../http/routing/execute-prepared-route.js'
import type { ApiEnv } from '../http/handler-types.js'
import { type ActionHandler, type RouteAction, withAction } from '../http/routing/route.js'
import { unsafeCast } from '../http/unsafe-cast.js'
import type { Call, Member, ModelName, TypeMap } from '../prisma/client-types.js'
import { retryCallOnConflict } from '../prisma/transactions/retry-on-conflict.js'
import { createMember, deleteMember, readMember, updateMember } from './endpoints/nested-resource-endpoints.js'
import { readCollection, readOne } from './endpoints/read-endpoints.js'
import { linkageMany, linkageOne, relatedMany, relatedOne } from './endpoints/relationship-read-endpoints.js'
import { changeMembers, replaceLinkage } from './endpoints/relationship-write-endpoints.js'
import { type Endpoint, parseUrlId, type RelationScope, type ResourceLocator } from './endpoints/resource-locator.js'
import { resourceWrites } from './endpoints/write-endpoints.js'
import { exposedRelationships } from './relationship-capabilities.js'
import type { RestContext } from './rest-context.js'
import type { Relationship, RestModel } from './rest-model.js'
import type { RestModelApi } from './rest-router.js'

/** The operation that a REST route performs, and its relation, if any. */
export interface RestAction extends RouteAction {
  readonly operation: RestOperation
}

/** The operations of the REST routes (contract 4.1). */
export type RestOperation =
  | 'list'
  | 'create'
  | 'get'
  | 'update'
  | 'delete'
  | 'related'
  | 'linkage'
  | 'replace'
  | 'add'
  | 'remove'
  | 'createMember'
  | 'getMember'
  | 'updateMember'
  | 'deleteMember'

/** A REST route of a model. The `call` that an action receives is the only part with the types of the Prisma client. */
export type RestRoute = ActionHandler<RestAction>

/** `GET /`: a page of the collection. */
export function list<T extends TypeMap, N extends ModelName<T>>(
  api: RestModelApi<T, N>,
  call: Call<T, N, 'findMany'>,
): RestRoute {
  return modelRoute(api, 'list', call, readCollection)
}

/**
 * `POST /`: creates a resource.
 * @param update updates the row that matches if the body requests an upsert. Without it, upserts are rejected
 */
export function create<T extends TypeMap, N extends ModelName<T>>(
  api: RestModelApi<T, N>,
  call: Call<T, N, 'create'>,
  update?: Call<T, N, 'update'>,
): RestRoute {
  const { model, context } = scopeOf(api)
  const writes = resourceWrites(model, context)
  const createCall = adjustCall(call, model, context)
  const updateCall = update && model.model.operations.has('update') && adjustCall(update, model, context)
  return withAction({ operation: 'create' }, async (c) => {
    const prepared = await writes.create(c)
    if (!prepared.upsert) return executePreparedRoute(prepared, createCall, c.env, retryCallOnConflict)
    if (!updateCall) {
      const detail = `A "${model.type}" can be created, but not updated by an upsert.`
      throw new RequestError({ code: 'read-only', detail })
    }
    const response = await prepared.upsert({ create: createCall, update: updateCall })
    if (c.env.outcome) c.env.outcome.rows = 1
    return response
  })
}

/** `GET /:id`: one resource. */
export function get<T extends TypeMap, N extends ModelName<T>>(
  api: RestModelApi<T, N>,
  call: Call<T, N, 'findUnique'>,
): RestRoute {
  return modelRoute(api, 'get', call, (c, model, context) => readOne(c, model, urlLocator(c, model), context))
}

/** `PATCH` and `PUT /:id`: updates a resource. */
export function update<T extends TypeMap, N extends ModelName<T>>(
  api: RestModelApi<T, N>,
  call: Call<T, N, 'update'>,
): RestRoute {
  const { model, context } = scopeOf(api)
  const writes = resourceWrites(model, context)
  return modelRoute(api, 'update', call, (c) => writes.update(c, urlLocator(c, model)))
}

function deleteResource<T extends TypeMap, N extends ModelName<T>>(
  api: RestModelApi<T, N>,
  call: Call<T, N, 'delete'>,
): RestRoute {
  const { model, context } = scopeOf(api)
  const writes = resourceWrites(model, context)
  return modelRoute(api, 'delete', call, (c) => writes.delete(c, urlLocator(c, model)))
}

/** `DELETE /:id`: deletes a resource. */
export { deleteResource as delete }

/** `GET /:id/:relation`: the related resource, or a page of the related resources. */
export function related<T extends TypeMap, N extends ModelName<T>, R extends RelationName<T, N>>(
  api: RestModelApi<T, N>,
  relation: R,
  call: RelationCall<T, N, R>,
): RestRoute {
  return relationRoute(api, 'related', relation, call, (scope) => {
    const read = scope.relationship.relation.many ? relatedMany : relatedOne
    return (c) => read(c, scope)
  })
}

/** `GET /:id/relationships/:relation`: the linkage of a relationship. */
export function linkage<T extends TypeMap, N extends ModelName<T>, R extends RelationName<T, N>>(
  api: RestModelApi<T, N>,
  relation: R,
  call: RelationCall<T, N, R>,
): RestRoute {
  return relationRoute(api, 'linkage', relation, call, (scope) => {
    const read = scope.relationship.relation.many ? linkageMany : linkageOne
    return (c) => read(c, scope)
  })
}

/** `PATCH` and `PUT /:id/relationships/:relation`: replaces a relationship. */
export function replace<T extends TypeMap, N extends ModelName<T>>(
  api: RestModelApi<T, N>,
  relation: RelationName<T, N>,
  call: Call<T, N, 'update'>,
): RestRoute {
  return relationRoute(api, 'replace', relation, call, (scope) => (c) => replaceLinkage(c, scope))
}

/** `POST /:id/relationships/:relation`: adds members to a to-many relationship. */
export function add<T extends TypeMap, N extends ModelName<T>>(
  api: RestModelApi<T, N>,
  relation: RelationName<T, N>,
  call: Call<T, N, 'update'>,
): RestRoute {
  return relationRoute(api, 'add', relation, call, (scope) => (c) => changeMembers(c, scope, 'connect'))
}

/** `DELETE /:id/relationships/:relation`: removes members from a to-many relationship. */
export function remove<T extends TypeMap, N extends ModelName<T>>(
  api: RestModelApi<T, N>,
  relation: RelationName<T, N>,
  call: Call<T, N, 'update'>,
): RestRoute {
  return relationRoute(api, 'remove', relation, call, (scope) => (c) => changeMembers(c, scope, 'disconnect'))
}

/** `POST /:id/:relation`: creates a resource as a member of a to-many relationship. */
function createMemberRoute<T extends TypeMap, N extends ModelName<T>, R extends RelationName<T, N>>(
  api: RestModelApi<T, N>,
  relation: R,
  call: Call<T, TargetOf<T, N, R>, 'create'>,
): RestRoute {
  return relationRoute(api, 'createMember', relation, call, createMember)
}

/** `GET /:id/:relation/:relatedId`: one member. */
function getMemberRoute<T extends TypeMap, N extends ModelName<T>, R extends RelationName<T, N>>(
  api: RestModelApi<T, N>,
  relation: R,
  call: Call<T, TargetOf<T, N, R>, 'findUnique'>,
): RestRoute {
  return relationRoute(api, 'getMember', relation, call, readMember)
}

/** `PATCH` and `PUT /:id/:relation/:relatedId`: updates a member. For a to-one relationship: `/:id/:relation`. */
function updateMemberRoute<T extends TypeMap, N extends ModelName<T>, R extends RelationName<T, N>>(
  api: RestModelApi<T, N>,
  relation: R,
  call: Call<T, TargetOf<T, N, R>, 'update'>,
): RestRoute {
  return relationRoute(api, 'updateMember', relation, call, updateMember)
}

/** `DELETE /:id/:relation/:relatedId`: deletes a member. */
function deleteMemberRoute<T extends TypeMap, N extends ModelName<T>, R extends RelationName<T, N>>(
  api: RestModelApi<T, N>,
  relation: R,
  call: Call<T, TargetOf<T, N, R>, 'delete'>,
): RestRoute {
  return relationRoute(api, 'deleteMember', relation, call, deleteMember)
}

export {
  createMemberRoute as createMember,
  deleteMemberRoute as deleteMember,
  getMemberRoute as getMember,
  updateMemberRoute as updateMember,
}

/** The model and the context behind the typed `api` of an emitted router. */
export interface RestScope {
  readonly model: RestModel
  readonly context: RestContext
}

function scopeOf(api: object): RestScope {
  return unsafeCast(api)
}

/** Parses the locator of the resource that the URL names. */
function urlLocator(c: Context<ApiEnv>, model: RestModel): () => ResourceLocator {
  return () => ({ id: parseUrlId(c, model) })
}

function modelRoute(
  api: object,
  operation: RestOperation,
  call: ClientCall,
  prepare: (c: Context<ApiEnv>, model: RestModel, context: RestContext) => Promise<PreparedRoute>,
): RestRoute {
  const { model, context } = scopeOf(api)
  const adjusted = adjustCall(call, model, context)
  return withAction({ operation }, (c) =>
    executePreparedRoute(prepare(c, model, context), adjusted, c.env, retryCallOnConflict),
  )
}

function relationRoute(
  api: object,
  operation: RestOperation,
  relation: string,
  call: ClientCall,
  createEndpoint: (scope: RelationScope) => Endpoint,
): RestRoute {
  const { model, context } = scopeOf(api)
  const relationship = model.relationships.get(relation)
  const target = relationship && queriesTarget(operation, relationship) ? relationship.target : model
  const adjusted = adjustCall(call, target, context)
  // A relation to a hidden model has no relationship. Its routes respond with 404.
  const endpoint = relationship && createEndpoint({ model, relationship, context })
  return withAction({ operation, relation }, (c) => {
    if (!endpoint) throw unknownPathError(exposedRelationships(model))
    return executePreparedRoute(endpoint(c), adjusted, c.env, retryCallOnConflict)
  })
}

/** Whether a route of a relation queries the target's delegate. A to-one relation is read as part of the query for its parent row. */
function queriesTarget(operation: RestOperation, { relation }: Relationship): boolean {
  if (operation === 'related' || operation === 'linkage') return relation.many === true
  return operation.endsWith('Member')
}

/** Adjusts the arguments of a call to the computed fields of the client. */
function adjustCall(call: ClientCall, { model }: RestModel, { adjust }: RestContext): ClientCall {
  return (orm, args) => call(orm, unsafeCast(adjust(orm, model, args).args))
}

type Relations<T extends TypeMap, N extends ModelName<T>> = Member<Member<T['model'][N], 'payload'>, 'objects'>

type RelationName<T extends TypeMap, N extends ModelName<T>> = keyof Relations<T, N> & string

/** The model at the other end of a relation. */
type TargetOf<T extends TypeMap, N extends ModelName<T>, R extends string> = Member<
  PayloadOf<Member<Relations<T, N>, R>>,
  'name'
> &
  ModelName<T>

type PayloadOf<R> = NonNullable<R extends readonly (infer P)[] ? P : R>

/** A to-many relation is read as rows of its target. A to-one relation is read as part of its parent row. */
type RelationCall<T extends TypeMap, N extends ModelName<T>, R extends string> =
  Member<Relations<T, N>, R> extends readonly unknown[]
    ? Call<T, TargetOf<T, N, R>, 'findMany'>
    : Call<T, N, 'findUnique'>
