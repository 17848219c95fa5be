import type { Scope, Write } from './invalidation.js'
import type { OptimisticContext } from './optimistic.js'
import { keyPrefixes } from './settings.js'
import type { MutationContext, QueryClientLike } from './tanstack.js'
import type { PlainObject } from './impact/graph.js'

/** The options of `mutationOptions` at run time. */
export interface MutationInput {
  readonly optimistic?: boolean | ((variables: unknown, row: PlainObject) => PlainObject | undefined) | undefined
  readonly onSettled?: ((...all: readonly unknown[]) => unknown) | undefined
}

/** A mutation in the REST or RPC API. */
export interface Mutation {
  readonly key: readonly unknown[]
  readonly send: (variables: unknown, options: SendOptions | false | undefined) => Promise<unknown>
  readonly scope: Scope
  readonly engine: LoadEngine
  /** Returns the writes of the mutation, with their results if available. An optimistic update shows only the first one. */
  readonly writes: (variables: unknown, result?: unknown) => readonly Write[]
  readonly queryClient: QueryClientLike | undefined
  /** Whether to send an idempotency key, so that retries take effect only once. */
  readonly idempotency: boolean | undefined
}

/** Options of a request, in addition to its arguments. */
export interface SendOptions {
  readonly idempotencyKey: string
}

/** Loads the code that updates the cache. Called for the first mutation, so that read-only pages do not load this code. */
export type LoadEngine = () => Promise<Pick<typeof import('./invalidation.js'), 'invalidateWrites' | 'applyOptimistic'>>

/** Creates the options of a mutation. */
export function createMutationOptions(
  { key, send, scope, engine, writes, queryClient, idempotency }: Mutation,
  { onSettled, optimistic, ...others }: MutationInput,
): object {
  const getQueryClient = (context: MutationContext | undefined): QueryClientLike => {
    const client = queryClient ?? context?.client
    if (client) return client
    throw new TypeError('Pass "queryClient", or use TanStack Query 5.89 or later.')
  }
  // Preloads the code, because the mutation will need it.
  void engine().catch(() => undefined)
  return {
    ...others,
    mutationKey: key,
    mutationFn: (variables: unknown, context?: object) => send(variables, idempotency && getSendOptions(context)),
    // The query client is resolved here, so that a missing one is reported before the request is sent.
    onMutate: async (variables: unknown, context?: MutationContext) => {
      const client = getQueryClient(context)
      const [write] = optimistic ? writes(variables) : []
      if (!optimistic || !write) return undefined
      const { applyOptimistic } = await engine()
      const change = optimistic === true || ((row: PlainObject) => optimistic(variables, row))
      return applyOptimistic(client, scope, write, change)
    },
    onSettled: async (
      ...all: [unknown, unknown, unknown, OptimisticContext | undefined, MutationContext | undefined]
    ) => {
      const [result, error, variables, onMutateResult, context] = all
      if (error) onMutateResult?.undo()
      const hashes = onMutateResult?.hashes ?? []
      const client = getQueryClient(context)
      if (isRejected(error))
        await client.invalidateQueries({ predicate: ({ queryHash }) => hashes.includes(queryHash) })
      else await invalidateOrAll(engine, client, scope, writes(variables, result), hashes)
      return onSettled?.(...all)
    },
  }
}

const sendOptionsByContext = new WeakMap<object, SendOptions>()

/** Returns the same idempotency key for all attempts of a mutation. TanStack Query passes the same context to each of them. */
function getSendOptions(context: object = {}): SendOptions {
  const options = sendOptionsByContext.get(context) ?? { idempotencyKey: crypto.randomUUID() }
  sendOptionsByContext.set(context, options)
  return options
}

/** Invalidates the queries that the writes may affect, or all queries if the code that finds them cannot be loaded. */
export async function invalidateOrAll(
  engine: LoadEngine,
  client: QueryClientLike,
  scope: Scope,
  writes: readonly Write[],
  hashes?: readonly string[],
): Promise<void> {
  if (writes.length === 0) return
  const loaded = await engine().catch(() => undefined)
  if (loaded) return loaded.invalidateWrites(client, scope, writes, hashes)
  const keys = keyPrefixes(scope)
  await client.invalidateQueries({ predicate: ({ queryKey }) => keys.has(queryKey[0]) })
}

/**
 * Whether the server rejected the write for a reason that does not suggest outdated data in the cache, as 404, 409 and 412 do. After a 408,
 * the server may have executed the write.
 */
function isRejected(error: unknown): boolean {
  const { status, reason } = Object(error)
  return /^4(?!0[489]|12)/.test(status) && reason === undefined
}
