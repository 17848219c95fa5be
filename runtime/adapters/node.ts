import type { IncomingMessage } from 'node:http'

import type { AdapterOptions, WithHandler } from '../http/create-request-context.js'
import type { NodeRequest } from '../node-http/node-request.js'
import type { NodeResponse } from '../node-http/send-response.js'
import { nodeListener } from '../node-http/serve-node.js'

/** Options of the emitted `createNodeHandler`. `R` is the server's request type: `Http2ServerRequest` for HTTP/2. */
export type NodeHandlerOptions<O, R extends NodeRequest = IncomingMessage, C = unknown> = AdapterOptions<O, [req: R], C>

/** A request listener for Node's servers. */
export type NodeListener<R extends NodeRequest = IncomingMessage> = (req: R, res: NodeResponse) => Promise<void>

export type { NodeRequest }

/**
 * Creates a listener for `createServer` of `node:http`, `node:https` and `node:http2`. Handles every request. Requests outside the prefix
 * receive a 404.
 * Called by the emitted `createNodeHandler`.
 * @param options see {@link AdapterOptions}
 */
export function nodeHandler<O, R extends NodeRequest, C>(
  options: WithHandler<O, NodeHandlerOptions<O, R, C>, C>,
): NodeListener<R> {
  return nodeListener(options)
}
