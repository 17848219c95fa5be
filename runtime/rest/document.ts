import type { Annotation } from '../values/to-json.js'

/** The documents that we answer with (contract 2.2, 2.3; JSON:API "Document Structure"). */
export interface Document {
  readonly meta?: { readonly total?: number; readonly serialization?: Serialization }
  readonly data: Primary
  readonly included?: readonly ResourceObject[]
  readonly jsonapi: typeof JSONAPI
  readonly links: Links
}

/** superjson's notes on the values of a document: path → type (contract 2.5). */
export interface Serialization {
  readonly values: Readonly<Record<string, Annotation>>
  readonly v: 1
}

export type Primary = ResourceObject | Identifier | null | readonly ResourceObject[] | readonly Identifier[]

/** A resource identifier object. */
export interface Identifier {
  readonly type: string
  readonly id: string
}

/** A resource object. */
export interface ResourceObject extends Identifier {
  attributes?: Record<string, unknown>
  relationships?: Record<string, RelationshipObject>
  links?: Links
}

/** A relationship of a resource; `data` is there for to-one ones and for what is included. */
export interface RelationshipObject {
  data?: Identifier | null | readonly Identifier[]
  links?: Links
}

export type Links = Readonly<Record<string, string | null>>

/** The version that we speak; in every document. */
export const JSONAPI = { version: '1.1' } as const
