import path from 'node:path'

import { getTsconfig } from 'get-tsconfig'

import { GeneratorError } from '../errors.js'
import { IMPORT_EXTENSIONS, type ImportExtension, type Options } from '../options.js'
import { type GeneratorBlock, isClientGenerator } from '../schema/generator-block.js'

/** What the emitted files import by path. */
export interface ImportPaths {
  /** What the Prisma client is imported from, seen from the output folder. */
  readonly client: string
  /** The folder of that client, absolute, where its generator writes it to one of the project. */
  readonly clientFolder: string | undefined
  /** The preview features that the client is generated with, where it is known which client that is. */
  readonly previewFeatures: readonly string[]
  /** The specifier of an emitted file, as `./resource` → `./resource.js`. */
  own(specifier: string): string
}

/**
 * Works out how emitted files import the Prisma client and each other.
 * @param generators the schema's other generator blocks, outputs absolute
 * @throws GeneratorError where there is no client, or several to choose from
 */
export function resolveImportPaths(options: Options, generators: readonly GeneratorBlock[]): ImportPaths {
  const clients = generators.filter(isClientGenerator)
  const client = options.clientImport === undefined ? chooseClient(options, clients) : undefined
  const [only, ...others] = clients.filter(({ name }) => (options.client ?? name) === name)
  const extension =
    options.importFileExtension ??
    readExtension(client?.config['importFileExtension']) ??
    inferExtension(options.output, client)
  return {
    // Our files are `.ts` ones, also beside a client of `.mts` files.
    own: (specifier) => withExtension(specifier, options.importFileExtension ?? plainExtension(extension)),
    clientFolder: client && isInProject(client) ? client.output : undefined,
    previewFeatures: only && others.length === 0 ? only.previewFeatures : [],
    client: options.clientImport ?? (client ? clientSpecifier(client, options.output, extension) : ''),
  }
}

function chooseClient(options: Options, clients: readonly GeneratorBlock[]): GeneratorBlock {
  const fail = (what: string, mend: string) => new GeneratorError([{ place: {}, what, mend }])
  const names = clients.map((client) => `"${client.name}"`).join(', ')
  if (options.client !== undefined) {
    const named = clients.find((client) => client.name === options.client)
    if (named) return named
    throw fail(
      `the schema has no client generator called "${options.client}".`,
      names ? `Set client to one of ${names}.` : 'Add a generator with provider = "prisma-client".',
    )
  }
  const [only, ...others] = clients
  if (only && others.length === 0) return only
  throw only
    ? fail(
        `the schema has several client generators: ${names}.`,
        `Say which one the routes use: client = ${names.split(', ')[0]}.`,
      )
    : fail(
        'the schema has no client generator.',
        'Add one with provider = "prisma-client", or set clientImport to what your Prisma client is imported from.',
      )
}

/** Without an output of its own, the older client is the package `@prisma/client`. */
function isInProject({ provider, isCustomOutput }: GeneratorBlock): boolean {
  return provider !== 'prisma-client-js' || isCustomOutput
}

function clientSpecifier(client: GeneratorBlock, from: string, extension: ImportExtension): string {
  const output = client.output ?? ''
  if (!isInProject(client)) return '@prisma/client'
  if (client.provider === 'prisma-client-js') {
    // This client is JavaScript with declarations beside it; only Node's own resolution needs to be told the file.
    const entry = `${relativePath(from, output)}/index`
    return extension === '' ? relativePath(from, output) : `${entry}.js`
  }
  const generated = readExtension(client.config['generatedFileExtension']) ?? 'ts'
  return withExtension(`${relativePath(from, output)}/client`, matchingExtension(extension, generated))
}

/** The ending for a file that is not `.ts` itself: `client.mts` is imported as `client.mjs` where `.ts` is as `.js`. */
function matchingExtension(extension: ImportExtension, generated: ImportExtension): ImportExtension {
  const kind = generated.charAt(0)
  if (kind !== 'm' && kind !== 'c') return extension
  if (extension === 'js') return kind === 'm' ? 'mjs' : 'cjs'
  if (extension === 'ts') return generated
  return extension
}

/** Prisma's own rule: how the client's runtime and the project's tsconfig want relative imports to end. */
function inferExtension(output: string, client: GeneratorBlock | undefined): ImportExtension {
  if (client?.config['runtime'] === 'deno') return 'ts'
  const compilerOptions = compilerOptionsFor(output)
  if (!compilerOptions) return 'ts'
  if (compilerOptions.allowImportingTsExtensions || compilerOptions.rewriteRelativeImportExtensions) return 'ts'
  const bundler = compilerOptions.moduleResolution?.toLowerCase() === 'bundler'
  const commonJs = compilerOptions.module?.toLowerCase() === 'commonjs'
  return bundler || commonJs ? '' : 'js'
}

/** @throws GeneratorError where a tsconfig builds on a file that is not there, as before `svelte-kit sync` or `nuxt prepare` */
function compilerOptionsFor(output: string) {
  try {
    return getTsconfig(output)?.config.compilerOptions
  } catch (error) {
    const what = `tsconfig.json cannot be read: ${error instanceof Error ? error.message : String(error)}`
    const mend = 'Make what it extends (`npx svelte-kit sync`, `npx nuxt prepare`), or set importFileExtension.'
    throw new GeneratorError([{ place: {}, what, mend }])
  }
}

function readExtension(value: string | readonly string[] | undefined): ImportExtension | undefined {
  return IMPORT_EXTENSIONS.find((extension) => extension === value)
}

function plainExtension(extension: ImportExtension): ImportExtension {
  return extension.endsWith('js') ? 'js' : extension.endsWith('ts') ? 'ts' : ''
}

function withExtension(specifier: string, extension: ImportExtension): string {
  return extension === '' ? specifier : `${specifier}.${extension}`
}

/**
 * What a file in one folder imports from another: relative, with forward slashes whatever the machine.
 * @param paths the machine's way with paths; another one in tests only
 * @throws GeneratorError where no relative path leads there, as between two drives of Windows
 */
export function relativePath(
  from: string,
  to: string,
  paths: Pick<typeof path, 'relative' | 'isAbsolute'> = path,
): string {
  const relative = paths.relative(from, to)
  if (paths.isAbsolute(relative)) {
    const what = `no relative import leads from ${from} to ${to}.`
    throw new GeneratorError([
      { place: {}, what, mend: 'Set clientImport to what the Prisma client is imported from.' },
    ])
  }
  const specifier = relative.replaceAll('\\', '/')
  return specifier.startsWith('.') ? specifier : `./${specifier}`
}
