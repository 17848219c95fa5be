/** A document as a client parses it. */
export interface Body {
  readonly data?: Primary
  readonly included?: readonly ResourceObject[]
  readonly meta?: {
    readonly total?: number
    readonly page?: { readonly total?: number; readonly rangeTruncated?: true }
    readonly serialization?: { readonly values: Record<string, unknown> }
  }
  readonly links?: Readonly<Record<string, string | null>>
  readonly jsonapi?: { readonly version: string }
  readonly errors?: readonly ErrorObject[]
}

export type Primary = ResourceObject | null | readonly ResourceObject[]

/** A resource object or a resource identifier. */
export interface ResourceObject {
  readonly type: string
  readonly id: string
  readonly meta?: { readonly page?: { readonly cursor: string }; readonly version?: string }
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly relationships?: Readonly<Record<string, RelationshipObject>>
  readonly links?: { readonly self: string }
}

export interface RelationshipObject {
  readonly data?: ResourceObject | null | readonly ResourceObject[]
  readonly links?: { readonly self?: string; readonly related?: string; readonly next?: string | null }
  readonly meta?: { readonly total?: number; readonly hasMore?: boolean }
}

export interface ErrorObject {
  readonly code: string
  readonly status: number | string
  readonly title: string
  readonly detail: string
  readonly source?: { readonly pointer?: string; readonly parameter?: string; readonly header?: string }
  readonly ormCode?: string
  readonly id?: string
  readonly links?: { readonly type: string }
  readonly meta?: Readonly<Record<string, unknown>>
}
