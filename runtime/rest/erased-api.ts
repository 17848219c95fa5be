import type { Context } from 'hono'

import type { ApiEnv } from '../http/handler.js'

/**
 * `RestApi` without the client's types, which only emitted code knows: the clients and arguments that it hands out are `never`,
 * so it can stand for the `RestApi` of every model.
 */
export interface ErasedRestApi {
  list(c: Context<ApiEnv>): Promise<ErasedPage>
  create(c: Context<ApiEnv>): Promise<ErasedCall & { readonly upsert?: (delegate: object) => Promise<Response> }>
  get(c: Context<ApiEnv>): Promise<ErasedCall>
  update(c: Context<ApiEnv>): Promise<ErasedCall>
  delete(c: Context<ApiEnv>): Promise<ErasedCall>
  related(c: Context<ApiEnv>, relation: string): Promise<ErasedCall>
  relatedMany(c: Context<ApiEnv>, relation: string): Promise<ErasedRelatedPage>
  linkage(c: Context<ApiEnv>, relation: string): Promise<ErasedCall>
  linkageMany(c: Context<ApiEnv>, relation: string): Promise<ErasedRelatedPage>
  add(c: Context<ApiEnv>, relation: string): Promise<ErasedCall>
  replace(c: Context<ApiEnv>, relation: string): Promise<ErasedCall>
  remove(c: Context<ApiEnv>, relation: string): Promise<ErasedCall>
}

export interface ErasedCall {
  readonly orm: never
  readonly args: never
  reply(result: unknown): Promise<Response>
}

/** Two calls: what is on the page, and, where that does not tell it, the number of all that is on any. */
export interface ErasedPage {
  readonly orm: never
  readonly args: never
  reply(page: unknown, count: (all: never) => PromiseLike<unknown>): Promise<Response>
}

/** Three calls: the members on the page, their number where the page does not tell it, and, where it is empty, the row itself. */
export interface ErasedRelatedPage {
  readonly orm: never
  readonly args: never
  reply(rows: unknown, more: MoreCalls): Promise<Response>
}

/** Calls that a page of related rows may need. */
export interface MoreCalls {
  /** How many there are in all. */
  readonly count: (all: never) => PromiseLike<unknown>
  /** The row that they belong to. */
  readonly owner: (id: never) => PromiseLike<unknown>
}
