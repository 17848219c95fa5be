import { categoryRest } from '../../fixtures/blog/expected/category/rest.js'
import { categoryRpc } from '../../fixtures/blog/expected/category/rpc.js'
import { commentRest } from '../../fixtures/blog/expected/comment/rest.js'
import { commentRpc } from '../../fixtures/blog/expected/comment/rpc.js'
import { postRest } from '../../fixtures/blog/expected/post/rest.js'
import { postRpc } from '../../fixtures/blog/expected/post/rpc.js'
import { profileRest } from '../../fixtures/blog/expected/profile/rest.js'
import { profileRpc } from '../../fixtures/blog/expected/profile/rpc.js'
import { tagRest } from '../../fixtures/blog/expected/tag/rest.js'
import { tagRpc } from '../../fixtures/blog/expected/tag/rpc.js'
import { userRest } from '../../fixtures/blog/expected/user/rest.js'
import { userRpc } from '../../fixtures/blog/expected/user/rpc.js'
import { restHandler } from '../../runtime/rest/rest-handler.js'
import { rpcHandler } from '../../runtime/rpc/rpc-handler.js'
import type { Field, Relation, Resource } from '../../runtime/schema/resource.js'
import type { Database } from '../support/databases.js'
import type { Routes } from './describe-contract.js'

/** Changes by model (`Post`) or by member (`Post.title`). A model that is null is not served. */
export type Changes = Readonly<Record<string, Partial<Resource> | Partial<Field> | Partial<Relation> | null>>

const REST = [categoryRest, commentRest, postRest, profileRest, tagRest, userRest]
const RPC = [categoryRpc, commentRpc, postRpc, profileRpc, tagRpc, userRpc]

/** Returns the blog's routes with changed resources, for a table or a rule. */
export function changedRoutes(changes: Changes): (db: Pick<Database, 'provider'>) => Routes {
  return ({ provider }) => ({
    RestApiHandler: (options) => restHandler(withChanges(REST, changes), options, { provider }),
    RPCApiHandler: (options) => rpcHandler(withChanges(RPC, changes), options ?? {}, { provider }),
  })
}

function withChanges<R extends { readonly resource: Resource }>(routes: readonly R[], changes: Changes) {
  const served = routes.filter(({ resource }) => changes[resource.model] !== null)
  const toEntry = (route: R) => [route.resource.model, { ...route, resource: changedResource(route.resource, changes) }]
  return Object.fromEntries(served.map((route) => toEntry(route)))
}

function changedResource(resource: Resource, changes: Changes): Resource {
  const { fields, relations, ...others } = { ...resource, ...changes[resource.model] }
  const change = <M extends object>(members: Readonly<Record<string, M>>) =>
    Object.fromEntries(
      Object.entries(members).map(([name, member]) => [name, { ...member, ...changes[`${resource.model}.${name}`] }]),
    )
  return { ...others, fields: change(fields), relations: change(relations) }
}
