import type { MiddlewareHandler } from 'hono'

import type { ApiEnv } from './api-handler.js'

/** Puts what the outer app has set on the context. */
export const forwardVariables: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { variables } = c.env
  for (const name in variables) c.set(name, variables[name])
  await next()
}
