/** Typed clients for the generated APIs. They take all types of an API from the generated `client.ts`, which has no runtime code. */
export type { AnyApi, ModelName } from './api.js'
export * from './forms/index.js'
export { ApiError, type ApiErrorDetails } from './http/api-error.js'
export type { CallOptions, Fetch, HttpOptions } from './http/options.js'
export * from './rest/index.js'
export { createRpcClient, type RpcClientOptions, type RpcClientOptionsFor } from './rpc/create-rpc-client.js'
export type { RpcCall, RpcClient, RpcMethod, RpcModel, RpcOperation, RpcTransactions } from './rpc/methods.js'
export { RpcError, type RpcErrorDetails, type RpcIssue } from './rpc/rpc-error.js'
