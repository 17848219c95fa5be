import { erase } from '../perform.js'
import type { RequestContext } from '../handler.js'
import type { RenderFailure } from '../dispatch.js'
import { endingBody } from './ending-body.js'
import { type Alive, beginLife, type Life } from './life.js'

/** Answers a request. Never rejects. */
export type Answer<O, C> = (request: Request, context: RequestContext<O, C>, alive: Alive) => Promise<Response>

/** Gives the client that a request's queries are made with, which lets none begin whose request is over. */
export type Watch = (client: unknown, life: Life) => unknown

/** A request that is answered by its time. */
export interface Timed {
  readonly answer: Promise<Response>
  /** Ends with the work, which may be later than the answer. */
  readonly work: Promise<Response>
}

/**
 * Has a request answered, and answers it with an error when its time is over. What has begun then is left to end: its answer is dropped.
 * @param timeout in milliseconds
 * @param fail the style's error format
 */
export function timed<O, C>(
  request: Request,
  context: RequestContext<O, C>,
  timeout: number,
  { answer, watch, fail }: { readonly answer: Answer<O, C>; readonly watch: Watch; readonly fail: RenderFailure },
): Timed {
  const life = beginLife(request, timeout)
  const watched: RequestContext<O, C> = {
    ...context,
    // What comes of a client has its delegates.
    getOrm: async (said) => erase(watch(await context.getOrm(said), life)),
  }
  const { method } = request
  const endBody = method === 'GET' || method === 'HEAD' ? undefined : endingBody(request)
  const work = answer(request, watched, life.alive)
  let isOver = false
  let timer: ReturnType<typeof setTimeout> | undefined
  const over = new Promise<Response>((resolve) => {
    timer = setTimeout(() => {
      isOver = true
      resolve(fail(life.timeout(), context))
      endBody?.(life.timeout())
    }, timeout)
  })
  const done = async (): Promise<Response> => {
    try {
      const response = await work
      // What a route of the app's own streams is read by nobody.
      if (isOver) response.body?.cancel().catch(() => undefined)
      return response
    } finally {
      clearTimeout(timer)
    }
  }
  return { answer: Promise.race([done(), over]), work }
}
