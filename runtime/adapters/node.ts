import type { IncomingMessage } from 'node:http'

import type { AdapterOptions, WithHandler } from '../http/adapter-options.js'
import type { NodeRequest } from '../node-http/request.js'
import type { NodeResponse } from '../node-http/response.js'
import { nodeListener } from '../node-http/serve.js'

/** Options of the emitted `createNodeHandler`. `R` is the server's kind of request: `Http2ServerRequest` for HTTP/2. */
export type NodeHandlerOptions<O, R extends NodeRequest = IncomingMessage, C = unknown> = AdapterOptions<O, [req: R], C>

/** A listener for Node's own servers. */
export type NodeListener<R extends NodeRequest = IncomingMessage> = (req: R, res: NodeResponse) => Promise<void>

export type { NodeRequest }

/**
 * A listener for `createServer` of `node:http`, `node:https` and `node:http2`. Answers every request; 404 outside the
 * prefix.
 * @param options see {@link AdapterOptions}
 */
export function nodeHandler<O, R extends NodeRequest, C>(
  options: WithHandler<O, NodeHandlerOptions<O, R, C>, C>,
): NodeListener<R> {
  return nodeListener(options)
}
