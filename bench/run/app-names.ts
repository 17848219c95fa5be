import type { Operation } from '../operations.js'
import type { ContenderName } from './samples.js'

/** The contenders with an HTTP API. */
export type AppName = Exclude<ContenderName, 'prisma' | 'driver'>

/** The environment variables with the module of each peer. A peer without one does not take part. */
export const PEERS = { zenstack: 'BENCH_ZENSTACK', trpc: 'BENCH_TRPC' } as const

/** Returns the contenders with an HTTP API in this run. */
export function appNames(): readonly AppName[] {
  const peers = (['zenstack', 'trpc'] as const).filter((name) => process.env[PEERS[name]] !== undefined)
  return ['emitted', 'by hand', ...peers]
}

/** Returns an operation as a contender supports it. Returns undefined if it does not. */
export function operationOf(name: AppName, operation: Operation): Operation | undefined {
  if (name === 'trpc') return operation.trpc && { ...operation, request: operation.trpc }
  const needsFeatures = operation.followUp || operation.request(1, '').path.startsWith('/features')
  return name === 'zenstack' && needsFeatures ? undefined : operation
}
