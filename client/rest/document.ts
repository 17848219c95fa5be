/** A link of JSON:API: a URL, an object with one, or null where there is none. */
export type Link = string | null | { readonly href: string; readonly meta?: Readonly<Record<string, unknown>> }

/** Links, by their names. */
export type Links = Readonly<Record<string, Link | undefined>>

/** A resource identifier of JSON:API. */
export interface ResourceIdentifier {
  readonly type: string
  readonly id: string
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A relationship of a resource, as JSON:API has it. */
export interface RelationshipObject {
  /** What it holds. Of one that leads to many, only where that was included. */
  readonly data?: ResourceIdentifier | null | readonly ResourceIdentifier[]
  readonly links?: Links
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A resource, as JSON:API has it. Dates, bigints, decimals and bytes among its attributes are values. */
export interface ResourceJson extends ResourceIdentifier {
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, RelationshipObject>>
  readonly links?: Links
}

/** A document of JSON:API, as it was answered. */
export interface JsonApiDocument {
  readonly data: ResourceJson | null | readonly ResourceJson[]
  readonly included?: readonly ResourceJson[]
  readonly links?: Links
  readonly meta?: Readonly<Record<string, unknown>>
  readonly jsonapi?: Readonly<Record<string, unknown>>
}

/** An error, as JSON:API has it. The server's own members of it are described with its errors. */
export interface JsonApiError {
  readonly id?: string
  /** A number; a text where the server is `strict`. */
  readonly status?: number | string
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
  /** Prisma's own code, where the error comes from Prisma. */
  readonly ormCode?: string
  readonly meta?: Readonly<Record<string, unknown>>
}
