export type { ResponseTelemetry, ErrorTelemetry, OnResponse, OnError, RequestTelemetry } from './http/telemetry.js'
export type { ApiEnv, ApiHandler, Log, RequestContext } from './http/api-handler.js'
export type { HealthOptions, LifecycleOptions } from './http/lifecycle/options.js'
export { DEFAULT_LIMITS, type Limits } from './limits.js'
export { READ_METHODS, UPDATE_METHODS } from './http/methods.js'
export type { DefineRoutes } from './http/custom-routes.js'
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
export { httpError, type HttpErrorOptions, type HttpErrorStatus } from './errors/http-error.js'
export { restHandler } from './rest/handler.js'
export type { RestOptions } from './rest/options.js'
export { loadListsByJoin } from './rest/orm/window-join.js'
export { customRestRoutes, type CustomRestRoutes } from './rest/custom/define.js'
export type { ReplyOptions, RestApi } from './rest/custom/rest-api.js'
export type { RestRouter } from './rest/router.js'
export { restRoutes, type RestRoutes } from './rest/routes.js'
export { rpcHandler } from './rpc/handler.js'
export type { RpcOptions } from './rpc/options.js'
export { customRpcRoutes, type CustomRpcRoutes } from './rpc/custom/define.js'
export type { RpcApi } from './rpc/custom/rpc-api.js'
export type { Parser } from './values/parser.js'
export type { RpcRouter } from './rpc/router.js'
export { rpcRoutes, type RpcRoutes } from './rpc/routes.js'
