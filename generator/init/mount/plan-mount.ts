import path from 'node:path'

import type { Adapter, Options } from '../../options.js'
import type { GeneratorBlock } from '../../schema/generator-block.js'
import type { AppFolder } from '../app/app-folder.js'
import { databaseModule, detectDriver } from './database-module.js'
import { initError } from '../init-error.js'
import { type AppClient, findClient, findClientConstruction } from '../app/find-client.js'
import { isModuleNameFree, join, type Layout } from '../app/layout.js'
import { findMount, chooseMountFile } from './mount-file.js'
import { mountStep } from './mount-step.js'
import { renderMountSource } from './mount-source.js'
import { createSpecifiers } from '../app/import-specifiers.js'

/** A new file of the app. */
export interface NewFile {
  /** Path relative to the app's folder. */
  readonly file: string
  readonly text: string
  /** The consequence of not writing the file, as a sentence. */
  readonly fallback: string
}

/** The plan to mount the routes. */
export interface MountPlan {
  /** The files in display order. */
  readonly files: readonly NewFile[]
  /** The new module that creates the Prisma client. Undefined if the app already has one. Relative to the app's folder. */
  readonly module: string | undefined
  /** The package of the driver adapter of the existing or new Prisma client. */
  readonly driver: string | undefined
  /** The remaining steps, with the file that each belongs to. */
  readonly steps: readonly { readonly text: string; readonly file: string }[]
  readonly notes: readonly string[]
}

/** The inputs of {@link planMount}. */
export interface MountInput {
  readonly app: AppFolder
  readonly adapter: Adapter
  readonly layout: Layout
  /** The routes generator's options. */
  readonly options: Options
  /** The schema's client generators, with absolute outputs. */
  readonly clients: readonly GeneratorBlock[]
  /** The datasource's provider. */
  readonly provider: string
}

const SET_URL = 'Set DATABASE_URL in the environment to the URL of your database.'

/**
 * Plans the file that mounts the routes, unless the app has one, and the module that creates the Prisma client, unless the app exports one.
 * @throws GeneratorError if Prisma has no driver adapter for the database
 */
export function planMount(input: MountInput): MountPlan {
  const { app, adapter, layout, options } = input
  const found = findClient(app, adapter === 'nest')
  const driver = found && detectDriver(app.text(found.file))
  const emptyPlan = { files: [], module: undefined, driver, steps: [], notes: [] }
  const mounted = findMount(options.adapters, app)
  if (mounted !== undefined) return { ...emptyPlan, notes: [`The routes are already mounted in ${mounted}.`] }
  const mountFile = chooseMountFile(adapter, app, layout)
  if (mountFile === undefined) {
    const instructions = `The comment in the generated ${adapter}.ts shows an example.`
    const note = `All default paths for the file that mounts the routes are in use. Mount the routes in another file. ${instructions}`
    return { ...emptyPlan, notes: [note] }
  }

  const imports = createSpecifiers(app.root, adapter, options, input.clients)
  const created = found ? undefined : createClient(input, imports.client)
  const client = found ?? created?.client
  if (client === undefined)
    throw initError('no Prisma client to import was found.', 'Export your PrismaClient from a module.')

  const output = path.relative(app.root, options.output).replaceAll('\\', '/')
  const from = imports.toSpecifier(mountFile.file, client.file)
  const { packages } = app.manifest
  const text = renderMountSource({
    ...mountFile,
    adapter,
    from: {
      runtime: options.runtimeImport,
      adapter: imports.toSpecifier(mountFile.file, `${output}/${adapter}.ts`),
      index: imports.toSpecifier(mountFile.file, `${output}/index.ts`),
    },
    client: {
      name: client.name,
      injected: client.kind === 'class',
      statement: client.isDefault ? `import ${client.name} from '${from}'` : `import { ${client.name} } from '${from}'`,
    },
    rpc: options.styles.includes('rpc'),
    nest: {
      fastify: packages.has('@nestjs/platform-fastify') && !packages.has('@nestjs/platform-express'),
      expressTypes: packages.has('@types/express'),
    },
  })
  const host = mountFile.host ?? join(layout.modules, 'index.ts')
  const service = client.kind === 'class' ? client.name : undefined
  const step = mountStep({ ...mountFile, adapter, specifier: imports.toSpecifier(host, mountFile.file), service })
  const files = created
    ? [
        {
          ...created.file,
          fallback: `Export your Prisma client from this path, or change the import in ${mountFile.file}.`,
        },
      ]
    : []
  return {
    files: [...files, { file: mountFile.file, text, fallback: 'Mount the routes in another file.' }],
    module: created?.file.file,
    driver: created?.driver ?? driver,
    steps: [
      ...(created ? [{ text: SET_URL, file: created.file.file }] : []),
      ...(step === undefined ? [] : [{ text: step, file: mountFile.file }]),
    ],
    notes: created?.notes ?? [],
  }
}

interface CreatedClient {
  readonly client: AppClient
  readonly file: Omit<NewFile, 'fallback'>
  readonly driver: string
  readonly notes: readonly string[]
}

/** Plans a module that creates the app's Prisma client. */
function createClient(
  { app, adapter, layout, provider }: MountInput,
  toSpecifier: (from: string) => string,
): CreatedClient {
  const names = ['db', 'prisma', 'prisma-client'].map((name) => join(layout.modules, name))
  const file = `${names.find((stem) => isModuleNameFree(stem, app)) ?? join(layout.modules, 'routewright-client')}.ts`
  const { packages } = app.manifest
  const module = databaseModule({ provider, client: toSpecifier(file), adapter, packages })
  if (!module) {
    const message = `Prisma 7 has no driver adapter for the provider "${provider}".`
    throw initError(message, 'Use a provider with a driver adapter in the datasource.')
  }
  const existingFile = findClientConstruction(app)
  const note = `${existingFile} creates a PrismaClient, but does not export it. If it is your app's client, export it and import it instead of ${file}.`
  return {
    client: { file, kind: 'value', name: 'prisma', isDefault: false },
    file: { file, text: module.text },
    driver: module.driver,
    notes: existingFile === undefined ? [] : [note],
  }
}
