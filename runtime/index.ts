export type { ResponseTelemetry, ErrorTelemetry, OnResponse, OnError, RequestTelemetry } from './http/telemetry.js'
export type { ApiEnv, ApiHandler, App, Log, RequestContext } from './http/handler-types.js'
export type { HealthOptions, LifecycleOptions } from './http/lifecycle.js'
export { DEFAULT_LIMITS, type Limits } from './limits.js'
export type { Feature } from './http/feature.js'
export type { DefineRoutes } from './http/routing/custom-routes.js'
export type { CallsOf, ClientOf, ForOperation, OrmOf, TypeMap } from './prisma/client-types.js'
export { computedFields } from './schema/computed-names.js'
export type { ComputedFieldsOf, ComputedTypes, OfModels } from './prisma/client-types.js'
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
export type { ComputedNames } from './schema/computed-names.js'
export { httpError, type HttpErrorOptions, type HttpErrorStatus } from './errors/http-error.js'
export { restHandler } from './rest/rest-handler.js'
export type { RestOptions } from './rest/rest-options.js'
export { customRestRoutes, type CustomRestRoutes } from './rest/custom/custom-rest-routes.js'
export type { ReplyOptions, RestApi } from './rest/custom/rest-api.js'
export type { RestModelApi } from './rest/rest-router.js'
export { rpcHandler } from './rpc/rpc-handler.js'
export type { RpcOptions } from './rpc/rpc-options.js'
export { customRpcRoutes, type CustomRpcRoutes } from './rpc/custom/custom-rpc-routes.js'
export type { RpcApi } from './rpc/custom/rpc-api.js'
export type { StandardSchema } from './http/standard-schema.js'
export { declaredRestRoutes } from './declared/declared-rest-routes.js'
export { declaredRpcRoutes } from './declared/declared-rpc-routes.js'
export type { RouteImplementations } from './declared/route-types.js'
export type { RpcModelApi } from './rpc/rpc-router.js'
