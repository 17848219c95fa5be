import type { Hono } from 'hono'

import type { ApiEnv } from '../http/handler.js'
import { isRoute } from '../http/method-answers.js'
import type { Pages } from '../http/page.js'
import type { KeyFacts } from '../http/repeats.js'
import type { RestContext } from './context.js'
import { entryPage } from './entry-page.js'
import type { DescribesRest } from './facts.js'
import type { RestModel } from './model.js'

/** What a handler's pages tell of. */
export interface PageFacts {
  readonly context: RestContext
  readonly routers: ReadonlyMap<RestModel, Hono<ApiEnv>>
  readonly isTaken: (segment: string) => boolean
  readonly hasHooks: boolean
  readonly keys: KeyFacts | undefined
  /** Where atomic operations are served, if they are. */
  readonly operations: string | undefined
}

/**
 * What a REST handler serves beside its models: what there is, and its description where it has one.
 * @throws Error where the description's paths are taken
 */
export function restPages(openapi: DescribesRest | undefined, { routers, ...facts }: PageFacts): Pages {
  const routes = new Map(
    [...routers].map(([model, router]) => [model, router.routes.filter(({ method }) => isRoute(method))]),
  )
  const described: Pages = openapi?.rest({ ...facts, routes }) ?? new Map()
  const [describedBy] = described.keys()
  return new Map([['', entryPage(routers.keys(), facts.context.settings.endpoint, describedBy)], ...described])
}
