import path from 'node:path'

import { GeneratorError, type Diagnostic, suggest } from './errors.js'
import { type EnabledFeatures, OPTIONAL_FILES, type OptionalFile, REST_FEATURES, RPC_FEATURES } from './features.js'
import type { GeneratorBlock } from './schema/generator-block.js'

/** The API styles that can be emitted. */
export const STYLES = ['rest', 'rpc'] as const

/** An API style: REST or RPC. */
export type Style = (typeof STYLES)[number]

/** The frameworks that routes can be mounted in. */
export const ADAPTERS = [
  'elysia',
  'express',
  'fastify',
  'fetch',
  'hono',
  'nest',
  'next',
  'node',
  'nuxt',
  'sveltekit',
  'tanstack-start',
] as const

/** A framework that routes can be mounted in. */
export type Adapter = (typeof ADAPTERS)[number]

/** The allowed file extensions of relative imports. The empty string means no extension. */
export const IMPORT_EXTENSIONS = ['', 'ts', 'mts', 'cts', 'js', 'mjs', 'cjs'] as const

/** A file extension of relative imports. */
export type ImportExtension = (typeof IMPORT_EXTENSIONS)[number]

/** Default output folder, relative to the schema file. */
export const DEFAULT_OUTPUT = './routes'

/** The parsed and validated options of a generator block (design, section 3). */
export interface Options {
  /** Absolute path of the output folder. */
  readonly output: string
  /** The adapters to emit. Default: `hono`. */
  readonly adapters: readonly Adapter[]
  /** The API styles to emit. Default: both. */
  readonly styles: readonly Style[]
  /** Name of the generator block whose client is imported. Required only if the schema has several client generators. */
  readonly client: string | undefined
  /** Import specifier of the Prisma client. Default: derived from the output of its generator. */
  readonly clientImport: string | undefined
  /** Import specifier of the runtime. Default: `@routewright/runtime`. */
  readonly runtimeImport: string
  /** File extension of relative imports. Default: inferred from tsconfig by Prisma's rule. */
  readonly importFileExtension: ImportExtension | undefined
  /** Absolute path of a folder with templates that replace the built-in ones with the same name. */
  readonly templates: string | undefined
  /** The library whose rules the emitted `policy.ts` enforces. Default: none, and `policy.ts` is not emitted. */
  readonly policy: 'casl' | undefined
  /** The enabled features of each style. Default: none. */
  readonly features: EnabledFeatures
  /** The optional files to emit. Default: none. */
  readonly files: readonly OptionalFile[]
  /** Severity of `@zod` comments that are meant for other generators and cannot be parsed. Default: `error`. */
  readonly unknownZod: 'error' | 'warn'
  /** The formatter of the emitted files. Default: `prettier`. */
  readonly format: 'prettier' | 'none'
  /** Absolute paths of modules whose exported handlers get committed OpenAPI documents. Default: none. */
  readonly openapi: readonly string[]
}

/** The names of all options, except `output`. */
export const OPTION_NAMES = [
  'adapters',
  'styles',
  'policy',
  'client',
  'clientImport',
  'runtimeImport',
  'importFileExtension',
  'templates',
  'rest',
  'rpc',
  'files',
  'unknownZod',
  'format',
  'openapi',
] as const

/** Options of earlier versions, and what replaces them. */
const MOVED_OPTIONS: Readonly<Record<string, string>> = {
  nestedRoutes: 'It is a feature now. Write rest = ["nestedRoutes"], or remove it.',
}

/**
 * Parses the options of a generator block.
 * @throws GeneratorError listing all unknown options and invalid values, with the allowed ones
 */
export function readOptions(block: Pick<GeneratorBlock, 'name' | 'config' | 'output' | 'file'>): Options {
  const problems: Diagnostic[] = []
  const report = (message: string, hint: string) =>
    problems.push({ location: {}, message: `generator ${block.name}: ${message}`, hint })
  const { config, output } = block

  for (const key of Object.keys(config)) {
    if (!OPTION_NAMES.some((optionName) => optionName === key))
      report(`unknown option "${key}".`, MOVED_OPTIONS[key] ?? suggest(key, OPTION_NAMES))
  }
  const text = (key: (typeof OPTION_NAMES)[number]): string | undefined => {
    const value = config[key]
    if (value === undefined || (typeof value === 'string' && value !== '')) return value
    report(`"${key}" must be a non-empty string.`, `Write ${key} = "…", or remove it.`)
    return undefined
  }
  const specifier = (key: (typeof OPTION_NAMES)[number]): string | undefined => {
    const value = text(key)
    if (value !== undefined && /["'`\\\s;]/.test(value)) {
      report(
        `"${key}" must be an import specifier, but is ${JSON.stringify(value)}.`,
        `Write ${key} = "package-name" or a path.`,
      )
    }
    return value
  }
  const choices = <C extends string>(
    key: (typeof OPTION_NAMES)[number],
    allowed: readonly C[],
    defaults: readonly C[],
  ): C[] => {
    const value = config[key]
    if (value === undefined) return [...defaults]
    const words = typeof value === 'string' ? [value] : value
    for (const word of words) {
      if (!allowed.some((choice) => choice === word))
        report(`unknown value "${word}" for "${key}".`, suggest(word, allowed))
    }
    return allowed.filter((choice) => words.includes(choice))
  }
  const choice = <C extends string>(key: (typeof OPTION_NAMES)[number], allowed: readonly C[]): C | undefined => {
    const value = config[key]
    const found = allowed.find((each) => each === value)
    if (value !== undefined && found === undefined) {
      report(
        `unknown value ${JSON.stringify(value)} for "${key}".`,
        suggest(
          String(value),
          allowed.map((each) => each || '""'),
        ),
      )
    }
    return found
  }

  const styles = choices('styles', STYLES, STYLES)
  if (styles.length === 0 && problems.length === 0) {
    report('"styles" must not be empty.', 'Write styles = ["rest", "rpc"], or only one of them.')
  }
  if (!output) report('"output" is required.', 'Write output = "../src/routes".')
  const paths = (key: (typeof OPTION_NAMES)[number]): string[] => {
    const value = config[key] ?? []
    const words = typeof value === 'string' ? [value] : value
    if (words.includes('')) report(`"${key}" must not contain an empty path.`, `Write ${key} = "../src/api.ts".`)
    return [...new Set(words.map((word) => path.resolve(path.dirname(block.file), word)))]
  }
  const features: EnabledFeatures = {
    rest: choices('rest', REST_FEATURES, []),
    rpc: choices('rpc', RPC_FEATURES, []),
  }
  for (const style of STYLES) {
    if (features[style].length > 0 && !styles.includes(style))
      report(`"${style}" enables features of routes that are not generated.`, `Add "${style}" to "styles".`)
  }
  const templates = text('templates')
  const options: Options = {
    output: output ?? '',
    adapters: choices('adapters', ADAPTERS, ['hono']),
    styles,
    policy: choice('policy', ['casl'] as const),
    client: text('client'),
    clientImport: specifier('clientImport'),
    runtimeImport: (specifier('runtimeImport') ?? '@routewright/runtime').replace(/\/+$/, ''),
    importFileExtension: choice('importFileExtension', IMPORT_EXTENSIONS),
    templates: templates === undefined ? undefined : path.resolve(path.dirname(block.file), templates),
    features,
    files: choices('files', OPTIONAL_FILES, []),
    unknownZod: choice('unknownZod', ['error', 'warn'] as const) ?? 'error',
    format: choice('format', ['prettier', 'none'] as const) ?? 'prettier',
    openapi: paths('openapi'),
  }
  if (problems.length > 0) throw new GeneratorError(problems)
  return options
}
