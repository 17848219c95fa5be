/**
 * A feature of an API, as its factory returns it. The type shows only the name, so that declarations of the emitted `index.ts` do not refer
 * to the runtime's internal types.
 */
export interface Feature<N extends string = string> {
  readonly name: N
  /** The feature's implementation. `RestFeatures` and `RpcFeatures` contain its type, by name. */
  readonly implementation: unknown
}

/**
 * A function that creates a feature. Handlers receive functions instead of features, so that bundlers can omit the features of an API style
 * that the app does not use.
 */
export type FeatureFactory<N extends string = string> = () => Feature<N>

/**
 * The type of a handler option that requires a feature. Without the feature, the type is a message that says what to add to the generator
 * block.
 */
export type FeatureOption<
  F extends readonly FeatureFactory[],
  List extends string,
  N extends string,
  T,
> = N extends ReturnType<F[number]>['name'] ? T : `Add "${N}" to the list "${List}" of the generator block.`

/** A list of the generator block that enables features. */
type FeatureList = 'rest' | 'rpc' | 'files'

/** The feature that an option requires, and the list of the generator block that enables it. */
export type RequiredFeature<N extends string = string> = readonly [list: FeatureList, name: N]

/**
 * Checks that the features of all options are enabled. Callers without types see this error instead of {@link FeatureOption}.
 * @param required the feature that each option requires
 * @throws Error if an option is set, other than to `false`, without its feature
 */
export function assertFeatures(
  options: Readonly<Record<string, unknown>>,
  required: Readonly<Record<string, RequiredFeature>>,
  features: object,
): void {
  for (const [option, [list, name]] of Object.entries(required)) {
    const isSet = (options[option] ?? false) !== false
    if (isSet && !(name in features)) throw missingFeatureError(option, list, name)
  }
}

/** Returns the error for an option whose feature is not enabled. */
export function missingFeatureError(option: string, list: FeatureList, feature: string): Error {
  return new Error(
    `${option} requires the feature "${feature}". Add "${feature}" to the list "${list}" of the generator block, and run prisma generate.`,
  )
}

/**
 * Checks that a feature is enabled if the schema requires it. The generator adds such features, unless the generated code is older than the
 * runtime.
 * @throws Error if it is missing
 */
export function assertAutomaticFeature<N extends string>(
  name: N,
  features: { readonly [K in N]?: unknown },
  isRequired: boolean,
): void {
  if (isRequired && !features[name]) throw new Error(`The feature "${name}" is missing. Run prisma generate.`)
}

/** Returns the implementations of features, by name. */
export function collectFeatures(factories: readonly FeatureFactory[] = []): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    factories.map((create) => create()).map(({ name, implementation }) => [name, implementation]),
  )
}
