import type { AnyApi, FieldsOf, Member, PrismaPayload, RelationsOf, TargetOf } from '../../api.js'
import type { ComputedInRest } from '../../computed.js'
import type { JsonApiDocument, Links, RelationshipObject } from '../document.js'
import type { ListMembers } from '../list.js'
import type { CallOptions } from '../../http/options.js'
import type { AttributeName, ClientTypes, ComputedName, ToManyName, ToOneName, TypeName } from './api.js'

/** What every resource has beside the fields of its model. */
export interface ResourceMembers<T extends string> {
  /** Its id, a text whatever it is in the database. Compound ids are one text. */
  readonly id: string
  /** Its type on the wire. */
  readonly $type: T
  /** Its links: `self`. */
  readonly $links: Links
  /** Its `meta`. */
  readonly $meta: Readonly<Record<string, unknown>>
  /** Its relationships as the document has them, with their links. */
  readonly $relationships: Readonly<Record<string, RelationshipObject | undefined>>
  /** The document that it came with, as it was answered. */
  readonly $document: JsonApiDocument
}

/** What stands for a related resource that was not included. */
export interface Identifier<T extends string> {
  readonly id: string
  readonly $type: T
}

/** The names that a fieldset leaves of a model: all, where there is none. */
type Shown<F, N> = Member<F, Uncapitalize<N & string>> extends readonly (infer K)[] ? K : string

/** What the paths begin with. */
type Head<I extends string> = I extends `${infer H}.${string}` ? H : I

/** What follows a relation in the paths. */
export type NestedPaths<I extends string, K extends string> = I extends `${K}.${infer R}` ? R : never

/**
 * A resource of an answer. Attributes are those of its fieldset. A relation that was included is a resource, or an array of them. One to
 * one that was not is told by its id, which answers have anyway; one to many is not there, because answers do not have it.
 */
export type Resource<
  A extends AnyApi,
  C extends ClientTypes,
  N,
  I extends string = never,
  F = unknown,
> = ResourceMembers<TypeName<C, N>> & {
  readonly [K in (AttributeName<A, N> | ComputedName<A, N>) & Shown<F, N>]: Attribute<
    Member<FieldsOf<A, N>, K>,
    Member<Member<PrismaPayload<A, N>, 'scalars'>, K>,
    C
  >
} & {
  readonly [K in (ToOneName<A, N> | (ToManyName<A, N> & Head<I>)) & Shown<F, N>]: Related<
    A,
    N,
    K,
    K extends Head<I>
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

/** What a relation leads to: many, one, or one at most. */
export type Related<A extends AnyApi, N, K, T> =
  Member<RelationsOf<A, N>, K> extends { readonly many: true }
    ? readonly T[]
    : Member<RelationsOf<A, N>, K> extends { readonly optional: true } | { readonly nullable: true }
      ? T | null
      : T

/** A page of resources: an array that knows its pages. */
export type List<T> = readonly T[] & ListMembers<T, CallOptions>
