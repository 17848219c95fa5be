import path from 'node:path'

import { resolveImportPaths, relativePath } from '../../emit/import-paths.js'
import type { Adapter, Options } from '../../options.js'
import type { GeneratorBlock } from '../../schema/generator-block.js'
import { readTsconfig, type Tsconfig } from './tsconfig.js'

/** How files of an app import each other. Paths are relative to the app's folder. */
export interface Specifiers {
  /** What a file imports another module of the app by; both with their endings. */
  to(from: string, file: string): string
  /** What a file imports the generated Prisma client by. */
  client(from: string): string
}

/** Prefixes that stand for a folder of the app, as `@/` for `src/`. */
type Aliases = readonly { readonly prefix: string; readonly folder: string }[]

/** Frameworks that bundle an app: imports need no ending there, whatever else cannot be found out. */
const BUNDLED: readonly Adapter[] = ['next', 'nuxt', 'sveltekit', 'tanstack-start']

/**
 * Works out how the files of an app import each other: with the endings that generated files have too, and by the aliases that
 * the framework gives, where a path would lead upwards or into the alias's folder.
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
  const aliases = aliasesOf(root, adapter, config)
  const guess = BUNDLED.includes(adapter) ? '' : 'js'
  const end = (specifier: string): string => {
    if (config.state !== 'unreadable') return resolveImportPaths(options, generators).own(specifier)
    const ending = options.importFileExtension ?? guess
    return ending === '' ? specifier : `${specifier}.${ending}`
  }
  return {
    to(from, file) {
      const index = /\/index\.[cm]?[jt]sx?$/.test(file)
      const stem = file.replace(/\.[cm]?[jt]sx?$/, '')
      const relative = relativePath(path.dirname(path.join(root, from)), path.join(root, stem))
      const alias = aliases.find(
        ({ folder }) => stem.startsWith(folder) && (relative.startsWith('../') || !from.startsWith(folder)),
      )
      const specifier = end(alias ? alias.prefix + stem.slice(alias.folder.length) : relative)
      return index ? specifier.replace(/\/index$/, '') : ofItsKind(specifier, file)
    },
    client(from) {
      const folder = path.dirname(path.join(root, from))
      const { clientImport } = options
      if (clientImport !== undefined) {
        return clientImport.startsWith('.')
          ? relativePath(folder, path.resolve(options.output, clientImport))
          : clientImport
      }
      // The look-up that would fail is not made for a client that says how it wants to be imported.
      const known =
        config.state !== 'unreadable' ? generators : generators.map((generator) => withEnding(generator, guess))
      return resolveImportPaths({ ...options, output: folder }, known).client
    },
  }
}

function withEnding(generator: GeneratorBlock, importFileExtension: string): GeneratorBlock {
  return { ...generator, config: { importFileExtension, ...generator.config } }
}

/** Where imports end at all, that of a file which is no `.ts` ends as the file does. */
function ofItsKind(specifier: string, file: string): string {
  const [, kind = '', language = ''] = /\.([cm]?)([jt])sx?$/.exec(file) ?? []
  if (kind === '' && language === 't') return specifier
  return specifier.replace(
    /\.([cm]?)([jt])s$/,
    (_, __, written: string) => `.${kind}${language === 'j' ? 'j' : written}s`,
  )
}

/** SvelteKit's own alias, and of Next, which knows the paths of tsconfig, those that stand for a folder. */
function aliasesOf(root: string, adapter: Adapter, { paths, base }: Tsconfig): Aliases {
  if (adapter === 'sveltekit') return [{ prefix: '$lib/', folder: 'src/lib/' }]
  if (adapter !== 'next') return []
  return Object.entries(paths).flatMap(([pattern, [target, ...more]]) => {
    if (!pattern.endsWith('/*') || target === undefined || more.length > 0 || !target.endsWith('/*')) return []
    const folder = path.relative(root, path.resolve(base, target.slice(0, -1))).replaceAll('\\', '/')
    return folder.startsWith('..') ? [] : [{ prefix: pattern.slice(0, -1), folder: folder === '' ? '' : `${folder}/` }]
  })
}
