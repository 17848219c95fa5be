import { categoryRpc } from '../../fixtures/blog/expected/category/rpc.js'
import { commentRpc } from '../../fixtures/blog/expected/comment/rpc.js'
import { postRpc } from '../../fixtures/blog/expected/post/rpc.js'
import { tagRpc } from '../../fixtures/blog/expected/tag/rpc.js'
import { userRpc } from '../../fixtures/blog/expected/user/rpc.js'
import type { ApiHandler } from '../../runtime/http/handler-types.js'
import type { Resource } from '../../runtime/schema/resource.js'
import { rpcHandler } from '../../runtime/rpc/rpc-handler.js'
import type { RpcOptions } from '../../runtime/rpc/rpc-options.js'

/**
 * Serves the blog with more restrictions than its schema has:
 * `Profile` is hidden, `User.name` is hidden, `User.role` and `User.comments` are read-only, `User.password` is write-only;
 * `Category` has only `list` and `get`, `Comment` has no `delete`, and `Tag` has no `list` and `create`.
 */
export function restrictedHandler<O>(options: RpcOptions = {}): ApiHandler<O> {
  const user = userRpc.resource
  return rpcHandler(
    {
      User: {
        ...userRpc,
        resource: {
          ...user,
          fields: {
            ...user.fields,
            name: { ...user.fields.name, hidden: true },
            role: { ...user.fields.role, readOnly: true },
          },
          relations: {
            ...user.relations,
            profile: { ...user.relations.profile, hidden: true },
            comments: { ...user.relations.comments, readOnly: true },
          },
        },
      },
      Post: postRpc,
      Comment: { ...commentRpc, resource: withOperations(commentRpc.resource, ['list', 'get', 'create', 'update']) },
      Category: { ...categoryRpc, resource: withOperations(categoryRpc.resource, ['list', 'get']) },
      Tag: { ...tagRpc, resource: withOperations(tagRpc.resource, ['get', 'update', 'delete']) },
    },
    options,
    // Nothing here depends on the database.
    { provider: 'postgresql' },
  )
}

function withOperations(resource: Resource, operations: NonNullable<Resource['operations']>): Resource {
  return { ...resource, operations }
}
