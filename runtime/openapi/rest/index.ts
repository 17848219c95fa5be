import type { Pages } from '../../http/page.js'
import type { RestFacts } from '../../rest/facts.js'
import { refusalsOf } from '../failures.js'
import type { OpenApiOptions } from '../options.js'
import { descriptionPages } from '../pages.js'
import { zodRuleSchema } from '../schemas/zod.js'
import { restDocument } from './rest-document.js'

/** What describes a REST handler. */
export function restPages(
  { context, routes, isTaken, operations, hasHooks, keys }: RestFacts,
  options: OpenApiOptions,
): Pages {
  return descriptionPages(options, {
    title: 'REST API',
    isTaken,
    describe: async () => {
      const ruleSchema = await zodRuleSchema()
      const refusals = refusalsOf(options, hasHooks)
      return restDocument({ context, routes, operations, keys, options, refusals, ruleSchema })
    },
  })
}
