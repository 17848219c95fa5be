import path from 'node:path'

import { createFilesMatcher, getTsconfig, type TsConfigResult } from 'get-tsconfig'

import type { Adapter } from '../../options.js'
import { versionNumbers } from '../../project/version.js'

/** The files that a `tsconfig.json` compiles. Paths are relative to the app's folder. */
export interface CompiledFiles {
  /** Whether a file is compiled. The file does not have to exist. */
  readonly includes: (file: string) => boolean
  /** The folders in `include`. */
  readonly folders: readonly string[]
}

/** The relevant contents of an app's `tsconfig.json`. */
export interface Tsconfig {
  readonly files: CompiledFiles
  /** `unreadable` means, for example, that it extends a file that does not exist yet. */
  readonly state: 'none' | 'unreadable' | 'read'
  /** The reason why it is unreadable. */
  readonly reason: string
  /** `paths`, relative to the folder `base`. */
  readonly paths: Readonly<Record<string, readonly string[]>>
  readonly base: string
  /** The value of `types`. Undefined if it is not set. */
  readonly types: readonly string[] | undefined
  /** Whether it only references other projects that have their own options. */
  readonly solution: boolean
  /** The settings that prevent the routes from compiling, one sentence each. */
  readonly problems: readonly string[]
}

/** Reads the `tsconfig.json` of an app or of an ancestor folder. */
export function readTsconfig(root: string): Tsconfig {
  const files = { includes: () => true, folders: [] }
  const defaults = { files, reason: '', paths: {}, base: root, types: undefined, solution: false, problems: [] }
  try {
    const found = getTsconfig(root)
    if (!found) return { ...defaults, state: 'none' }
    const { compilerOptions = {}, references } = found.config
    const { baseUrl = '.', paths = {}, types } = compilerOptions
    const solution = references !== undefined && Object.keys(compilerOptions).length === 0
    return {
      files: solution ? files : compiledFiles(found, root),
      state: 'read',
      reason: '',
      paths,
      base: path.resolve(path.dirname(found.path), baseUrl),
      types,
      solution,
      problems: solution ? [] : findProblems(compilerOptions),
    }
  } catch (error) {
    return { ...defaults, state: 'unreadable', reason: error instanceof Error ? error.message : String(error) }
  }
}

function compiledFiles(tsconfig: TsConfigResult, root: string): CompiledFiles {
  const matches = createFilesMatcher(tsconfig)
  const base = path.dirname(tsconfig.path)
  const { include = [], compilerOptions: { rootDir } = {} } = tsconfig.config
  const isBelow = (folder: string, file: string) => !/^\.\.(?:[\\/]|$)/.test(path.relative(folder, file))
  const folders = include
    // Matches the part of a pattern before its first wildcard or file name.
    .map((pattern) => /^(?:\.\.?\/)*(?:[^/*?.]+(?:\/|$))*/.exec(pattern)?.[0] ?? '')
    .map((folder) => path.relative(root, path.resolve(base, folder)).replaceAll('\\', '/'))
  return {
    includes(file) {
      const target = path.join(root, file)
      if (rootDir !== undefined && !isBelow(path.resolve(base, rootDir), target)) return false
      return matches(target.replaceAll('\\', '/')) !== undefined
    },
    folders: folders.filter((folder) => folder !== '' && !folder.startsWith('..')),
  }
}

/** Returns notes about an app's `tsconfig.json`, one sentence each. */
export function tsconfigNotes({ state, reason, problems }: Tsconfig, adapter: Adapter): string[] {
  if (state === 'none') {
    const runs = 'a bundler, tsx, Bun, Deno or Node 22.18 or later'
    return [`There is no tsconfig.json. The routes are TypeScript, so run them with a tool that supports it (${runs}).`]
  }
  if (state === 'read') return [...problems]
  const command = TSCONFIG_COMMANDS[adapter]
  const first = command === undefined ? 'Fix it' : `Run \`npx ${command}\``
  return [`tsconfig.json cannot be read: ${reason} ${first} before \`prisma generate\`, which reads it too.`]
}

/** Frameworks whose types include Node's types. */
const ADAPTERS_WITH_NODE_TYPES: readonly Adapter[] = [
  'express',
  'fastify',
  'next',
  'nuxt',
  'sveltekit',
  'tanstack-start',
]

/**
 * Returns a note if a module that reads `process.env` does not compile because Node's types are not included. If `types` is not set,
 * TypeScript before version 6 includes all installed types.
 * @param file the module, relative to the app's folder
 * @param typescript the installed version
 * @returns undefined if no note is needed
 */
export function nodeTypesNote(
  { state, types, solution }: Tsconfig,
  adapter: Adapter,
  file: string,
  typescript: string | undefined,
): string | undefined {
  if (state !== 'read' || solution || ADAPTERS_WITH_NODE_TYPES.includes(adapter)) return undefined
  if (types?.some((name) => /^(@types\/)?(node|bun|bun-types)(\/|$)/.test(name))) return undefined
  const setting = types ? `has "types": ${JSON.stringify(types)}` : 'does not set "types"'
  if (!types && (typescript === undefined || versionNumbers(typescript)[0] < 6)) return undefined
  return `tsconfig.json ${setting}, so Node's types are not included, but ${file} needs them for process.env. Set "types": ${formatTypes(types)}.`
}

function formatTypes(types: readonly string[] = []): string {
  return `[${[...types, 'node'].map((name) => JSON.stringify(name)).join(', ')}]`
}

/** The commands that create the configuration that the app's tsconfig extends. */
const TSCONFIG_COMMANDS: Partial<Record<Adapter, string>> = { sveltekit: 'svelte-kit sync', nuxt: 'nuxt prepare' }

interface CompilerOptions {
  readonly strict?: boolean
  readonly strictNullChecks?: boolean
  readonly module?: string
  readonly moduleResolution?: string
}

function findProblems({ strict, strictNullChecks = strict, module = '', moduleResolution }: CompilerOptions): string[] {
  const problems: string[] = []
  if (strictNullChecks === false) {
    problems.push('tsconfig.json turns strictNullChecks off, but the routes do not compile without it.')
  } else if (strictNullChecks === undefined) {
    problems.push(
      'tsconfig.json does not set strict. The routes only compile with strict, and before TypeScript 6 it is off by default.',
    )
  }
  // If `moduleResolution` is not set, TypeScript before version 6 resolves CommonJS modules like Node 10.
  const blind = /^(node|node10|classic)$/i.test(moduleResolution ?? '')
  if (blind || (moduleResolution === undefined && /^commonjs$/i.test(module))) {
    const setting = blind ? `moduleResolution "${moduleResolution}"` : 'module "commonjs" and no moduleResolution'
    problems.push(
      `tsconfig.json has ${setting}. With this setting, TypeScript${blind ? '' : ' before 6'} does not find the exports of packages ` +
        'such as @routewright/runtime. Set moduleResolution to "bundler", or module to "nodenext".',
    )
  }
  return problems
}
