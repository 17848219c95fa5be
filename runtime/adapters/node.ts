import type { IncomingMessage, ServerResponse } from 'node:http'

import { type AdapterOptions, joinPath, type WithHandler } from '../mount.js'
import { fail, serveNode } from '../node-http/serve.js'

/** Options of the emitted `createNodeHandler`. */
export type NodeHandlerOptions<O> = AdapterOptions<O, [req: IncomingMessage]>

/** A listener for Node's own servers. */
export type NodeListener = (req: IncomingMessage, res: ServerResponse) => Promise<void>

/**
 * A listener for `http.createServer`. Answers every request; 404 outside the prefix.
 * @param options see {@link AdapterOptions}
 */
export function nodeHandler<O>(options: WithHandler<O, NodeHandlerOptions<O>>): NodeListener {
  const { handler, getOrm } = options
  const prefix = joinPath(options.prefix)
  return async (req, res) => {
    try {
      await serveNode(handler, { getOrm: () => getOrm(req), prefix }, req, res)
    } catch {
      fail(res)
    }
  }
}
