import type { Pages } from '../../http/page.js'
import type { RpcFacts } from '../../rpc/facts.js'
import { refusalsOf } from '../failures.js'
import type { OpenApiOptions } from '../options.js'
import { descriptionPages } from '../pages.js'
import { zodRuleSchema } from '../schemas/zod.js'
import { rpcDocument } from './rpc-document.js'

/** What describes an RPC handler. */
export function rpcPages({ hasHooks, isTaken, ...facts }: RpcFacts, options: OpenApiOptions): Pages {
  return descriptionPages(options, {
    title: 'RPC API',
    isTaken,
    describe: async (url) => {
      const ruleSchema = await zodRuleSchema()
      return rpcDocument({ ...facts, url, options, refusals: refusalsOf(options, hasHooks), ruleSchema })
    },
  })
}
