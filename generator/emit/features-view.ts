import type { RestFeature, RpcFeature } from '../features.js'
import type { ApiModel, FieldSpec } from '../model/api-model.js'
import type { Options } from '../options.js'
import { hasVersions } from '../model/version-field.js'
import { supportedPreviewFeatures } from './preview-features.js'

/** A feature in the emitted `index.ts`. */
export interface FeatureView {
  /** The name, as in the generator block and in the client's types. */
  readonly name: RestFeature | RpcFeature | AutomaticFeature
  /** The function of the runtime that enables it. */
  readonly factory: string
  /** The entry point of the runtime that exports the function, below `features/`. */
  readonly module: string
}

/** A feature that the schema or an optional file requires, so the lists of features do not name it. */
type AutomaticFeature = 'computed' | 'conditionalRequests' | 'fullText' | 'joinedLists' | 'jsonFilters' | 'loadStrategy'

/** The features of each style, in the order in which they are emitted. */
export interface FeatureViews {
  readonly rest: readonly FeatureView[]
  readonly rpc: readonly FeatureView[]
  /** The names of the features that the types of clients depend on. */
  readonly names: readonly FeatureView['name'][]
  /** The source text of a list of the client's preview features that affect callers. Undefined if there are none. */
  readonly previewFeatures: string | undefined
  /** The lines of the header that list the features. */
  readonly header: readonly string[]
}

/** The factory and entry point of each feature. `nestedRoutes` has none, because it only adds emitted routes. */
const FACTORIES: Readonly<Record<Exclude<FeatureView['name'], 'nestedRoutes'>, [factory: string, module: string]>> = {
  atomic: ['atomicOperations', 'atomic'],
  computed: ['computed', 'computed'],
  conditionalRequests: ['conditionalRequests', 'conditional-requests'],
  cursors: ['cursorPagination', 'cursors'],
  expressions: ['filterExpressions', 'expressions'],
  fullText: ['fullTextSearch', 'full-text'],
  includedLists: ['includedLists', 'included-lists'],
  joinedLists: ['joinedLists', 'joined-lists'],
  jsonFilters: ['jsonFilters', 'json-filters'],
  lifecycle: ['lifecycle', 'lifecycle'],
  loadStrategy: ['loadStrategy', 'load-strategy'],
  minimalResponses: ['minimalResponses', 'minimal-responses'],
  relatedCounts: ['relatedCounts', 'related-counts'],
  transactions: ['transactions', 'transactions'],
}

/** The factory and entry point of features whose code differs for RPC. */
const RPC_FACTORIES: Partial<typeof FACTORIES> = { conditionalRequests: ['versionChecks', 'version-checks'] }

/** The features that do not change what clients can request. The types of computed fields have their own parameter. */
const WITHOUT_CLIENT_TYPES: readonly FeatureView['name'][] = ['lifecycle', 'loadStrategy', 'computed']

/** Returns the features of an API: those that the generator block names, and those that the schema or an optional file requires. */
export function createFeatureViews(
  api: ApiModel,
  { styles, features: { rest, rpc }, files }: Pick<Options, 'styles' | 'features' | 'files'>,
  previewFeatures: readonly string[],
): FeatureViews {
  const { arrayLiteral, supportsFullText, supportsJoins } = supportedPreviewFeatures(api.provider, previewFeatures)
  const hasRest = styles.includes('rest')
  const hasRpc = styles.includes('rpc')
  // The file `computed.ts` is only useful with the code that serves its fields.
  const computed: readonly AutomaticFeature[] = files.includes('computed') ? ['computed'] : []
  const versions: readonly AutomaticFeature[] = hasVersions(api) ? ['conditionalRequests'] : []
  const strategy: readonly AutomaticFeature[] = supportsJoins ? ['loadStrategy'] : []
  const automatic: readonly AutomaticFeature[] = !hasRest
    ? []
    : [
        ...computed,
        ...versions.filter(() => !rest.includes('conditionalRequests')),
        ...(supportsFullText ? ['fullText' as const] : []),
        ...(supportsJoins && rest.includes('includedLists') ? ['joinedLists' as const] : []),
        ...(hasJsonFilters(api) ? ['jsonFilters' as const] : []),
        ...strategy,
      ]
  const automaticRpc = hasRpc ? [...computed, ...versions, ...strategy] : []
  const automaticRpcNames = automaticRpc.map((name) => RPC_FACTORIES[name]?.[0] ?? name)
  return {
    rest: [...rest, ...automatic].flatMap((name) => toView(name, FACTORIES)),
    rpc: [...rpc, ...automaticRpc].flatMap((name) => toView(name, { ...FACTORIES, ...RPC_FACTORIES })),
    names: [...new Set([...rest, ...automatic, ...rpc, ...automaticRpc])].filter(
      (name) => !WITHOUT_CLIENT_TYPES.includes(name),
    ),
    previewFeatures: arrayLiteral,
    header: [
      ...(hasRest ? [describe('rest', rest, automatic)] : []),
      ...(hasRpc ? [describe('rpc', rpc, automaticRpcNames)] : []),
    ],
  }
}

function toView(name: FeatureView['name'], factories: typeof FACTORIES): FeatureView[] {
  if (name === 'nestedRoutes') return []
  const [factory, module] = factories[name]
  return [{ name, factory, module }]
}

function describe(style: string, enabled: readonly string[], automatic: readonly string[]): string {
  const required = automatic.length > 0 ? `; automatic: ${automatic.join(', ')}` : ''
  return `${style.padEnd(4)}  ${enabled.join(', ') || 'none'}${required}`
}

/** Whether callers can filter by a Json field. */
function hasJsonFilters({ models }: ApiModel): boolean {
  const isReadable = ({ exposure }: FieldSpec) => exposure === 'full' || exposure === 'readOnly'
  return models.some(({ fields }) => fields.some((field) => field.type === 'Json' && isReadable(field)))
}
