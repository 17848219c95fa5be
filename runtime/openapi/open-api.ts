import type { DescribeRest } from '../rest/rest-handler-info.js'
import type { DescribeRpc } from '../rpc/rpc-handler-info.js'

/** Creates the documents of handlers of both styles. It is passed as an option, so that the code is not bundled with other handlers. */
export interface OpenApi extends DescribeRest, DescribeRpc {}
