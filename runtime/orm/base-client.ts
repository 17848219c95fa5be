/** Prisma's undocumented properties that list a client's extensions. */
interface Layered {
  readonly _extensions?: { readonly head?: Layer | undefined }
  readonly _appliedParent?: object
}

interface Layer {
  readonly previous?: Layer | undefined
}

/**
 * Returns the client without any extensions, in the same transaction. Policies, hooks and extensions of the app do not apply to it.
 * @throws Error if the client does not have Prisma's undocumented properties
 */
export function baseClient(client: object): object {
  const { _extensions: extensions }: Layered = client
  let current: Layered = client
  for (let layer = extensions?.head; layer; layer = layer.previous) {
    const parent = current._appliedParent
    if (!parent) throw new Error('This version of Prisma does not expose the client without its extensions.')
    current = parent
  }
  return current
}
