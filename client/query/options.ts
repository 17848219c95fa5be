import type { OptimisticContext } from './optimistic.js'
import type { PageParam } from './paging.js'
import type { Tagged } from './tag.js'
import type { MutationContext } from './tanstack.js'

/** The options of a query: `useQuery` and `createQuery` take them, and so do `fetchQuery` and `prefetchQuery`. */
export interface QueryOptions<K, T> {
  readonly queryKey: Tagged<K, T>
  readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<T>
}

/** What may be said of the requests beside the arguments. */
export interface RequestHeaders {
  /** Headers of the requests, in place of those of the client with the same names. They are no part of the key. */
  readonly headers?: HeadersInit | undefined
}

/** What may be said beside the arguments: every option of the framework's own, as `enabled` and `staleTime`. */
export interface QueryOverrides<T> extends RequestHeaders {
  /** Makes what is shown of what is in the cache. */
  readonly select?: (data: T) => unknown
}

/** The options of an infinite query. */
export interface InfiniteQueryOptions<K, T, P> {
  readonly queryKey: Tagged<K, InfiniteData<T, P>>
  readonly queryFn: (context: { readonly signal: AbortSignal; readonly pageParam: P }) => Promise<T>
  readonly initialPageParam: P
  readonly getNextPageParam: (page: T, pages: T[]) => P | undefined
}

/** What an infinite query has in the cache. */
export interface InfiniteData<T, P = PageParam> {
  pages: T[]
  pageParams: P[]
}

/** The options of a mutation: `useMutation` and `createMutation` take them. */
export interface MutationOptions<T, V> extends MutationCallbacks<T, V> {
  readonly mutationKey: readonly unknown[]
  readonly mutationFn: (variables: V) => Promise<T>
  readonly onMutate: (variables: V, context: MutationContext) => Promise<OptimisticContext | undefined>
}

/** What may be said of a mutation, beside what it does: the framework's own options. `onMutate` is taken. */
export interface MutationCallbacks<T, V> extends RequestHeaders {
  onSuccess?: (data: T, variables: V, shown: OptimisticContext | undefined, context: MutationContext) => unknown
  onError?: (error: Error, variables: V, shown: OptimisticContext | undefined, context: MutationContext) => unknown
  /** Called when everything that the mutation touches was read again. */
  onSettled?: (
    data: T | undefined,
    error: Error | null,
    variables: V,
    shown: OptimisticContext | undefined,
    context: MutationContext,
  ) => unknown
  retry?: boolean | number | ((failureCount: number, error: Error) => boolean)
  retryDelay?: number | ((failureCount: number, error: Error) => number)
  networkMode?: 'online' | 'always' | 'offlineFirst'
  gcTime?: number
  meta?: Record<string, unknown>
  scope?: { id: string }
}
