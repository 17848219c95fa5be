/** The methods that are used of TanStack Query's `QueryClient`, in all 5.x versions. */
export interface QueryClientLike {
  getQueryCache(): { findAll(filters: { queryKey: readonly unknown[] }): readonly QueryLike[] }
  setQueryData(key: readonly unknown[], data: unknown, options: { updatedAt: number }): unknown
  invalidateQueries(filters: QueryFilters): Promise<void>
  cancelQueries(filters: QueryFilters): Promise<void>
}

/** Selects queries. */
export interface QueryFilters {
  queryKey: readonly unknown[]
  predicate: (query: { readonly queryKey: readonly unknown[]; readonly queryHash: string }) => boolean
}

/** The properties that are used of a cached query. */
export interface QueryLike {
  readonly queryKey: readonly unknown[]
  readonly queryHash: string
  readonly state: { readonly data: unknown; readonly fetchStatus: string; readonly dataUpdatedAt: number }
}

/** The context that TanStack Query passes to mutation callbacks since 5.89. */
export interface MutationContext {
  readonly client: QueryClientLike
}
