export { UPDATE_METHODS } from '../http/routing/route.js'
export {
  add,
  create,
  createMember,
  delete,
  deleteMember,
  get,
  getMember,
  linkage,
  list,
  related,
  remove,
  replace,
  type RestAction,
  type RestOperation,
  type RestRoute,
  update,
  updateMember,
} from './rest-actions.js'
export type { App } from '../http/handler-types.js'
export { type RestModelApi, type RestRouter, router } from './rest-router.js'
