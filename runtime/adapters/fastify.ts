import type { FastifyPluginAsync, FastifyRequest, HTTPMethods } from 'fastify'

import type { Log } from '../http/handler-types.js'
import { type AdapterOptions, type WithHandler, createRequestContext } from '../http/create-request-context.js'
import { joinPath, mountPath } from '../http/routing/mount-path.js'
import { toWebRequest } from '../node-http/to-web-request.js'
import { sendReply } from '../node-http/send-response.js'

/** Options of the emitted `createFastifyHandler`. */
export type FastifyHandlerOptions<O, C = unknown> = AdapterOptions<O, [request: FastifyRequest], C>

const METHODS: HTTPMethods[] = ['DELETE', 'GET', 'HEAD', 'PATCH', 'POST', 'PUT']

/**
 * Creates a plugin for Fastify 5. The `prefix` passed to `app.register` is prepended to the option `prefix`. The app's hooks run as for any
 * route. The handler reads request bodies itself, so its limits apply instead of Fastify's `bodyLimit`.
 * Called by the emitted `createFastifyHandler`.
 * @param options see {@link AdapterOptions}
 */
export function fastifyHandler<O, C>(options: WithHandler<O, FastifyHandlerOptions<O, C>, C>): FastifyPluginAsync {
  const { handler } = options
  return async (app) => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
    const pattern = joinPath(app.prefix, options.prefix)
    app.route({
      // At the root, OPTIONS is left to @fastify/cors, which registers a route for it.
      method: pattern === '' ? METHODS : [...METHODS, 'OPTIONS'],
      url: `${joinPath(options.prefix)}/*`,
      exposeHeadRoute: false,
      async handler(request, reply) {
        const received = toWebRequest(request.raw, request.body, request.url)
        if (!received) return reply.code(405).send()
        try {
          const prefix = mountPath(request.url, pattern)
          const adapterRequest = { prefix, mount: pattern, requestId: () => request.id, log: logOf(request) }
          const context = createRequestContext(options, adapterRequest, request)
          const response = await handler.fetch(received.request, context)
          await sendReply(response, reply, request.method === 'HEAD')
        } finally {
          received.release()
        }
        return reply
      },
    })
  }
}

/** Returns the request's logger, or undefined if the app has disabled logging. Fastify's placeholder logger has no level. */
function logOf({ log }: FastifyRequest): Log | undefined {
  return 'level' in log
    ? (message, error) => (error === undefined ? log.error(message) : log.error({ err: error }, message))
    : undefined
}
