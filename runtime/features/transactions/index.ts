import type { Feature } from '../../http/feature.js'
import { rpcFeature } from '../../rpc/rpc-features.js'
import { transactionService } from './transaction-service.js'

/**
 * Enables transactions: a list of operations that run in order, all or nothing.
 * Called by the emitted `index.ts`.
 */
export function transactions(): Feature<'transactions'> {
  return rpcFeature('transactions', transactionService)
}
