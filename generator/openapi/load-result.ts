/** The messages from the process that loads a module to its parent. */

/** The served document of an exported handler. */
export interface ServedDocument {
  /** The name of the export. */
  readonly name: string
  /** The document as served. */
  readonly text: string
}

/** A handler that did not respond with a document. */
export interface FailedHandler {
  readonly name: string
  readonly status: number
  /** The error that was thrown, or the response body. */
  readonly detail: string
}

/** The documents of a module's handlers. */
export interface Descriptions {
  readonly kind: 'described'
  readonly documents: readonly ServedDocument[]
  /** The names of handlers without the option `openapi`. */
  readonly undescribed: readonly string[]
  readonly failed: readonly FailedHandler[]
  /** The names of all exports. */
  readonly exports: readonly string[]
}

/** The result of loading a module. */
export type LoadResult =
  | Descriptions
  /** The module threw an error. `position` is in the project as `file:line`, if known. */
  | {
      readonly kind: 'threw'
      readonly message: string
      readonly position: string | undefined
      /** Whether an import could not be resolved. */
      readonly isMissing: boolean
    }
  /** The module tried to start a server. */
  | { readonly kind: 'listens'; readonly position: string | undefined }
  /** The process ended before it reported a result. */
  | { readonly kind: 'ended'; readonly code: number | null; readonly signal: string | null }
  /** The time limit was exceeded. */
  | { readonly kind: 'late'; readonly seconds: number }

/** A {@link LoadResult} and the end of the module's output. */
export interface LoadedModule {
  readonly outcome: LoadResult
  readonly printed: string
}

/** The IPC message with a result. The property name distinguishes it from messages sent by the module. */
export interface LoadResultMessage {
  readonly routewright: LoadResult
}

/** Whether an IPC message contains a result. */
export function isLoadResultMessage(message: unknown): message is LoadResultMessage {
  return typeof message === 'object' && message !== null && 'routewright' in message
}
