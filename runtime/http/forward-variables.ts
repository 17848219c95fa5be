import type { MiddlewareHandler } from 'hono'

import type { ApiEnv } from './handler-types.js'

/** Middleware that copies the variables of the outer app to the context. */
export const forwardVariables: MiddlewareHandler<ApiEnv> = async (c, next) => {
  const { variables } = c.env
  for (const name in variables) c.set(name, variables[name])
  await next()
}
