/** What of a client tells how it was extended. None of Prisma's documented members. */
interface Layered {
  readonly _extensions?: { readonly head?: Layer | undefined }
  readonly _appliedParent?: object
}

interface Layer {
  readonly previous?: Layer | undefined
}

/**
 * The client beneath all extensions, in the same transaction: no policies, no hooks, and nothing of the app's own stands around what
 * is asked of it.
 * @throws Error where the client does not tell
 */
export function baseClient(client: object): object {
  const { _extensions: extensions }: Layered = client
  let at: Layered = client
  for (let layer = extensions?.head; layer; layer = layer.previous) {
    const parent = at._appliedParent
    if (!parent) throw new Error('This version of Prisma does not tell the client beneath its extensions.')
    at = parent
  }
  return at
}
