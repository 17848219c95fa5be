import type { DMMF } from '@prisma/generator-helper'

import type { ApiRequest } from '../serve.js'
import { restOf } from './rest.js'
import { rpcOf } from './rpc.js'

/**
 * Returns requests for everything that a schema could allow, in both styles, one thing per request. They are built from
 * Prisma's own datamodel without its annotations, so the API rejects many of them.
 */
export function corpusOf({ models, enums }: DMMF.Datamodel): readonly ApiRequest[] {
  return models.flatMap((model) => [...restOf(model, models, enums), ...rpcOf(model, models, enums)])
}
