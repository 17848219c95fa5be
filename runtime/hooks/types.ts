import type { Style } from '../http/hooks-mount.js'
import type { ArgsOf, Member, ModelName, TypeMap } from '../orm/client-types.js'

/** What every hook is told. */
export interface HookEvent<C> {
  /** What the adapter's option `context` said of the request. */
  readonly context: C
  /** The style of the request. */
  readonly style: Style
  /** The name of the model. */
  readonly model: string
  /** The operation of the Prisma client that the request came to, as `update` for a PATCH: of the outermost row. */
  readonly operation: string
  /**
   * Where in the operation's data a nested write stands: relations, nested operations and list indices, as
   * `['comments', 'create', 0]`. Empty for what the request writes itself.
   */
  readonly path: readonly (string | number)[]
}

/** What hooks that may use the database are told. */
export interface WriteEvent<C, Client> extends HookEvent<C> {
  /**
   * The client, in the transaction of the write. It keeps to the policies of the request's client, and its own writes are told to
   * hooks as well.
   */
  readonly client: Client
}

/** A value, at once or later. */
export type Awaitable<T> = T | Promise<T>

/** What is done around a row that is created. */
export interface CreateHooks<Data, Row, C, Client> {
  /**
   * Before: gives the data to create the row with, the given one or another. The keys of related rows are in it already. What the caller
   * left out is not, required or not: that is asked for when all hooks were called.
   */
  readonly before?: (event: WriteEvent<C, Client> & { readonly data: Data }) => Awaitable<Data>
  /** After the row and all that is nested in it is written, in the same transaction. */
  readonly after?: (event: WriteEvent<C, Client> & { readonly row: Row }) => Awaitable<void>
  /** When the transaction is committed. Its failure is logged, and changes no answer. */
  readonly afterCommit?: (event: HookEvent<C> & { readonly row: Row }) => Awaitable<void>
}

/** What is done around a row that is changed. */
export interface UpdateHooks<Data, Row, Where, C, Client> {
  /** Before: gives the data to change the row with, the given one or another. `row` is the row as it is. */
  readonly before?: (event: WriteEvent<C, Client> & { readonly data: Data; readonly row: Row }) => Awaitable<Data>
  /** After the row and all that is nested in it is written. `before` is the row as it was. */
  readonly after?: (event: WriteEvent<C, Client> & { readonly before: Row; readonly row: Row }) => Awaitable<void>
  /** When the transaction is committed. Its failure is logged, and changes no answer. */
  readonly afterCommit?: (event: HookEvent<C> & { readonly before: Row; readonly row: Row }) => Awaitable<void>
  /** For rows that are changed together, in place of the others, which are called for each row otherwise. */
  readonly many?: {
    readonly before?: (event: WriteEvent<C, Client> & { readonly where: Where; readonly data: Data }) => Awaitable<Data>
    readonly after?: (event: WriteEvent<C, Client> & SetWritten<Where> & { readonly data: Data }) => Awaitable<void>
    readonly afterCommit?: (event: HookEvent<C> & SetWritten<Where> & { readonly data: Data }) => Awaitable<void>
  }
}

/** What is done around a row that is deleted. */
export interface DeleteHooks<Data, Row, Where, C, Client> {
  /** Before. `row` is the row as it is. */
  readonly before?: (event: WriteEvent<C, Client> & { readonly row: Row }) => Awaitable<void>
  /**
   * Gives data to change the row with in place of deleting it: a soft delete. It is an update then, to policies and to hooks; of
   * the hooks of a delete, only `before` is called.
   */
  readonly replaceWith?: (event: WriteEvent<C, Client> & { readonly row: Row }) => Awaitable<Data>
  /** After the row is deleted. `row` is the row as it was. */
  readonly after?: (event: WriteEvent<C, Client> & { readonly row: Row }) => Awaitable<void>
  /** When the transaction is committed. Its failure is logged, and changes no answer. */
  readonly afterCommit?: (event: HookEvent<C> & { readonly row: Row }) => Awaitable<void>
  /** For rows that are deleted together, in place of the others, which are called for each row otherwise. */
  readonly many?: {
    readonly before?: (event: WriteEvent<C, Client> & { readonly where: Where }) => Awaitable<void>
    readonly replaceWith?: (event: WriteEvent<C, Client> & { readonly where: Where }) => Awaitable<Data>
    readonly after?: (event: WriteEvent<C, Client> & SetWritten<Where>) => Awaitable<void>
    readonly afterCommit?: (event: HookEvent<C> & SetWritten<Where>) => Awaitable<void>
  }
}

interface SetWritten<Where> {
  readonly where: Where
  /** How many rows there were. */
  readonly count: number
}

/** What is told where a read is narrowed, or an answer is made. */
export type ReadEvent<C> = Pick<HookEvent<C>, 'context' | 'style'>

/** What an app does around the reads and writes of one model. */
export interface ModelHooks<Shape extends ModelTypes, C, Client> {
  /**
   * Rows that do not meet this are in no read, in neither style, at no depth: no list, include, count, filter or look-up finds
   * them, and nothing can be written to them or tied to them. Called once a request, when it first matters.
   */
  readonly where?: (event: ReadEvent<C>) => Shape['where']
  readonly create?: CreateHooks<Shape['create'], Shape['row'], C, Client>
  readonly update?: UpdateHooks<Shape['update'], Shape['row'], Shape['where'], C, Client>
  readonly delete?: DeleteHooks<Shape['update'], Shape['row'], Shape['where'], C, Client>
  /**
   * Fields that answers show otherwise than they are, by name. Nothing can be filtered, ordered, grouped or summed up by them: it
   * would tell what they hold. Fields of ids and of foreign keys cannot be among them.
   */
  readonly mask?: {
    readonly [F in keyof Shape['row']]?: (event: ReadEvent<C> & { readonly value: Shape['row'][F] }) => Shape['row'][F]
  }
}

/** The client's own types of one model. */
export interface ModelTypes {
  readonly where: unknown
  readonly create: unknown
  readonly update: unknown
  readonly row: object
}

/** {@link ModelShape} of a model of a client: rows and data as columns, foreign keys among them, without relations. */
export interface ModelTypesOf<T extends TypeMap, N extends ModelName<T>> extends ModelTypes {
  readonly where: NonNullable<Member<ArgsOf<T, N, 'findMany'>, 'where'>>
  readonly create: Draft<One<Member<ArgsOf<T, N, 'createMany'>, 'data'>>>
  readonly update: Plain<Member<ArgsOf<T, N, 'updateMany'>, 'data'>>
  readonly row: RowOf<T['model'][N]>
}

// What a caller has left out may still be filled in: nothing of it is sure to be there.
type Draft<D> = { readonly [K in keyof D]?: D[K] | undefined }

type One<T> = T extends readonly unknown[] ? never : T

type RowOf<M> = M extends { readonly payload: { readonly scalars: infer R extends object } } ? R : never

// The client takes values bare or as `{ set: value }`; hooks are given them bare.
type Plain<D> = { readonly [K in keyof D]?: WithoutSet<D[K]> | undefined }

type WithoutSet<V> = V extends object ? ([keyof V] extends ['set'] ? never : V) : V

/** Any model's. */
interface AnyShape extends ModelTypes {
  readonly where: Readonly<Record<string, unknown>>
  readonly create: Readonly<Record<string, unknown>>
  readonly update: Readonly<Record<string, unknown>>
  readonly row: Readonly<Record<string, unknown>>
}

/** What an app does around reads and writes, by model; around the writes of all models under `$all`, which is called first. */
export type HookDefinitions<T extends TypeMap, N extends ModelName<T>, C, Client> = {
  readonly [K in N]?: ModelHooks<ModelTypesOf<T, K>, C, Client>
} & { readonly $all?: Pick<ModelHooks<AnyShape, C, Client>, 'create' | 'update' | 'delete'> }
