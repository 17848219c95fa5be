import path from 'node:path'

import { getTsconfig } from 'get-tsconfig'

import { GeneratorError } from '../errors.js'
import { IMPORT_EXTENSIONS, type ImportExtension, type Options } from '../options.js'
import { type GeneratorBlock, isClientGenerator } from '../schema/generator-block.js'

/** The import specifiers of emitted files. */
export interface ImportPaths {
  /** The specifier of the Prisma client in files of the output folder. */
  readonly client: string
  /** Absolute path of the client's folder, if the client is generated into the project. */
  readonly clientFolder: string | undefined
  /** The preview features of the client. Empty if it is ambiguous which client generator is used. */
  readonly previewFeatures: readonly string[]
  /** Returns the specifier of an emitted file with its extension, such as `./resource.js` for `./resource`. */
  local(specifier: string): string
}

/**
 * Determines how emitted files import the Prisma client and each other.
 * @param generators the schema's other generator blocks, with absolute outputs
 * @throws GeneratorError if the schema has no client generator, or if it has several and none is selected
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
    // Emitted files have the extension `.ts`, even if the client has `.mts` files.
    local: (specifier) => withExtension(specifier, options.importFileExtension ?? plainExtension(extension)),
    clientFolder: client && isInProject(client) ? client.output : undefined,
    previewFeatures: only && others.length === 0 ? only.previewFeatures : [],
    client: options.clientImport ?? (client ? clientSpecifier(client, options.output, extension) : ''),
  }
}

function chooseClient(options: Options, clients: readonly GeneratorBlock[]): GeneratorBlock {
  const fail = (message: string, hint: string) => new GeneratorError([{ location: {}, message, hint }])
  const names = clients.map((client) => `"${client.name}"`).join(', ')
  if (options.client !== undefined) {
    const named = clients.find((client) => client.name === options.client)
    if (named) return named
    throw fail(
      `the schema has no client generator named "${options.client}".`,
      names ? `Set client to one of ${names}.` : 'Add a generator with provider = "prisma-client".',
    )
  }
  const [only, ...others] = clients
  if (only && others.length === 0) return only
  throw only
    ? fail(
        `the schema has several client generators: ${names}.`,
        `Specify the one that the routes use: client = ${names.split(', ')[0]}.`,
      )
    : fail(
        'the schema has no client generator.',
        'Add one with provider = "prisma-client", or set clientImport to the import specifier of your Prisma client.',
      )
}

/** Whether the client is generated into the project. `prisma-client-js` without a custom output writes to `@prisma/client`. */
function isInProject({ provider, isCustomOutput }: GeneratorBlock): boolean {
  return provider !== 'prisma-client-js' || isCustomOutput
}

function clientSpecifier(client: GeneratorBlock, from: string, extension: ImportExtension): string {
  const output = client.output ?? ''
  if (!isInProject(client)) return '@prisma/client'
  if (client.provider === 'prisma-client-js') {
    // This client consists of JavaScript files with declarations. Only Node's module resolution requires the file name.
    const entry = `${relativePath(from, output)}/index`
    return extension === '' ? relativePath(from, output) : `${entry}.js`
  }
  const generated = readExtension(client.config['generatedFileExtension']) ?? 'ts'
  return withExtension(`${relativePath(from, output)}/client`, matchingExtension(extension, generated))
}

/**
 * Returns the import extension for a generated file that is not `.ts`. For example, if `.ts` is imported as `.js`, `client.mts` is imported
 * as `client.mjs`.
 */
function matchingExtension(extension: ImportExtension, generated: ImportExtension): ImportExtension {
  const kind = generated.charAt(0)
  if (kind !== 'm' && kind !== 'c') return extension
  if (extension === 'js') return kind === 'm' ? 'mjs' : 'cjs'
  if (extension === 'ts') return generated
  return extension
}

/** Infers the extension of relative imports from the client's runtime and the project's tsconfig, using Prisma's rule. */
function inferExtension(output: string, client: GeneratorBlock | undefined): ImportExtension {
  if (client?.config['runtime'] === 'deno') return 'ts'
  const compilerOptions = compilerOptionsFor(output)
  if (!compilerOptions) return 'ts'
  if (compilerOptions.allowImportingTsExtensions || compilerOptions.rewriteRelativeImportExtensions) return 'ts'
  const bundler = compilerOptions.moduleResolution?.toLowerCase() === 'bundler'
  const commonJs = compilerOptions.module?.toLowerCase() === 'commonjs'
  return bundler || commonJs ? '' : 'js'
}

/** @throws GeneratorError if a tsconfig extends a missing file, for example before `svelte-kit sync` or `nuxt prepare` has run */
function compilerOptionsFor(output: string) {
  try {
    return getTsconfig(output)?.config.compilerOptions
  } catch (error) {
    const message = `tsconfig.json cannot be read: ${error instanceof Error ? error.message : String(error)}`
    const hint =
      'Create the file that it extends (`npx svelte-kit sync`, `npx nuxt prepare`), or set importFileExtension.'
    throw new GeneratorError([{ location: {}, message, hint }])
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
 * Returns the relative import specifier from one folder to another, with forward slashes on every platform.
 * @param paths the platform's path functions. Replaced only in tests.
 * @throws GeneratorError if no relative path exists, for example between two Windows drives
 */
export function relativePath(
  from: string,
  to: string,
  paths: Pick<typeof path, 'relative' | 'isAbsolute'> = path,
): string {
  const relative = paths.relative(from, to)
  if (paths.isAbsolute(relative)) {
    const message = `there is no relative import path from ${from} to ${to}.`
    throw new GeneratorError([
      { location: {}, message, hint: 'Set clientImport to the import specifier of the Prisma client.' },
    ])
  }
  const specifier = relative.replaceAll('\\', '/')
  return specifier.startsWith('.') ? specifier : `./${specifier}`
}
