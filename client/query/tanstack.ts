/** The part of TanStack Query's `QueryClient` that this package uses. All 5.x versions have it. */
export interface QueryClientLike {
  getQueryCache(): { findAll(filters?: { queryKey: readonly unknown[] }): readonly QueryLike[] }
  setQueryData(key: readonly unknown[], data: unknown, options: { updatedAt: number }): unknown
  invalidateQueries(filters: QueryFilters): Promise<void>
  cancelQueries(filters: QueryFilters): Promise<void>
}

/** Selects queries. */
export interface QueryFilters {
  predicate: (query: { readonly queryKey: readonly unknown[]; readonly queryHash: string }) => boolean
}

/** The part of a cached query that this package uses. */
export interface QueryLike {
  readonly queryKey: readonly unknown[]
  readonly queryHash: string
  readonly state: { readonly data: unknown; readonly fetchStatus: string; readonly dataUpdatedAt: number }
}

/** The context that TanStack Query 5.89 and later pass to mutation callbacks. */
export interface MutationContext {
  readonly client: QueryClientLike
}
