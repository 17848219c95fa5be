import type { DescribeRest } from '../rest/handler-info.js'
import type { DescribeRpc } from '../rpc/handler-info.js'

/** Describes handlers of both styles. A handler without it carries nothing of what a description is made with. */
export interface OpenApi extends DescribeRest, DescribeRpc {}
