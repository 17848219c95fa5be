/** The features of REST routes that a generator block can enable: `rest = ["atomic"]`. */
export const REST_FEATURES = [
  'atomic',
  'conditionalRequests',
  'cursors',
  'expressions',
  'includedLists',
  'lifecycle',
  'minimalResponses',
  'nestedRoutes',
  'relatedCounts',
] as const

/** The features of RPC routes that a generator block can enable: `rpc = ["transactions"]`. */
export const RPC_FEATURES = ['lifecycle', 'transactions'] as const

/** A feature of REST routes. */
export type RestFeature = (typeof REST_FEATURES)[number]

/** A feature of RPC routes. */
export type RpcFeature = (typeof RPC_FEATURES)[number]

/** The enabled features of each API style, in the order of {@link REST_FEATURES} and {@link RPC_FEATURES}. */
export interface EnabledFeatures {
  readonly rest: readonly RestFeature[]
  readonly rpc: readonly RpcFeature[]
}

/** Optional files that a generator block can request: `files = ["hooks"]`. */
export const OPTIONAL_FILES = ['computed', 'customRoutes', 'descriptions', 'graph', 'hooks', 'input'] as const

/** An optional file. */
export type OptionalFile = (typeof OPTIONAL_FILES)[number]

/** An optional file in the output folder itself. The others are files of each model. */
export type OptionalRootFile = Exclude<OptionalFile, 'input'>

/** The names of the optional files in the output folder. `customRoutes` also adds `declareRoutes`, which browsers can import. */
export const FILE_NAMES: Readonly<Record<OptionalRootFile | 'declareRoutes', string>> = {
  computed: 'computed.ts',
  customRoutes: 'custom-routes.ts',
  declareRoutes: 'declare-routes.ts',
  descriptions: 'descriptions.ts',
  graph: 'graph.ts',
  hooks: 'hooks.ts',
}
