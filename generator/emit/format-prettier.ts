import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import type { Options } from 'prettier'
import { GeneratorError } from '../errors.js'
import { GENERATED_HEADER } from './files.js'

/** The part of prettier's API that we use; versions 2 and 3 both have it. */
type Prettier = Pick<
  typeof import('prettier'),
  'format' | 'resolveConfig' | 'resolveConfigFile' | 'clearConfigCache' | 'version'
>

/** The names under which prettier looks for a configuration in a folder, whatever the ending. */
const CONFIGURATION = /^(\.prettierrc|prettier\.config\.|package\.(json|yaml)$|\.editorconfig$)/

/** Prettier, with the user's configuration. Paths are absolute; overrides and `.editorconfig` go by them. */
export interface PrettierFormatter {
  /**
   * @returns what the outcome depends on besides the text: version and configuration. `undefined` where nobody can tell, as
   * with a plugin that is no package
   */
  identity(path: string): Promise<string | undefined>
  /** Whether `format` fails for all that is no TypeScript: with prettier's own parser for TypeScript it does. */
  provesSyntax(path: string): Promise<boolean>
  /** @throws GeneratorError where prettier fails, or a plugin moves the header */
  format(path: string, text: string): Promise<string>
}

/**
 * Loads the user's own prettier, looked up from the output folder, and ours where they have none.
 * @param outputDir absolute
 * @throws GeneratorError where the user's prettier does not load
 */
export async function loadPrettier(outputDir: string): Promise<PrettierFormatter> {
  const prettier = await importPrettier(outputDir)
  await prettier.clearConfigCache()
  const resolveConfig = await configResolver(prettier, outputDir)
  return {
    async identity(path) {
      const config = await resolveConfig(path)
      const plugins = pluginIdentities(config.plugins ?? [])
      return plugins && JSON.stringify([prettier.version, { ...config, plugins }])
    },
    async provesSyntax(path) {
      const { parser = 'typescript', plugins = [] } = await resolveConfig(path)
      // Prettier 2 takes JSX in any file. A plugin may bring a parser of its own.
      return parser === 'typescript' && plugins.length === 0 && Number.parseInt(prettier.version) >= 3
    },
    async format(path, text) {
      const config = await resolveConfig(path)
      // Our header has to be the first line, so no pragma above it; and without one, all files are formatted.
      const options = { ...config, filepath: path, insertPragma: false, requirePragma: false }
      const formatted = await attempt(path, async () => await prettier.format(text, options))
      if (formatted.startsWith(GENERATED_HEADER) || !text.startsWith(GENERATED_HEADER)) return formatted
      const what = `a prettier plugin put something above the first line of ${path}.`
      const mend = 'Exclude the output folder from that plugin with "overrides" in your prettier configuration.'
      throw new GeneratorError([{ place: {}, what, mend }])
    },
  }
}

async function importPrettier(outputDir: string): Promise<Prettier> {
  const require = createRequire(join(outputDir, 'index.ts'))
  let path: string
  try {
    path = require.resolve('prettier')
  } catch {
    return await import('prettier')
  }
  return await attempt(path, async () => require(path))
}

/**
 * Prettier's own look-up of a file's configuration, without its search in every single folder: of thousands of files, in
 * folders that hold no configuration of their own, it would take longer than everything else in an unchanged run.
 */
async function configResolver(prettier: Prettier, outputDir: string): Promise<(path: string) => Promise<Options>> {
  const index = join(outputDir, 'index.ts')
  const configFile = await attempt(index, async () => await prettier.resolveConfigFile(index))
  const editorconfig = ancestors(outputDir).some((folder) => existsSync(join(folder, '.editorconfig')))
  const hasOwn = new Map<string, boolean>([[outputDir, false]])
  async function lookUp(path: string): Promise<Options> {
    const folder = dirname(path)
    const own = hasOwn.get(folder) ?? hasConfiguration(folder)
    hasOwn.set(folder, own)
    if (!own && !configFile && !editorconfig) return {}
    const options = !own && configFile ? { config: configFile, editorconfig } : { editorconfig: true }
    return (await attempt(path, async () => await prettier.resolveConfig(path, options))) ?? {}
  }
  // Overrides go by the file's name, so each file is looked up; but once, since their patterns take as long as rendering.
  const known = new Map<string, Options>()
  return async (path) => {
    const config = known.get(path) ?? (await lookUp(path))
    known.set(path, config)
    return config
  }
}

function hasConfiguration(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => CONFIGURATION.test(name))
}

/** A folder, and those that it is in. */
function ancestors(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...ancestors(above)]
}

async function attempt<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    const what = `prettier fails for ${path}: ${error instanceof Error ? error.message : String(error)}`
    const mend = 'Mend its configuration, or set format = "none" in the generator block.'
    throw new GeneratorError([{ place: {}, what, mend }])
  }
}

/**
 * File and version of each plugin. Prettier looks them up from the working directory, and so do we.
 * @returns `undefined` where a plugin is given as an object or is a file of the user's: these change without a version
 */
function pluginIdentities(plugins: NonNullable<Options['plugins']>): string[] | undefined {
  const require = createRequire(join(process.cwd(), 'index.js'))
  const identities: string[] = []
  for (const plugin of plugins) {
    if (typeof plugin !== 'string') return undefined
    try {
      const file = require.resolve(plugin)
      if (!file.includes(`${sep}node_modules${sep}`)) return undefined
      identities.push(`${file} ${packageVersion(file)}`)
    } catch {
      return undefined
    }
  }
  return identities
}

function packageVersion(file: string): string {
  for (const folder of ancestors(dirname(file))) {
    const manifest = join(folder, 'package.json')
    if (!existsSync(manifest)) continue
    const { name, version }: { name?: string; version?: string } = JSON.parse(readFileSync(manifest, 'utf8'))
    if (name !== undefined && version !== undefined) return version
  }
  throw new Error(`${file} belongs to no package`)
}
