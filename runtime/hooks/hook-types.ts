import type { Style } from '../http/telemetry.js'
import type { ArgsOf, Member, ModelName, TypeMap } from '../prisma/client-types.js'

/** The event that every hook receives. */
export interface HookEvent<C> {
  /** The value that the adapter's `context` option returned for the request. */
  readonly context: C
  readonly style: Style
  /** The name of the model in the Prisma schema. */
  readonly model: string
  /** The Prisma operation that the request calls, such as `update` for a PATCH. For a nested write, the operation of the outermost row. */
  readonly operation: string
  /**
   * The position of the write in the operation's data: keys and list indices, for example `['comments', 'create', 0]` or
   * `['comments', 'update', 0, 'data']`. For rows that a cascading delete changes, the relation. Empty for the outermost row.
   */
  readonly path: readonly (string | number)[]
}

/** The event of hooks that may use the database. */
export interface WriteEvent<C, Client> extends HookEvent<C> {
  /**
   * The client inside the write's transaction. It enforces the policies of the request's client, and writes made with it also trigger
   * hooks.
   */
  readonly client: Client
}

/** A value, or a promise for it. */
export type Awaitable<T> = T | Promise<T>

/** Hooks around the creation of a row. */
export interface CreateHooks<Data, Row, C, Client> {
  /**
   * Called before the row is created. Returns the data to create it with, which may be `data` itself. The data contains the foreign keys of
   * connected rows. Fields that the caller omitted are missing, even if they are required: required fields are checked after all hooks have
   * run.
   */
  readonly before?: (event: WriteEvent<C, Client> & { readonly data: Data }) => Awaitable<Data>
  /** Called after the row is created and its nested writes have run, in the same transaction. */
  readonly after?: (event: WriteEvent<C, Client> & { readonly row: Row }) => Awaitable<void>
  /** Called after the transaction is committed. Errors are logged and do not change the response. */
  readonly afterCommit?: (event: HookEvent<C> & { readonly row: Row }) => Awaitable<void>
}

/** Hooks around the update of a row. */
export interface UpdateHooks<Data, Row, Where, C, Client> {
  /** Called before the row is updated. Returns the data to update it with, which may be `data` itself. `row` is the current row. */
  readonly before?: (event: WriteEvent<C, Client> & { readonly data: Data; readonly row: Row }) => Awaitable<Data>
  /** Called after the row is updated and its nested writes have run. `before` is the row before the update. */
  readonly after?: (event: WriteEvent<C, Client> & { readonly before: Row; readonly row: Row }) => Awaitable<void>
  /** Called after the transaction is committed. Errors are logged and do not change the response. */
  readonly afterCommit?: (event: HookEvent<C> & { readonly before: Row; readonly row: Row }) => Awaitable<void>
  /** Called for bulk updates instead of the row hooks. Without `many`, the row hooks are called for each row. */
  readonly many?: {
    readonly before?: (event: WriteEvent<C, Client> & { readonly where: Where; readonly data: Data }) => Awaitable<Data>
    readonly after?: (event: WriteEvent<C, Client> & SetWritten<Where> & { readonly data: Data }) => Awaitable<void>
    readonly afterCommit?: (event: HookEvent<C> & SetWritten<Where> & { readonly data: Data }) => Awaitable<void>
  }
}

/** Hooks around the deletion of a row. */
export interface DeleteHooks<Data, Row, Where, C, Client> {
  /** Called before the row is deleted. `row` is the current row. */
  readonly before?: (event: WriteEvent<C, Client> & { readonly row: Row }) => Awaitable<void>
  /**
   * Returns data to update the row with instead of deleting it (soft delete). Policies and hooks then treat the write as an update. Except
   * for `before`, no other delete hook runs.
   */
  readonly replaceWith?: (event: WriteEvent<C, Client> & { readonly row: Row }) => Awaitable<Data>
  /** Called after the row is deleted. `row` is the row before the deletion. */
  readonly after?: (event: WriteEvent<C, Client> & { readonly row: Row }) => Awaitable<void>
  /** Called after the transaction is committed. Errors are logged and do not change the response. */
  readonly afterCommit?: (event: HookEvent<C> & { readonly row: Row }) => Awaitable<void>
  /** Called for bulk deletes instead of the row hooks. Without `many`, the row hooks are called for each row. */
  readonly many?: {
    readonly before?: (event: WriteEvent<C, Client> & { readonly where: Where }) => Awaitable<void>
    readonly replaceWith?: (event: WriteEvent<C, Client> & { readonly where: Where }) => Awaitable<Data>
    readonly after?: (event: WriteEvent<C, Client> & SetWritten<Where>) => Awaitable<void>
    readonly afterCommit?: (event: HookEvent<C> & SetWritten<Where>) => Awaitable<void>
  }
}

interface SetWritten<Where> {
  readonly where: Where
  /** The number of rows written. */
  readonly count: number
}

/** The event of `where` and `mask` hooks. */
export type ReadEvent<C> = Pick<HookEvent<C>, 'context' | 'style'>

/** The hooks around the reads and writes of one model. */
export interface ModelHooks<Shape extends ModelTypes, C, Client> {
  /**
   * Returns a filter that applies to every read, in REST and RPC and at every depth. Rows that do not match are missing from lists,
   * includes, counts, filters and lookups, and cannot be written or connected. Called once per request, on first use.
   */
  readonly where?: (event: ReadEvent<C>) => Shape['where']
  readonly create?: CreateHooks<Shape['create'], Shape['row'], C, Client>
  readonly update?: UpdateHooks<Shape['update'], Shape['row'], Shape['where'], C, Client>
  readonly delete?: DeleteHooks<Shape['update'], Shape['row'], Shape['where'], C, Client>
  /**
   * Functions that replace field values in responses, by field name. Masked fields cannot be used to filter, order, group or aggregate,
   * because that would reveal their values. Id fields and foreign keys cannot be masked.
   */
  readonly mask?: {
    readonly [F in keyof Shape['row']]?: (event: ReadEvent<C> & { readonly value: Shape['row'][F] }) => Shape['row'][F]
  }
}

/** The client's types for one model. */
export interface ModelTypes {
  readonly where: unknown
  readonly create: unknown
  readonly update: unknown
  readonly row: object
}

/** The {@link ModelTypes} that a client has for a model. Rows and data contain columns, including foreign keys, and no relations. */
export interface ModelTypesOf<T extends TypeMap, N extends ModelName<T>> extends ModelTypes {
  readonly where: NonNullable<Member<ArgsOf<T, N, 'findMany'>, 'where'>>
  readonly create: Draft<One<Member<ArgsOf<T, N, 'createMany'>, 'data'>>>
  readonly update: Plain<Member<ArgsOf<T, N, 'updateMany'>, 'data'>>
  readonly row: RowOf<T['model'][N]>
}

// All fields are optional, because hooks may fill in what the caller omitted.
type Draft<D> = { readonly [K in keyof D]?: D[K] | undefined }

type One<T> = T extends readonly unknown[] ? never : T

type RowOf<M> = M extends { readonly payload: { readonly scalars: infer R extends object } } ? R : never

// The client accepts both `value` and `{ set: value }`. Hooks receive the value.
type Plain<D> = { readonly [K in keyof D]?: WithoutSet<D[K]> | undefined }

type WithoutSet<V> = V extends object ? ([keyof V] extends ['set'] ? never : V) : V

/** The types for hooks that apply to all models. */
interface AnyShape extends ModelTypes {
  readonly where: Readonly<Record<string, unknown>>
  readonly create: Readonly<Record<string, unknown>>
  readonly update: Readonly<Record<string, unknown>>
  readonly row: Readonly<Record<string, unknown>>
}

/** Hooks around reads and writes, by model. The write hooks in `$all` apply to all models and are called first. */
export type HookDefinitions<T extends TypeMap, N extends ModelName<T>, C, Client> = {
  readonly [K in N]?: ModelHooks<ModelTypesOf<T, K>, C, Client>
} & { readonly $all?: Pick<ModelHooks<AnyShape, C, Client>, 'create' | 'update' | 'delete'> }
