import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import type { Options } from 'prettier'
import { GeneratorError } from '../errors.js'
import { GENERATED_HEADER } from './files.js'

/** The part of prettier's API that is used. Versions 2 and 3 both have it. */
type Prettier = Pick<
  typeof import('prettier'),
  'format' | 'resolveConfig' | 'resolveConfigFile' | 'clearConfigCache' | 'version'
>

/** Matches the names of files that may contain a prettier configuration. */
const CONFIGURATION = /^(\.prettierrc|prettier\.config\.|package\.(json|yaml)$|\.editorconfig$)/

/** Prettier with the user's configuration. Paths are absolute, because overrides and `.editorconfig` depend on them. */
export interface PrettierFormatter {
  /**
   * Returns a string that identifies prettier's version and configuration for a file, for cache keys.
   * @returns undefined if the configuration cannot be identified, for example because a plugin is not a package
   */
  identity(path: string): Promise<string | undefined>
  /** Whether `format` fails for every text that is not valid TypeScript. Prettier's own TypeScript parser guarantees this. */
  rejectsInvalidSyntax(path: string): Promise<boolean>
  /** Whether the file is formatted with prettier 3 and its default options. */
  hasDefaults(path: string): Promise<boolean>
  /** @throws GeneratorError if prettier fails, or a plugin inserts text above the header */
  format(path: string, text: string): Promise<string>
}

/**
 * Loads the user's prettier, resolved from the output folder, or the bundled one if there is none.
 * @param outputDir absolute path
 * @throws GeneratorError if the user's prettier cannot be loaded
 */
export async function loadPrettier(outputDir: string): Promise<PrettierFormatter> {
  const prettier = await importPrettier(outputDir)
  const version = Number.parseInt(prettier.version)
  await prettier.clearConfigCache()
  const resolveConfig = await configResolver(prettier, outputDir)
  return {
    async identity(path) {
      const config = await resolveConfig(path)
      const plugins = pluginIdentities(config.plugins ?? [])
      return plugins && JSON.stringify([prettier.version, { ...config, plugins }])
    },
    async rejectsInvalidSyntax(path) {
      const { parser = 'typescript', plugins = [] } = await resolveConfig(path)
      // Prettier 2 accepts JSX in any file. Plugins may replace the parser.
      return parser === 'typescript' && plugins.length === 0 && version >= 3
    },
    async hasDefaults(path) {
      return version === 3 && Object.keys(await resolveConfig(path)).length === 0
    },
    async format(path, text) {
      const config = await resolveConfig(path)
      // The generated header must be the first line, so no pragma is inserted. All files are formatted, even without a pragma.
      const options = { ...config, filepath: path, insertPragma: false, requirePragma: false }
      const formatted = await attempt(path, async () => await prettier.format(text, options))
      if (formatted.startsWith(GENERATED_HEADER) || !text.startsWith(GENERATED_HEADER)) return formatted
      const message = `a prettier plugin inserted text above the first line of ${path}.`
      const hint = 'Exclude the output folder from that plugin with "overrides" in your prettier configuration.'
      throw new GeneratorError([{ location: {}, message, hint }])
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
 * Resolves a file's configuration like prettier, but without searching each folder. With thousands of files in folders without a
 * configuration, the search would take longer than the rest of a run without changes.
 */
async function configResolver(prettier: Prettier, outputDir: string): Promise<(path: string) => Promise<Options>> {
  const index = join(outputDir, 'index.ts')
  const configFile = await attempt(index, async () => await prettier.resolveConfigFile(index))
  const editorconfig = ancestors(outputDir).some((folder) => existsSync(join(folder, '.editorconfig')))
  const localConfigs = new Map<string, boolean>([[outputDir, false]])
  async function loadConfig(path: string): Promise<Options> {
    const folder = dirname(path)
    const hasLocalConfig = localConfigs.get(folder) ?? hasConfiguration(folder)
    localConfigs.set(folder, hasLocalConfig)
    if (!hasLocalConfig && !configFile && !editorconfig) return {}
    const options = !hasLocalConfig && configFile ? { config: configFile, editorconfig } : { editorconfig: true }
    return (await attempt(path, async () => await prettier.resolveConfig(path, options))) ?? {}
  }
  // Overrides depend on the file name, so each file is resolved separately. The result is cached, because matching the patterns takes as
  // long as rendering.
  const cached = new Map<string, Options>()
  return async (path) => {
    const config = cached.get(path) ?? (await loadConfig(path))
    cached.set(path, config)
    return config
  }
}

function hasConfiguration(folder: string): boolean {
  return existsSync(folder) && readdirSync(folder).some((name) => CONFIGURATION.test(name))
}

function ancestors(folder: string): string[] {
  const above = dirname(folder)
  return above === folder ? [folder] : [folder, ...ancestors(above)]
}

async function attempt<T>(path: string, action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    const message = `prettier cannot format ${path}: ${error instanceof Error ? error.message : String(error)}`
    const hint = 'Fix its configuration, or set format = "none" in the generator block.'
    throw new GeneratorError([{ location: {}, message, hint }])
  }
}

/**
 * Returns the file and version of each plugin. Like prettier, resolves plugins from the working directory.
 * @returns undefined if a plugin is an object or a file of the project, because these can change without a new version
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
  throw new Error(`${file} does not belong to a package`)
}
