import type { CompletedWrite, Scope, Write } from './invalidation.js'
import type { OptimisticContext } from './optimistic.js'
import { STYLES } from './settings.js'
import type { MutationContext, QueryClientLike } from './tanstack.js'
import type { Members } from './impact/graph.js'

/** What is given to `mutationOptions`, as it is seen at run time. */
export interface MutationInput {
  readonly optimistic?: boolean | ((variables: unknown, row: Members) => Members | undefined) | undefined
  readonly onSettled?: ((...all: readonly unknown[]) => unknown) | undefined
}

/** The parts of a mutation. */
export interface Mutation {
  readonly key: readonly unknown[]
  readonly send: (variables: unknown, options: SendOptions | false | undefined) => Promise<unknown>
  readonly scope: Scope
  readonly engine: LoadEngine
  /** What it writes; first of all, what can be shown before it is answered. */
  readonly writes: (variables: unknown) => readonly Write[]
  /** The results of its writes, in what it gave. Default: it is the result of the only one. */
  readonly resultsOf?: (variables: unknown, result: unknown) => readonly unknown[]
  readonly queryClient: QueryClientLike | undefined
  /** Whether what is sent again is to be done once. */
  readonly idempotency: boolean | undefined
}

/** What is said of a request, beside its arguments. */
export interface SendOptions {
  readonly idempotencyKey: string
}

/** Loads what tells the queries that a write touches: with the first mutation, not with pages that only read. */
export type LoadEngine = () => Promise<Pick<typeof import('./invalidation.js'), 'invalidateWrites' | 'applyOptimistic'>>

/** Makes the options of a mutation. */
export function createMutationOptions(
  { key, send, scope, engine, writes, resultsOf = (_, result) => [result], queryClient, idempotency }: Mutation,
  { onSettled, optimistic, ...others }: MutationInput,
): object {
  const clientOf = (context: MutationContext | undefined): QueryClientLike => {
    const client = queryClient ?? context?.client
    if (client) return client
    throw new TypeError('Give queryClient, or use TanStack Query 5.89.')
  }
  // Whoever has a mutation will want it.
  void engine().catch(() => undefined)
  return {
    ...others,
    mutationKey: key,
    mutationFn: (variables: unknown, context?: object) => send(variables, idempotency && sendOptionsOf(context)),
    // Here, because it is asked for before anything is sent.
    onMutate: async (variables: unknown, context?: MutationContext) => {
      const client = clientOf(context)
      const [write] = optimistic ? writes(variables) : []
      if (!optimistic || !write) return undefined
      const { applyOptimistic } = await engine()
      const change = optimistic === true || ((row: Members) => optimistic(variables, row))
      return applyOptimistic(client, scope, write, change)
    },
    onSettled: async (
      ...all: [unknown, unknown, unknown, OptimisticContext | undefined, MutationContext | undefined]
    ) => {
      const [result, error, variables, shown, context] = all
      if (error) shown?.undo()
      const hashes = shown?.hashes ?? []
      if (isRefused(error)) await again(clientOf(context), scope.prefix, hashes)
      else
        await invalidateOrAll(
          engine,
          clientOf(context),
          scope,
          completedWrites(writes(variables), resultsOf(variables, result)),
          hashes,
        )
      return onSettled?.(...all)
    },
  }
}

const known = new WeakMap<object, SendOptions>()

/** The same for each time that a mutation is sent: TanStack hands it the same context. */
function sendOptionsOf(context: object = {}): SendOptions {
  const options = known.get(context) ?? { idempotencyKey: crypto.randomUUID() }
  known.set(context, options)
  return options
}

/** Writes with what each of them gave. */
export function completedWrites(writes: readonly Write[], results: readonly unknown[]): readonly CompletedWrite[] {
  return writes.map((write, index) => ({ ...write, result: results[index] }))
}

/** Reads again what writes touch: everything where what tells that could not be loaded. */
export async function invalidateOrAll(
  engine: LoadEngine,
  client: QueryClientLike,
  scope: Scope,
  writes: readonly CompletedWrite[],
  hashes?: readonly string[],
): Promise<void> {
  const loaded = await engine().catch(() => undefined)
  if (loaded) return loaded.invalidateWrites(client, scope, writes, hashes)
  const keys = new Set([...scope.prefix, ...(scope.otherKeys ?? STYLES)])
  await Promise.all([...keys].map((key) => again(client, [key])))
}

/** Reads some queries again, or all. */
async function again(client: QueryClientLike, queryKey: readonly unknown[], hashes?: readonly string[]): Promise<void> {
  await client.invalidateQueries({ queryKey, predicate: ({ queryHash }) => hashes?.includes(queryHash) ?? true })
}

/** Whether the server has certainly done nothing. */
function isRefused(error: unknown): boolean {
  const { status, reason } = Object(error)
  return status >= 400 && status < 500 && status !== 408 && reason === undefined
}
