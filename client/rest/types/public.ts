import type { AnyApi, ModelName } from '../../api.js'
import type { ClientTypes, PlainClient } from './api.js'
import type { Collection, RestClient as Client } from './collection.js'
import type { Resource } from './result.js'
import type { CreateData, UpdateData } from './write.js'

/** A client of the REST style, as `createRestClient` makes it. `C` says what its options do to its types. */
export type RestClient<A extends AnyApi, C extends ClientTypes = PlainClient> = Client<A, C>

/** What a client can do with a model: `RestCollection<Api, 'Post'>` is the type of `rest.post`. */
export type RestCollection<A extends AnyApi, N extends ModelName<A>, C extends ClientTypes = PlainClient> = Collection<
  A,
  C,
  N
>

/**
 * A resource, for functions and components that take one: `RestResource<Api, 'Post', 'author' | 'comments.author'>` has its author and its
 * comments with theirs, `RestResource<Api, 'Post', never, { post: ['title'] }>` its title alone.
 */
export type RestResource<
  A extends AnyApi,
  N extends ModelName<A>,
  I extends string = never,
  F = unknown,
  C extends ClientTypes = PlainClient,
> = Resource<A, C, N, I, F>

/** What `create` takes. That a foreign key and its relation are not both given, only the call itself sees. */
export type RestCreateData<A extends AnyApi, N extends ModelName<A>, C extends ClientTypes = PlainClient> = CreateData<
  A,
  C,
  N
>

/** What `update` takes. That a foreign key and its relation are not both given, only the call itself sees. */
export type RestUpdateData<A extends AnyApi, N extends ModelName<A>, C extends ClientTypes = PlainClient> = UpdateData<
  A,
  C,
  N
>
