// Whoever uses TanStack Query has one of these packages, and types of the others are nothing to them: an import that leads nowhere is
// `any`, and is passed over below. All of them hand on the types of the core.
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
 * A key that knows the type of its data, as TanStack's own `queryOptions` makes it: `getQueryData` and `setQueryData` have it then.
 */
export type Tagged<K, T> = First<
  [React<K, T, Error>, Vue<K, T, Error>, Svelte<K, T, Error>, Solid<K, T, Error>, Core<K, T, Error>],
  K
>

/** The first that is not `any`. */
type First<All extends readonly unknown[], Otherwise> = All extends readonly [infer T, ...infer Others]
  ? 0 extends 1 & T
    ? First<Others, Otherwise>
    : T
  : Otherwise
