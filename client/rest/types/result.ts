import type { AnyApi, FieldsOf, Member, PrismaPayload, RelationsOf, TargetOf } from '../../api.js'
import type { ComputedInRest } from '../../computed.js'
import type { JsonApiDocument, Links, RelationshipObject } from '../document.js'
import type { ListProperties } from '../list.js'
import type { CallOptions } from '../../http/options.js'
import type { AttributeName, ClientTypes, ComputedName, ToManyName, ToOneName, TypeName } from './api.js'

/** The properties of every resource, in addition to its fields. */
export interface ResourceProperties<T extends string> {
  /** The id, always a string. A compound id is one string. */
  readonly id: string
  /** The resource type. */
  readonly $type: T
  /** The links: `self`. */
  readonly $links: Links
  /** The `meta` object. */
  readonly $meta: ResourceMeta
  /** The relationship objects of the document, with their links. */
  readonly $relationships: Readonly<Record<string, RelationshipObject | undefined>>
  /** The document of the response. */
  readonly $document: JsonApiDocument
}

/** The `meta` object of a resource. */
export interface ResourceMeta {
  /** The version of the resource. Undefined if its model has no version, or if the caller may not read the version. */
  readonly version?: string | undefined
  readonly [name: string]: unknown
}

/** A related resource that was not included. */
export interface Identifier<T extends string> {
  readonly id: string
  readonly $type: T
}

/** The names in a model's fieldset, or all names if it has none. */
type FieldsetNames<F, N> = Member<F, Uncapitalize<N & string>> extends readonly (infer K)[] ? K : string

/** The first relation of each path. */
type FirstSegment<I extends string> = I extends `${infer H}.${string}` ? H : I

/** The remaining paths after a relation. */
export type NestedPaths<I extends string, K extends string> = I extends `${K}.${infer R}` ? R : never

/**
 * A resource in a response, with the attributes of its fieldset. An included relation is a resource or an array of resources. A to-one
 * relation that was not included is an {@link Identifier}, because responses always contain its id. A to-many relation that was not
 * included is absent, as in the response.
 */
export type Resource<
  A extends AnyApi,
  C extends ClientTypes,
  N,
  I extends string = never,
  F = unknown,
> = ResourceProperties<TypeName<C, N>> & {
  readonly [K in (AttributeName<A, N> | ComputedName<A, N>) & FieldsetNames<F, N>]: Attribute<
    Member<FieldsOf<A, N>, K>,
    Member<Member<PrismaPayload<A, N>, 'scalars'>, K>,
    C
  >
} & {
  readonly [K in (ToOneName<A, N> | (ToManyName<A, N> & FirstSegment<I>)) & FieldsetNames<F, N>]: Related<
    A,
    N,
    K,
    K extends FirstSegment<I>
      ? Resource<A, C, TargetOf<A, N, K>, NestedPaths<I, K>, F>
      : Identifier<TypeName<C, TargetOf<A, N, K>>>
  >
}

type Attribute<F, T, C extends ClientTypes> = [F] extends [never]
  ? ComputedInRest<T, C['decimal']>
  : F extends { readonly type: 'Decimal' }
    ? DecimalAs<T, C['decimal']>
    : T

type DecimalAs<T, D> = T extends readonly unknown[] ? D[] : T extends object ? D : T

/** The value of a relation: an array, a resource, or null. */
export type Related<A extends AnyApi, N, K, T> =
  Member<RelationsOf<A, N>, K> extends { readonly many: true }
    ? readonly T[]
    : Member<RelationsOf<A, N>, K> extends { readonly optional: true } | { readonly nullable: true }
      ? T | null
      : T

/** A page of resources: an array with its links to other pages. */
export type List<T> = readonly T[] & ListProperties<T, CallOptions>
