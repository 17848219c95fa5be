export { READ_METHODS, UPDATE_METHODS } from '../http/routing/route.js'
export {
  aggregate,
  check,
  count,
  create,
  createMany,
  createManyAndReturn,
  delete,
  deleteMany,
  exists,
  findFirst,
  findFirstOrThrow,
  findMany,
  findUnique,
  findUniqueOrThrow,
  groupBy,
  type RpcAction,
  type RpcRoute,
  update,
  updateMany,
  updateManyAndReturn,
  upsert,
} from './rpc-actions.js'
export type { App } from '../http/handler-types.js'
export { type RpcModelApi, type RpcRouter, router } from './rpc-router.js'
