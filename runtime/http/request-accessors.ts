import { HTTPException } from 'hono/http-exception'

import { RequestError } from '../errors/request-error.js'
import type { ApiEnv, Log, RequestContext } from './api-handler.js'
import { unsafeCast } from './execute-route.js'
import type { AssertActive } from './lifecycle/deadline.js'

/** Makes of the client that the app gave the one that routes get. */
export type WrapClient<O, C> = (orm: O, context: C, log: Log | undefined) => O

/** What a request may ask for. */
export type RequestAccessors = Pick<ApiEnv['Bindings'], 'getOrm' | 'getContext' | 'alive'>

/**
 * What routes may ask of the app, as often as they like: it is asked once a request, and not before.
 * @param alive a client is asked for, and given, only while it throws nothing
 * @param mount puts on the client what the handler does around it
 * @returns each gives the same as before, or rejects with the same
 */
export function createRequestAccessors<O, C>(
  app: RequestContext<O, C>,
  alive: AssertActive,
  mount?: WrapClient<O, C>,
): RequestAccessors {
  let context: Promise<C | undefined> | undefined
  let orm: O | Promise<O> | undefined
  const getContext = () => {
    if (context) return context
    context = contextOf(app)
    // Whoever awaits it is told; that nobody does yet is no reason for the process to end.
    context.catch(() => {})
    return context
  }
  const getOrm = () => {
    if (orm !== undefined) return orm
    alive()
    // Most apps have one client, and nothing to wait for.
    orm = app.context || mount ? mountedClient(app, getContext, mount) : clientAtOnce(app)
    if (!isPromise(orm)) return orm
    orm = stillWanted(orm, alive)
    orm.catch(() => {})
    return orm
  }
  return { getContext, getOrm, alive }
}

/** A client that was waited for: meanwhile the one who asked may have gone. */
async function stillWanted<O>(given: Promise<O>, alive: AssertActive): Promise<O> {
  const orm = await given
  alive()
  return orm
}

function clientAtOnce<O, C>(app: RequestContext<O, C>): O | Promise<O> {
  let given: O | Promise<O>
  try {
    given = app.getOrm(unsafeCast(undefined))
  } catch (error) {
    return Promise.reject(failureOf('getOrm', error))
  }
  if (given === undefined || given === null) return Promise.reject(noClient(given))
  return isPromise(given) ? clientOf(given) : given
}

/** Whether there is something to wait for. Read, and not looked for: Prisma's client answers that at once. */
function isPromise<O>(given: O | Promise<O>): given is Promise<O> {
  return typeof given === 'object' && given !== null && typeof Reflect.get(given, 'then') === 'function'
}

function noClient(given: unknown): Error {
  return new Error(`getOrm must give a Prisma client; it gave ${given}`)
}

async function contextOf<O, C>({ context }: RequestContext<O, C>): Promise<C | undefined> {
  try {
    return await context?.()
  } catch (error) {
    throw failureOf('context', error)
  }
}

async function clientOf<O>(given: Promise<O>): Promise<O> {
  let orm: O
  try {
    orm = await given
  } catch (error) {
    throw failureOf('getOrm', error)
  }
  if (orm === undefined || orm === null) throw noClient(orm)
  return orm
}

async function mountedClient<O, C>(
  app: RequestContext<O, C>,
  getContext: () => Promise<C | undefined>,
  mount: WrapClient<O, C> | undefined,
): Promise<O> {
  // Without `context`, the types have said that nothing is known of what it gives.
  const context: C = unsafeCast(app.context ? await getContext() : undefined)
  const orm = await clientOf((async () => app.getOrm(context))())
  return mount ? mount(orm, context, app.log) : orm
}

/**
 * What the app's functions throw is the app's own failure, whatever it is called, and never the caller's: but for an HTTPException,
 * and for what a client throws when it cannot connect.
 */
function failureOf(what: string, error: unknown): unknown {
  if (error instanceof HTTPException || error instanceof RequestError) return error
  if (error instanceof Error && error.name.startsWith('PrismaClient')) return error
  return new Error(`${what} failed`, { cause: error })
}
