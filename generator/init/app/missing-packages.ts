import type { Adapter, Options } from '../../options.js'
import { packageName } from '../../project/installed.js'
import { installCommand } from '../../project/package-manager.js'
import type { FoundSchema } from '../schema/find-schema.js'
import type { AppFolder } from './app-folder.js'
import type { DependencyNames } from './package-json.js'

/** The inputs that determine an app's dependencies. */
export interface DependencyInput {
  readonly schema: Pick<FoundSchema, 'files'>
  /** The routes generator's options. */
  readonly options: Options
  readonly adapter: Adapter | undefined
  /** The package of the Prisma client's driver adapter. */
  readonly driver: string | undefined
}

/** Returns the commands that install missing dependencies. */
export function installCommands(
  { root, manifest }: Pick<AppFolder, 'root' | 'manifest'>,
  input: DependencyInput,
): string[] {
  const missing = (packages: readonly string[]) =>
    packages.filter((name) => !manifest.packages.has(name.replace(/(?<=.)@.*$/, '')))
  const [app, dev] = [missing(listDependencies(input)), missing(listDevDependencies(input, manifest.packages))]
  return [
    ...(app.length > 0 ? [installCommand(root, app)] : []),
    ...(dev.length > 0 ? [installCommand(root, dev, 'dev')] : []),
  ]
}

function listDependencies({ schema, options, driver }: DependencyInput): string[] {
  const rules = schema.files.some(({ text }) => /\/\/\/.*@zod\./.test(text))
  const runtime = packageName(options.runtimeImport)
  return [
    ...(runtime === undefined ? [] : [runtime]),
    'hono',
    ...(rules ? ['zod'] : []),
    ...(options.policy === 'casl' ? ['@casl/ability', '@casl/prisma'] : []),
    '@prisma/client@7',
    ...(driver === undefined ? [] : [`${driver}@7`]),
  ]
}

function listDevDependencies({ options, adapter, driver }: DependencyInput, packages: DependencyNames): string[] {
  // Both the module that creates the client and Node's server use Node's types.
  const node = (driver !== undefined && adapter !== 'sveltekit') || options.adapters.includes('node')
  const bun = packages.has('@types/bun') || packages.has('bun-types')
  return [
    'routewright',
    'prisma@7',
    ...(options.adapters.includes('express') ? ['@types/express'] : []),
    ...(node && !bun ? ['@types/node'] : []),
  ]
}
