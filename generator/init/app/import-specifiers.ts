import path from 'node:path'

import { resolveImportPaths, relativePath } from '../../emit/import-paths.js'
import type { Adapter, Options } from '../../options.js'
import type { GeneratorBlock } from '../../schema/generator-block.js'
import { readTsconfig, type Tsconfig } from './tsconfig.js'

/** The import specifiers in an app's files. Paths are relative to the app's folder. */
export interface Specifiers {
  /** Returns the specifier for importing `file` in `from`. Both paths have extensions. */
  toSpecifier(from: string, file: string): string
  /** Returns the specifier for importing the generated Prisma client in `from`. */
  client(from: string): string
}

/** Import prefixes for folders of the app, such as `@/` for `src/`. */
type Aliases = readonly { readonly prefix: string; readonly folder: string }[]

/** Frameworks that bundle the app, so that imports need no extension. Used if tsconfig cannot be read. */
const BUNDLED: readonly Adapter[] = ['next', 'nuxt', 'sveltekit', 'tanstack-start']

/**
 * Determines how an app's files import each other. The extensions are the same as in generated files. The framework's aliases are used for
 * paths that would start with `../` or point into the alias's folder from outside.
 * @param root the app's folder
 * @param generators the schema's client generators
 */
export function createSpecifiers(
  root: string,
  adapter: Adapter,
  options: Options,
  generators: readonly GeneratorBlock[],
): Specifiers {
  const config = readTsconfig(root)
  const aliases = readAliases(root, adapter, config)
  const defaultExtension = BUNDLED.includes(adapter) ? '' : 'js'
  const end = (specifier: string): string => {
    if (config.state !== 'unreadable') return resolveImportPaths(options, generators).local(specifier)
    const ending = options.importFileExtension ?? defaultExtension
    return ending === '' ? specifier : `${specifier}.${ending}`
  }
  return {
    toSpecifier(from, file) {
      const index = /\/index\.[cm]?[jt]sx?$/.test(file)
      const stem = file.replace(/\.[cm]?[jt]sx?$/, '')
      const relative = relativePath(path.dirname(path.join(root, from)), path.join(root, stem))
      const alias = aliases.find(
        ({ folder }) => stem.startsWith(folder) && (relative.startsWith('../') || !from.startsWith(folder)),
      )
      const specifier = end(alias ? alias.prefix + stem.slice(alias.folder.length) : relative)
      return index ? specifier.replace(/\/index$/, '') : adjustExtension(specifier, file)
    },
    client(from) {
      const folder = path.dirname(path.join(root, from))
      const { clientImport } = options
      if (clientImport !== undefined) {
        return clientImport.startsWith('.')
          ? relativePath(folder, path.resolve(options.output, clientImport))
          : clientImport
      }
      // If the extension is set, `resolveImportPaths` does not read the tsconfig, which would fail.
      const clientGenerators =
        config.state !== 'unreadable'
          ? generators
          : generators.map((generator) => withEnding(generator, defaultExtension))
      return resolveImportPaths({ ...options, output: folder }, clientGenerators).client
    },
  }
}

function withEnding(generator: GeneratorBlock, importFileExtension: string): GeneratorBlock {
  return { ...generator, config: { importFileExtension, ...generator.config } }
}

/** Adjusts the specifier's extension, if it has one, to a file that is not `.ts`. */
function adjustExtension(specifier: string, file: string): string {
  const [, kind = '', language = ''] = /\.([cm]?)([jt])sx?$/.exec(file) ?? []
  if (kind === '' && language === 't') return specifier
  return specifier.replace(
    /\.([cm]?)([jt])s$/,
    (_, __, originalLanguage: string) => `.${kind}${language === 'j' ? 'j' : originalLanguage}s`,
  )
}

/** Returns SvelteKit's built-in alias, or for Next the tsconfig `paths` that map to a single folder. */
function readAliases(root: string, adapter: Adapter, { paths, base }: Tsconfig): Aliases {
  if (adapter === 'sveltekit') return [{ prefix: '$lib/', folder: 'src/lib/' }]
  if (adapter !== 'next') return []
  return Object.entries(paths).flatMap(([pattern, [target, ...more]]) => {
    if (!pattern.endsWith('/*') || target === undefined || more.length > 0 || !target.endsWith('/*')) return []
    const folder = path.relative(root, path.resolve(base, target.slice(0, -1))).replaceAll('\\', '/')
    return folder.startsWith('..') ? [] : [{ prefix: pattern.slice(0, -1), folder: folder === '' ? '' : `${folder}/` }]
  })
}
