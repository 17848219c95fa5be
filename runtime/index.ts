export type { AnswerFacts, ErrorFacts, OnAnswer, OnError, RequestFacts } from './http/facts.js'
export type { ApiEnv, ApiHandler, Log, RequestContext } from './http/handler.js'
export type { HealthOptions, TrafficOptions } from './http/traffic/options.js'
export { DEFAULT_LIMITS, type Limits } from './limits.js'
export { READ, UPDATE } from './http/methods.js'
export type { AddRoutes } from './http/own-routes.js'
export type { ClientOf, TypeMap } from './orm/client-types.js'
export { type Estimates, rowEstimates } from './orm/row-estimates.js'
export { computedFields } from './orm/computed.js'
export type { ComputedFieldsOf, ComputedTypes, OfModels } from './orm/computed-types.js'
export type {
  Field,
  Operation,
  Relation,
  Resource,
  ResourceFor,
  Rule,
  RuleIssue,
  ScalarType,
} from './schema/resource.js'
export type { ComputedNames } from './schema/computed.js'
export { refuse, type RefusalAt, type RefusalStatus } from './errors/refuse.js'
export { restHandler } from './rest/handler.js'
export type { RestOptions } from './rest/options.js'
export { joinedLists } from './rest/orm/joined-lists.js'
export { ownRestRoutes, type OwnRestRoutes } from './rest/own/define.js'
export type { ReplyOptions, RestApi } from './rest/own/rest-api.js'
export type { RestRouter } from './rest/router.js'
export { restRoutes, type RestRoutes } from './rest/routes.js'
export { rpcHandler } from './rpc/handler.js'
export type { RpcOptions } from './rpc/options.js'
export { ownRpcRoutes, type OwnRpcRoutes } from './rpc/own/define.js'
export type { RpcApi } from './rpc/own/rpc-api.js'
export type { Parser } from './values/parser.js'
export type { RpcRouter } from './rpc/router.js'
export { rpcRoutes, type RpcRoutes } from './rpc/routes.js'
