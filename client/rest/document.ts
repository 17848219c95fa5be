/** A JSON:API link: a URL, a link object, or null. */
export type Link = string | null | { readonly href: string; readonly meta?: Readonly<Record<string, unknown>> }

/** Links by name. */
export type Links = Readonly<Record<string, Link | undefined>>

/** A JSON:API resource identifier. */
export interface ResourceIdentifier {
  readonly type: string
  readonly id: string
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A JSON:API relationship object. */
export interface RelationshipObject {
  /** The linkage. Present for a to-many relationship only if it was included. */
  readonly data?: ResourceIdentifier | null | readonly ResourceIdentifier[]
  readonly links?: Links
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A JSON:API resource object. Dates, BigInts, Decimals and Bytes in its attributes are already converted. */
export interface ResourceJson extends ResourceIdentifier {
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, RelationshipObject>>
  readonly links?: Links
}

/** A JSON:API document. */
export interface JsonApiDocument {
  readonly data: ResourceJson | null | readonly ResourceJson[]
  readonly included?: readonly ResourceJson[]
  readonly links?: Links
  readonly meta?: Readonly<Record<string, unknown>>
  readonly jsonapi?: Readonly<Record<string, unknown>>
}

/** A JSON:API error object, with the server's additional members. */
export interface JsonApiError {
  readonly id?: string
  /** A number, or a string if the server's option `strict` is set. */
  readonly status?: number | string
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
  /** Prisma's error code, if the error comes from Prisma. */
  readonly ormCode?: string
  readonly meta?: Readonly<Record<string, unknown>>
}
