import type { OptimisticContext } from './optimistic.js'
import type { PageParam } from './paging.js'
import type { Tagged } from './tag.js'
import type { MutationContext } from './tanstack.js'

/** Options of a query, for `useQuery`, `createQuery`, `fetchQuery` and `prefetchQuery`. */
export interface QueryOptions<K, T> {
  readonly queryKey: Tagged<K, T>
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>
}

/** Request options of a query or mutation. */
export interface RequestHeaders {
  /** Headers for the requests. They override the client's headers with the same names, and are not part of the query key. */
  readonly headers?: HeadersInit | undefined
}

/** Additional query options. All options of the framework, such as `enabled` and `staleTime`, are allowed. */
export interface QueryOverrides<T> extends RequestHeaders {
  /** Transforms the cached data. */
  readonly select?: (data: T) => unknown
}

/** Options of an infinite query. */
export interface InfiniteQueryOptions<K, T, P> {
  readonly queryKey: Tagged<K, InfiniteData<T, P>>
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: P }) => Promise<T>
  readonly initialPageParam: P
  readonly getNextPageParam: (page: T, pages: T[]) => P | undefined
}

/** The cached data of an infinite query. */
export interface InfiniteData<T, P = PageParam> {
  pages: T[]
  pageParams: P[]
}

/** Options of a mutation, for `useMutation` and `createMutation`. */
export interface MutationOptions<T, V> extends MutationCallbacks<T, V> {
  readonly mutationKey: readonly unknown[]
  readonly mutationFn: (variables: V) => Promise<T>
  readonly onMutate: (variables: V, context: MutationContext) => Promise<OptimisticContext | undefined>
}

/** The framework's options of a mutation, except for `onMutate`, which the client sets. */
export interface MutationCallbacks<T, V> extends RequestHeaders {
  onSuccess?: (
    data: T,
    variables: V,
    onMutateResult: OptimisticContext | undefined,
    context: MutationContext,
  ) => unknown
  onError?: (
    error: Error,
    variables: V,
    onMutateResult: OptimisticContext | undefined,
    context: MutationContext,
  ) => unknown
  /** Called after all affected queries have been refetched. */
  onSettled?: (
    data: T | undefined,
    error: Error | null,
    variables: V,
    onMutateResult: OptimisticContext | undefined,
    context: MutationContext,
  ) => unknown
  retry?: boolean | number | ((failureCount: number, error: Error) => boolean)
  retryDelay?: number | ((failureCount: number, error: Error) => number)
  networkMode?: 'online' | 'always' | 'offlineFirst'
  gcTime?: number
  meta?: Record<string, unknown>
  scope?: { id: string }
}
