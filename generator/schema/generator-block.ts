/** A generator block of a schema. Its options are not parsed yet. */
export interface GeneratorBlock {
  /** The name after the keyword `generator`. */
  readonly name: string
  /** The generator's provider, such as `prisma-client`. Empty if unknown. */
  readonly provider: string
  /** Absolute path of the output folder. Undefined if the block has none. */
  readonly output: string | undefined
  /** Whether the block sets `output`. Otherwise `output` is the provider's default. */
  readonly isCustomOutput: boolean
  /** The preview features that the block enables. */
  readonly previewFeatures: readonly string[]
  /** All other options. Prisma supports only strings and lists of strings. */
  readonly config: Readonly<Record<string, string | readonly string[] | undefined>>
  /** Absolute path of the schema file that contains the block. Relative paths in the block are relative to it. */
  readonly file: string
}

/** Matches every form of `provider` that runs `routewright`: a bin name, a path to it or a command with a version. */
const ROUTEWRIGHT_PROVIDER = /(^|[\s/\\])routewright(@[\w.^~-]+)?(\.\w+)?$|routewright[/\\]dist[/\\]main\.js$/

const CLIENTS: readonly string[] = ['prisma-client', 'prisma-client-js']

/** Whether a generator block generates routes. */
export function isRoutesGenerator(block: Pick<GeneratorBlock, 'provider'>): boolean {
  return ROUTEWRIGHT_PROVIDER.test(block.provider)
}

/** Whether a generator block generates a Prisma client. */
export function isClientGenerator(block: Pick<GeneratorBlock, 'provider'>): boolean {
  return CLIENTS.includes(block.provider)
}
