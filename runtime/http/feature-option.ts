/** The names of the features in a list. */
export type FeatureNames<F extends readonly object[]> = F[number] extends infer One
  ? One extends object
    ? keyof One
    : never
  : never

/**
 * The type of a handler option that requires a feature. Without the feature, the type is a message that says which word to add to the
 * generator block.
 */
export type FeatureOption<F extends readonly object[], Style extends string, N extends string, T> =
  N extends FeatureNames<F> ? T : `Add "${N}" to the list "${Style}" of the generator block.`

/** Returns the error for an option whose feature is not enabled. Callers without types see it instead of {@link FeatureOption}. */
export function missingFeatureError(option: string, style: 'rest' | 'rpc', feature: string): Error {
  return new Error(
    `${option} requires the feature "${feature}". Add "${feature}" to the list "${style}" of the generator block, and run prisma generate.`,
  )
}
