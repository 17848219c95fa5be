import type { DescribeRest } from '../rest/rest-openapi-input.js'
import type { DescribeRpc } from '../rpc/rpc-openapi-input.js'

/** Creates the documents of REST and RPC handlers. It is passed as an option, so that handlers without it do not bundle the code. */
export interface OpenApi extends DescribeRest, DescribeRpc {}
