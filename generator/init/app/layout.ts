import { GENERATED_HEADER } from '../../emit/files.js'
import type { Adapter } from '../../options.js'
import type { AppFolder } from './app-folder.js'
import type { CompiledFiles } from './tsconfig.js'

/** The parts of an app that determine the locations of its files. */
export type LayoutInput = Pick<AppFolder, 'manifest' | 'sources' | 'exists' | 'text'>

/** The folders for an app's new files, relative to the app's folder. The empty string is the app's folder. */
export interface Layout {
  /** The folder for the generated routes. It must not be one that the framework uses for its own routes. */
  readonly output: string
  /** The folder for a generated Prisma client. */
  readonly client: string
  /** The folder for a module that creates the Prisma client. */
  readonly modules: string
}

/** Packages that load files in `src/routes` or `routes` as routes, in addition to the frameworks handled below. */
const PACKAGES_WITH_ROUTES_FOLDER = [
  '@fastify/autoload',
  '@tanstack/react-router',
  '@tanstack/solid-router',
  '@solidjs/start',
]

/**
 * Returns the folders for the new files of an app with a framework.
 * @param tsconfig the files that `tsconfig.json` compiles. Default: all
 */
export function resolveLayout(adapter: Adapter, app: LayoutInput, tsconfig: CompiledFiles = ALL_FILES): Layout {
  const source = sourceFolder(app, tsconfig)
  const client = join(source, 'generated/prisma')
  const findFreeFolder = (...folders: readonly string[]) =>
    folders.find((folder) => isFree(folder, app)) ?? folders.at(-1) ?? ''
  switch (adapter) {
    case 'sveltekit':
      return {
        output: findFreeFolder('src/lib/server/routes', 'src/lib/server/prisma-routes'),
        client,
        modules: 'src/lib/server',
      }
    case 'nuxt': {
      const server = !app.exists('server') && app.exists('src/server') ? 'src/server' : 'server'
      return {
        output: findFreeFolder(join(server, 'prisma-routes'), join(server, 'generated-routes')),
        client,
        modules: server,
      }
    }
    case 'tanstack-start':
      return { output: 'src/prisma-routes', client: 'src/generated/prisma', modules: 'src' }
    default: {
      const isRoutesFolderReserved = PACKAGES_WITH_ROUTES_FOLDER.some((name) => app.manifest.packages.has(name))
      const defaultFolders = isRoutesFolderReserved ? [] : [join(source, 'routes')]
      return { output: findFreeFolder(...defaultFolders, join(source, 'prisma-routes')), client, modules: source }
    }
  }
}

const ALL_FILES: CompiledFiles = { includes: () => true, folders: [] }

/** Returns the folder of the app's code. It may not exist yet if `tsconfig.json` does not compile an existing one. */
function sourceFolder({ exists }: LayoutInput, { includes, folders }: CompiledFiles): string {
  const defaultFolder = exists('src') ? 'src' : ''
  return [defaultFolder, 'src', ...folders].find((folder) => includes(join(folder, 'index.ts'))) ?? defaultFolder
}

/** Joins a folder, which may be the empty string, with a name. */
export function join(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`
}

/** Whether no module with this name exists. `src/db` is taken by `src/db.js` and by `src/db/index.ts`. */
export function isModuleNameFree(stem: string, { exists }: Pick<AppFolder, 'exists'>): boolean {
  const endings = ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs']
  return !endings.some((ending) => exists(`${stem}.${ending}`)) && !exists(stem)
}

/** Whether a folder contains no code, apart from generated files. */
function isFree(folder: string, { sources, text }: LayoutInput): boolean {
  return sources.every((file) => !file.startsWith(`${folder}/`) || text(file).startsWith(GENERATED_HEADER))
}
