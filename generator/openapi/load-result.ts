/** What is said of a module and its handlers, from the process that loads it to the one that started that. */

/** The document of an exported handler, as it is served. */
export interface ServedDocument {
  /** What the handler is exported as. */
  readonly name: string
  /** The bytes that the handler serves. */
  readonly text: string
}

/** A handler whose description was asked for, and that answered with something else. */
export interface FailedHandler {
  readonly name: string
  readonly status: number
  /** What it answered, or what was thrown. */
  readonly detail: string
}

/** What the handlers of a module say of themselves. */
export interface Descriptions {
  readonly kind: 'described'
  readonly documents: readonly ServedDocument[]
  /** Handlers without the option `openapi`. */
  readonly undescribed: readonly string[]
  readonly failed: readonly FailedHandler[]
  /** Everything that the module exports. */
  readonly exports: readonly string[]
}

/** What came of loading a module. */
export type LoadResult =
  | Descriptions
  /** It threw. `at` is the place in the project, `file:line`, where one is known. */
  | {
      readonly kind: 'threw'
      readonly message: string
      readonly at: string | undefined
      /** What it threw is that an import leads nowhere. */
      readonly isMissing: boolean
    }
  /** It would have a server listen. */
  | { readonly kind: 'listens'; readonly at: string | undefined }
  /** Its process ended before it had said anything. */
  | { readonly kind: 'ended'; readonly code: number | null; readonly signal: string | null }
  /** Nothing came in time. */
  | { readonly kind: 'late'; readonly seconds: number }

/** An {@link Outcome}, and the last of what the module printed. */
export interface LoadedModule {
  readonly outcome: LoadResult
  readonly printed: string
}

/** How the process that loads a module says what came of it: told apart from messages of the module's own. */
export interface LoadResultMessage {
  readonly routewright: LoadResult
}

/** Whether a message of the loading process is what came of it. */
export function isLoadResultMessage(message: unknown): message is LoadResultMessage {
  return typeof message === 'object' && message !== null && 'routewright' in message
}
