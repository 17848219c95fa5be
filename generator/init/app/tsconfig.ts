import path from 'node:path'

import { createFilesMatcher, getTsconfig, type TsConfigResult } from 'get-tsconfig'

import type { Adapter } from '../../options.js'
import { versionNumbers } from '../../project/version.js'

/** The files that a `tsconfig.json` compiles. Paths are relative to the app's folder. */
export interface CompiledFiles {
  /** Whether it compiles a file. The file does not have to exist. */
  readonly includes: (file: string) => boolean
  /** The folders that `include` names. */
  readonly folders: readonly string[]
}

/** What an app's `tsconfig.json` says, as far as its routes have to do with it. */
export interface Tsconfig {
  readonly files: CompiledFiles
  /** `unreadable`: what it builds on is not there yet, for example. */
  readonly state: 'none' | 'unreadable' | 'read'
  /** Why it is unreadable. */
  readonly reason: string
  /** `paths`, and the folder that they are relative to. */
  readonly paths: Readonly<Record<string, readonly string[]>>
  readonly base: string
  /** The packages whose global types it asks for; undefined where it says nothing of them. */
  readonly types: readonly string[] | undefined
  /** It only names others, each with options of its own. */
  readonly solution: boolean
  /** What is wrong with it for the routes, a sentence each. */
  readonly faults: readonly string[]
}

/** Reads the `tsconfig.json` of an app, or that of a folder above it. */
export function readTsconfig(root: string): Tsconfig {
  const files = { includes: () => true, folders: [] }
  const nothing = { files, reason: '', paths: {}, base: root, types: undefined, solution: false, faults: [] }
  try {
    const found = getTsconfig(root)
    if (!found) return { ...nothing, state: 'none' }
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
      faults: solution ? [] : faultsOf(compilerOptions),
    }
  } catch (error) {
    return { ...nothing, state: 'unreadable', reason: error instanceof Error ? error.message : String(error) }
  }
}

function compiledFiles(tsconfig: TsConfigResult, root: string): CompiledFiles {
  const matches = createFilesMatcher(tsconfig)
  const base = path.dirname(tsconfig.path)
  const { include = [], compilerOptions: { rootDir } = {} } = tsconfig.config
  const isBelow = (folder: string, file: string) => !/^\.\.(?:[\\/]|$)/.test(path.relative(folder, file))
  const folders = include
    // The part of a pattern before its first wildcard or file name.
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

/** Says what the person who sets an app up should know of its `tsconfig.json`, a sentence each. */
export function tsconfigNotes({ state, reason, faults }: Tsconfig, adapter: Adapter): string[] {
  if (state === 'none') {
    const runs = 'your bundler, tsx, Bun, Deno, Node 22.18 or later'
    return [`There is no tsconfig.json. The routes are TypeScript all the same: run them with what takes it (${runs}).`]
  }
  if (state === 'read') return [...faults]
  const command = MAKES_TSCONFIG[adapter]
  const first = command === undefined ? 'Mend it' : `Run \`npx ${command}\``
  return [`tsconfig.json cannot be read: ${reason} ${first} before \`prisma generate\`, which reads it too.`]
}

/** Frameworks whose own types bring Node's. */
const BRINGS_NODE: readonly Adapter[] = ['express', 'fastify', 'next', 'nuxt', 'sveltekit', 'tanstack-start']

/**
 * Says that a module which reads `process.env` does not compile without Node's types, where nothing asks for them. Before version 6,
 * TypeScript takes all types that are installed where `types` is not set.
 * @param file the module, relative to the app's folder
 * @param typescript the version that the app has installed
 * @returns undefined where there is nothing to say
 */
export function nodeTypesNote(
  { state, types, solution }: Tsconfig,
  adapter: Adapter,
  file: string,
  typescript: string | undefined,
): string | undefined {
  if (state !== 'read' || solution || BRINGS_NODE.includes(adapter)) return undefined
  if (types?.some((name) => /^(@types\/)?(node|bun|bun-types)(\/|$)/.test(name))) return undefined
  const has = types ? `has "types": ${JSON.stringify(types)}` : 'does not set "types"'
  if (!types && (typescript === undefined || versionNumbers(typescript)[0] < 6)) return undefined
  return `tsconfig.json ${has}, which leaves out Node's; ${file} needs them, for process.env. Set "types": ${listOf(types)}.`
}

function listOf(types: readonly string[] = []): string {
  return `[${[...types, 'node'].map((name) => JSON.stringify(name)).join(', ')}]`
}

/** What writes the configuration that an app's own one builds on. */
const MAKES_TSCONFIG: Partial<Record<Adapter, string>> = { sveltekit: 'svelte-kit sync', nuxt: 'nuxt prepare' }

interface CompilerOptions {
  readonly strict?: boolean
  readonly strictNullChecks?: boolean
  readonly module?: string
  readonly moduleResolution?: string
}

function faultsOf({ strict, strictNullChecks = strict, module = '', moduleResolution }: CompilerOptions): string[] {
  const faults: string[] = []
  if (strictNullChecks === false) {
    faults.push('tsconfig.json turns strictNullChecks off; the routes do not compile without it.')
  } else if (strictNullChecks === undefined) {
    faults.push(
      'tsconfig.json does not set strict. The routes compile with it alone, and TypeScript before 6 has it off.',
    )
  }
  // Without it, TypeScript before 6 resolves modules of CommonJS as Node 10 did.
  const blind = /^(node|node10|classic)$/i.test(moduleResolution ?? '')
  if (blind || (moduleResolution === undefined && /^commonjs$/i.test(module))) {
    const which = blind ? `moduleResolution "${moduleResolution}"` : 'module "commonjs" and no moduleResolution'
    faults.push(
      `tsconfig.json has ${which}; TypeScript${blind ? '' : ' before 6'} does not find what packages export then, ` +
        '@routewright/runtime among them. Set moduleResolution to "bundler", or module to "nodenext".',
    )
  }
  return faults
}
