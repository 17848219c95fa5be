export type { ApiEnv, ApiHandler, RequestContext } from './http/handler.js'
export { DEFAULT_LIMITS, type Limits } from './limits.js'
export type { ClientOf, OrmOf, TypeMap } from './orm/client-types.js'
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
export type { RestApi } from './rest/api.js'
export { restHandler } from './rest/handler.js'
export type { RestOptions } from './rest/options.js'
export { restRoutes } from './rest/routes.js'
export type { RpcApi } from './rpc/api.js'
export { rpcHandler } from './rpc/handler.js'
export type { RpcOptions } from './rpc/options.js'
export { rpcRoutes } from './rpc/routes.js'
