import type { AnyApi, ModelName } from '../../api.js'
import type { ClientTypes, PlainClient } from './api.js'
import type { Collection, RestClient as Client } from './collection.js'
import type { Resource } from './result.js'
import type { CreateData, UpdateData } from './write.js'

/** The REST client of an API, as returned by `createRestClient`. `C` describes the options that affect its types. */
export type RestClient<A extends AnyApi, C extends ClientTypes = PlainClient> = Client<A, C>

/** The collection of a model: `RestCollection<Api, 'Post'>` is the type of `rest.post`. */
export type RestCollection<A extends AnyApi, N extends ModelName<A>, C extends ClientTypes = PlainClient> = Collection<
  A,
  C,
  N
>

/**
 * A resource, for functions and components that take one. `RestResource<Api, 'Post', 'author' | 'comments.author'>` includes its author and
 * its comments with their authors. `RestResource<Api, 'Post', never, { post: ['title'] }>` has only its title.
 */
export type RestResource<
  A extends AnyApi,
  N extends ModelName<A>,
  I extends string = never,
  F = unknown,
  C extends ClientTypes = PlainClient,
> = Resource<A, C, N, I, F>

/** The data for `create`. Only the call itself checks that a foreign key and its relation are not both given. */
export type RestCreateData<A extends AnyApi, N extends ModelName<A>, C extends ClientTypes = PlainClient> = CreateData<
  A,
  C,
  N
>

/** The data for `update`. Only the call itself checks that a foreign key and its relation are not both given. */
export type RestUpdateData<A extends AnyApi, N extends ModelName<A>, C extends ClientTypes = PlainClient> = UpdateData<
  A,
  C,
  N
>
