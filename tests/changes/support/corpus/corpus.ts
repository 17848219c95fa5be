import type { DMMF } from '@prisma/generator-helper'

import type { ApiRequest } from '../serve.js'
import { restOf } from './rest.js'
import { rpcOf } from './rpc.js'

/**
 * Requests for everything that a schema could mean, in both styles, one thing each. Made of Prisma's own description: what hides or refuses
 * something is not looked at, so that many of them are refused.
 */
export function corpusOf({ models, enums }: DMMF.Datamodel): readonly ApiRequest[] {
  return models.flatMap((model) => [...restOf(model, models, enums), ...rpcOf(model, models, enums)])
}
