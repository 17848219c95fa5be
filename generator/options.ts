import path from 'node:path'

import { GeneratorError, type Diagnostic, suggest } from './errors.js'
import type { GeneratorBlock } from './schema/generator-block.js'

/** The styles of API that can be emitted. */
export const STYLES = ['rest', 'rpc'] as const

export type Style = (typeof STYLES)[number]

/** The frameworks that handlers can be mounted in. */
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

export type Adapter = (typeof ADAPTERS)[number]

/** What can stand before the ending of an import: nothing, or the ending of a file. */
export const IMPORT_EXTENSIONS = ['', 'ts', 'mts', 'cts', 'js', 'mjs', 'cjs'] as const

export type ImportExtension = (typeof IMPORT_EXTENSIONS)[number]

/** Where files go where the block does not say, relative to the schema file. */
export const DEFAULT_OUTPUT = './routes'

/** The generator block of a schema, read and checked (design, section 3). */
export interface Options {
  /** The folder that is written to, absolute. */
  readonly output: string
  /** Which adapters are emitted. Default: `hono`. */
  readonly adapters: readonly Adapter[]
  /** Which styles are emitted. Default: both. */
  readonly styles: readonly Style[]
  /** The name of the client generator whose client is imported. Needed only where the schema has several. */
  readonly client: string | undefined
  /** What the Prisma client is imported from, instead of what its generator's output says. */
  readonly clientImport: string | undefined
  /** What the runtime is imported from. Default: `@routewright/runtime`. */
  readonly runtimeImport: string
  /** The ending of relative imports. Default: as Prisma infers it from tsconfig. */
  readonly importFileExtension: ImportExtension | undefined
  /** A folder, absolute, whose templates replace ours by name. */
  readonly templates: string | undefined
  /** Which library's rules the emitted `policy.ts` enforces. Default: none, and no such file. */
  readonly policy: 'casl' | undefined
  /** Whether related resources have routes below the resource that they belong to. Default: no. */
  readonly nestedRoutes: boolean
  /** What `@zod` comments for other generators are, where they mean nothing to us. Default: `error`. */
  readonly unknownZod: 'error' | 'warn'
  /** Whether prettier formats the files. Default: `prettier`. */
  readonly format: 'prettier' | 'none'
  /** The modules, absolute, whose exported handlers are described for committing. Default: none. */
  readonly openapi: readonly string[]
}

const KNOWN = [
  'adapters',
  'styles',
  'policy',
  'client',
  'clientImport',
  'runtimeImport',
  'importFileExtension',
  'templates',
  'nestedRoutes',
  'unknownZod',
  'format',
  'openapi',
] as const

/**
 * Reads the generator block.
 * @throws GeneratorError that names every unknown option and every bad value, and what would be right
 */
export function readOptions(block: Pick<GeneratorBlock, 'name' | 'config' | 'output' | 'file'>): Options {
  const problems: Diagnostic[] = []
  const report = (what: string, mend: string) =>
    problems.push({ place: {}, what: `generator ${block.name}: ${what}`, mend })
  const { config, output } = block

  for (const key of Object.keys(config)) {
    if (!KNOWN.some((known) => known === key)) report(`there is no option "${key}".`, suggest(key, KNOWN))
  }
  const text = (key: (typeof KNOWN)[number]): string | undefined => {
    const value = config[key]
    if (value === undefined || (typeof value === 'string' && value !== '')) return value
    report(`"${key}" must be a text.`, `Write ${key} = "…", or leave it out.`)
    return undefined
  }
  const specifier = (key: (typeof KNOWN)[number]): string | undefined => {
    const value = text(key)
    if (value !== undefined && /["'`\\\s;]/.test(value)) {
      report(
        `"${key}" is nothing that can be imported: ${JSON.stringify(value)}.`,
        `Write ${key} = "a-package" or a path.`,
      )
    }
    return value
  }
  const choices = <C extends string>(
    key: (typeof KNOWN)[number],
    possible: readonly C[],
    byDefault: readonly C[],
  ): C[] => {
    const value = config[key]
    if (value === undefined) return [...byDefault]
    const words = typeof value === 'string' ? [value] : value
    for (const word of words) {
      if (!possible.some((choice) => choice === word)) report(`"${key}" cannot be "${word}".`, suggest(word, possible))
    }
    return possible.filter((choice) => words.includes(choice))
  }
  const choice = <C extends string>(key: (typeof KNOWN)[number], possible: readonly C[]): C | undefined => {
    const value = config[key]
    const found = possible.find((each) => each === value)
    if (value !== undefined && found === undefined) {
      report(
        `"${key}" cannot be ${JSON.stringify(value)}.`,
        suggest(
          String(value),
          possible.map((each) => each || '""'),
        ),
      )
    }
    return found
  }

  const styles = choices('styles', STYLES, STYLES)
  if (styles.length === 0 && problems.length === 0) {
    report('"styles" names no style.', 'Write styles = ["rest", "rpc"], or one of the two.')
  }
  if (!output) report('it has no output folder.', 'Write output = "../src/routes".')
  const files = (key: (typeof KNOWN)[number]): string[] => {
    const value = config[key] ?? []
    const words = typeof value === 'string' ? [value] : value
    if (words.includes('')) report(`"${key}" names a file without a name.`, `Write ${key} = "../src/api.ts".`)
    return [...new Set(words.map((word) => path.resolve(path.dirname(block.file), word)))]
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
    nestedRoutes: choice('nestedRoutes', ['true', 'false'] as const) === 'true',
    unknownZod: choice('unknownZod', ['error', 'warn'] as const) ?? 'error',
    format: choice('format', ['prettier', 'none'] as const) ?? 'prettier',
    openapi: files('openapi'),
  }
  if (problems.length > 0) throw new GeneratorError(problems)
  return options
}
