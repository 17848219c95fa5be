/** What is asked of TanStack's `QueryClient`; that of every version 5 has it. */
export interface QueryClientLike {
  getQueryCache(): { findAll(filters: { queryKey: readonly unknown[] }): readonly QueryLike[] }
  setQueryData(key: readonly unknown[], data: unknown, options: { updatedAt: number }): unknown
  invalidateQueries(filters: QueryFilters): Promise<void>
  cancelQueries(filters: QueryFilters): Promise<void>
}

/** Which queries are meant. */
export interface QueryFilters {
  queryKey: readonly unknown[]
  predicate: (query: { readonly queryKey: readonly unknown[]; readonly queryHash: string }) => boolean
}

/** What is asked of a query in the cache. */
export interface QueryLike {
  readonly queryKey: readonly unknown[]
  readonly queryHash: string
  readonly state: { readonly data: unknown; readonly fetchStatus: string; readonly dataUpdatedAt: number }
}

/** What TanStack gives to the callbacks of a mutation, since 5.89. */
export interface MutationContext {
  readonly client: QueryClientLike
}
