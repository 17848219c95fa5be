import type { DescribesRest } from '../rest/facts.js'
import type { DescribesRpc } from '../rpc/facts.js'

/** Describes handlers of both styles. A handler without it carries nothing of what a description is made with. */
export interface OpenApi extends DescribesRest, DescribesRpc {}
