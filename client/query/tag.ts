// An app has at least one of these packages installed; all of them export the core's `DataTag`. A failed import has the type `any` and is
// skipped below.
/** @ts-ignore */
import type { DataTag as Core } from '@tanstack/query-core'
/** @ts-ignore */
import type { DataTag as React } from '@tanstack/react-query'
/** @ts-ignore */
import type { DataTag as Solid } from '@tanstack/solid-query'
/** @ts-ignore */
import type { DataTag as Svelte } from '@tanstack/svelte-query'
/** @ts-ignore */
import type { DataTag as Vue } from '@tanstack/vue-query'

/**
 * A query key typed with its data, as created by TanStack Query's `queryOptions`. `getQueryData` and `setQueryData` infer the data from it.
 */
export type Tagged<K, T> = First<
  [React<K, T, Error>, Vue<K, T, Error>, Svelte<K, T, Error>, Solid<K, T, Error>, Core<K, T, Error>],
  K
>

/** The first type that is not `any`. */
type First<All extends readonly unknown[], Otherwise> = All extends readonly [infer T, ...infer Others]
  ? 0 extends 1 & T
    ? First<Others, Otherwise>
    : T
  : Otherwise
