/** A generator block of a schema, as text: its options are read where they are needed. */
export interface GeneratorBlock {
  /** What stands behind `generator`. */
  readonly name: string
  /** What it starts, as `prisma-client`. Empty where that cannot be told. */
  readonly provider: string
  /** The folder that it writes to, absolute. Undefined where it has none. */
  readonly output: string | undefined
  /** The block itself says where to write; otherwise `output` is what its provider does by default. */
  readonly isCustomOutput: boolean
  /** The preview features that it asks for. */
  readonly previewFeatures: readonly string[]
  /** Everything else that it says. Prisma knows strings and lists of strings only. */
  readonly config: Readonly<Record<string, string | readonly string[] | undefined>>
  /** The schema file that it stands in, absolute: relative paths in it are relative to that file. */
  readonly file: string
}

/** What `routewright` stands for in a schema's `provider`: the bin, however it is called. */
const OURS = /(^|[\s/\\])routewright(@[\w.^~-]+)?(\.\w+)?$|routewright[/\\]dist[/\\]main\.js$/

const CLIENTS: readonly string[] = ['prisma-client', 'prisma-client-js']

/** Whether a generator block makes routes. */
export function isRoutesGenerator(block: Pick<GeneratorBlock, 'provider'>): boolean {
  return OURS.test(block.provider)
}

/** Whether a generator block makes a Prisma client. */
export function isClientGenerator(block: Pick<GeneratorBlock, 'provider'>): boolean {
  return CLIENTS.includes(block.provider)
}
