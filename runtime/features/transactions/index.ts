import type { RpcFeature } from '../../rpc/rpc-features.js'
import { transactionService } from './transaction-service.js'

/** Enables transactions: a list of operations that run in order, all or nothing. */
export function transactions(): RpcFeature<'transactions'> {
  return { transactions: transactionService }
}
