/** The features of REST routes that a generator block can enable: `rest = ["atomic"]`. */
export const REST_FEATURES = [
  'atomic',
  'cursors',
  'expressions',
  'includedLists',
  'minimalResponses',
  'nestedRoutes',
  'relatedCounts',
] as const

/** The features of RPC routes that a generator block can enable: `rpc = ["transactions"]`. */
export const RPC_FEATURES = ['transactions'] as const

/** A feature of REST routes. */
export type RestFeature = (typeof REST_FEATURES)[number]

/** A feature of RPC routes. */
export type RpcFeature = (typeof RPC_FEATURES)[number]

/** The enabled features of each API style, in the order of {@link REST_FEATURES} and {@link RPC_FEATURES}. */
export interface EnabledFeatures {
  readonly rest: readonly RestFeature[]
  readonly rpc: readonly RpcFeature[]
}
