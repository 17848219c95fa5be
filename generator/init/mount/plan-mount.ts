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
  /** Relative to the app's folder. */
  readonly file: string
  readonly text: string
  /** What it means to leave it out, as a sentence. */
  readonly without: string
}

/** How the app comes to serve the routes. */
export interface MountPlan {
  /** In the order in which they are shown. */
  readonly files: readonly NewFile[]
  /** The module that makes the Prisma client, where it is new. Relative to the app's folder. */
  readonly module: string | undefined
  /** The package of the driver adapter that the app's Prisma client has, or will have. */
  readonly driver: string | undefined
  /** What remains to be done, and the file that it is about. */
  readonly steps: readonly { readonly text: string; readonly about: string }[]
  readonly notes: readonly string[]
}

/** What the mount is planned for. */
export interface MountInput {
  readonly app: AppFolder
  readonly adapter: Adapter
  readonly layout: Layout
  /** The routes generator's options. */
  readonly options: Options
  /** The schema's client generators, outputs absolute. */
  readonly clients: readonly GeneratorBlock[]
  /** The datasource's provider. */
  readonly provider: string
}

const SET_URL = 'Set DATABASE_URL in the environment, to the URL that prisma.config.ts has.'

/**
 * Works out the file that mounts the routes, where the app has none, and the module that makes the Prisma client for it, where
 * the app exports none.
 * @throws GeneratorError where Prisma has no driver adapter for the database
 */
export function planMount(given: MountInput): MountPlan {
  const { app, adapter, layout, options } = given
  const found = findClient(app, adapter === 'nest')
  const driver = found && detectDriver(app.text(found.file))
  const nothing = { files: [], module: undefined, driver, steps: [], notes: [] }
  const mounted = findMount(options.adapters, app)
  if (mounted !== undefined) return { ...nothing, notes: [`The routes are mounted in ${mounted}.`] }
  const place = chooseMountFile(adapter, app, layout)
  if (place === undefined) {
    const shown = `the comment in the generated ${adapter}.ts shows how`
    const note = `Every place for a file that mounts the routes is taken. Mount them in one of your own: ${shown}.`
    return { ...nothing, notes: [note] }
  }

  const imports = createSpecifiers(app.root, adapter, options, given.clients)
  const made = found ? undefined : makeClient(given, imports.client)
  const client = found ?? made?.client
  if (client === undefined) throw initError('there is no client to import.', 'Export your PrismaClient from a module.')

  const output = path.relative(app.root, options.output).replaceAll('\\', '/')
  const from = imports.to(place.file, client.file)
  const { packages } = app.manifest
  const text = renderMountSource({
    ...place,
    adapter,
    from: {
      runtime: options.runtimeImport,
      adapter: imports.to(place.file, `${output}/${adapter}.ts`),
      index: imports.to(place.file, `${output}/index.ts`),
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
  const host = place.host ?? join(layout.modules, 'index.ts')
  const service = client.kind === 'class' ? client.name : undefined
  const step = mountStep({ ...place, adapter, specifier: imports.to(host, place.file), service })
  const files = made
    ? [{ ...made.file, without: `Export your Prisma client from there, or change the import in ${place.file}.` }]
    : []
  return {
    files: [...files, { file: place.file, text, without: 'Mount the routes in a file of your own.' }],
    module: made?.file.file,
    driver: made?.driver ?? driver,
    steps: [
      ...(made ? [{ text: SET_URL, about: made.file.file }] : []),
      ...(step === undefined ? [] : [{ text: step, about: place.file }]),
    ],
    notes: made?.notes ?? [],
  }
}

interface MadeClient {
  readonly client: AppClient
  readonly file: Omit<NewFile, 'without'>
  readonly driver: string
  readonly notes: readonly string[]
}

/** A module of the app's that makes its Prisma client. */
function makeClient({ app, adapter, layout, provider }: MountInput, importOf: (from: string) => string): MadeClient {
  const names = ['db', 'prisma', 'prisma-client'].map((name) => join(layout.modules, name))
  const file = `${names.find((stem) => isModuleNameFree(stem, app)) ?? join(layout.modules, 'routewright-client')}.ts`
  const { packages } = app.manifest
  const module = databaseModule({ provider, client: importOf(file), adapter, packages })
  if (!module) {
    const what = `Prisma 7 has no driver adapter for the database "${provider}", and a client needs one.`
    throw initError(what, 'Name a database that it has one for in the datasource.')
  }
  const other = findClientConstruction(app)
  const note = `${other} makes a PrismaClient, but exports none that can be imported. If it is the app's, export it and import it in place of ${file}.`
  return {
    client: { file, kind: 'value', name: 'prisma', isDefault: false },
    file: { file, text: module.text },
    driver: module.driver,
    notes: other === undefined ? [] : [note],
  }
}
