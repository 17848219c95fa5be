import path from 'node:path'

import type { Adapter, Options } from '../options.js'
import { findInstalled } from '../project/installed.js'
import { runCommand } from '../project/package-manager.js'
import type { AppFolder } from './app/app-folder.js'
import { initError } from './init-error.js'
import type { FoundSchema } from './schema/find-schema.js'
import { detectFramework, type Framework, frameworkName } from './app/frameworks.js'
import { resolveLayout } from './app/layout.js'
import { installCommands } from './app/missing-packages.js'
import { type MountPlan, planMount } from './mount/plan-mount.js'
import { planSchema } from './schema/plan-schema.js'
import { nodeTypesNote, readTsconfig, tsconfigNotes } from './app/tsconfig.js'

/** A file to create or change. */
export interface FileChange {
  /** Path relative to the app's folder, for messages. */
  readonly name: string
  /** Absolute path. */
  readonly path: string
  /** The current text. Undefined for a new file. */
  readonly before: string | undefined
  readonly after: string
  /** The added part of the text. */
  readonly added: string
  /** The consequence of not writing the file, as a sentence. */
  readonly fallback: string
}

/** A remaining step for the user. */
export interface Step {
  readonly text: string
  /** The file that the step belongs to. The step is skipped if the file is not written. */
  readonly file?: string
}

/** The plan to set up a project. */
export interface InitPlan {
  /** The schema and framework that were found, as one sentence. */
  readonly summary: string
  readonly changes: readonly FileChange[]
  /** Notes for the user, one sentence each. */
  readonly notes: readonly string[]
  /** The remaining steps, in order. */
  readonly steps: readonly Step[]
}

/** Formats a new file in the app's style. The path is absolute. */
export type Format = (path: string, text: string) => Promise<string>

const NO_MOUNT: MountPlan = { files: [], module: undefined, driver: undefined, steps: [], notes: [] }

/**
 * Plans the changes to a project. Writes nothing.
 * @throws GeneratorError if the project cannot be set up
 */
export async function planInit(app: AppFolder, schema: FoundSchema, format: Format): Promise<InitPlan> {
  if (schema.provider === '')
    throw initError('the schema has no datasource.', 'Add one with the provider of your database.')
  if (schema.provider === 'mongodb') throw initError('Prisma 7 has no client for MongoDB.', 'Use a different database.')
  const detected = detectFramework(app)
  const tsconfig = readTsconfig(app.root)
  const layout = resolveLayout(detected.adapter, app, tsconfig.files)
  const { change, options, clients, notes } = planSchema(schema, app.root, detected.adapter, layout)
  const chosen = chooseAdapter(detected, options, schema.routes.length > 0)
  const { adapter } = chosen
  const mount =
    adapter === undefined
      ? NO_MOUNT
      : planMount({
          app,
          adapter,
          layout: resolveLayout(adapter, app, tsconfig.files),
          options,
          clients,
          provider: schema.provider,
        })

  const nameOf = (file: string) => path.relative(app.root, file).replaceAll('\\', '/')
  const files = mount.files.map(async ({ file, text, fallback }): Promise<FileChange> => {
    const target = path.join(app.root, file)
    const after = options.format === 'none' ? text : await format(target, text)
    return { name: file, path: target, before: undefined, after, added: after, fallback }
  })
  const schemaChange = change && {
    name: nameOf(change.file.path),
    path: change.file.path,
    before: change.file.text,
    after: change.after,
    added: change.added.join('\n\n'),
    fallback: 'Without these lines, nothing is generated.',
  }
  const nodeTypes =
    mount.module === undefined
      ? undefined
      : nodeTypesNote(tsconfig, detected.adapter, mount.module, findInstalled('typescript', app.root)?.version)
  const installs = installCommands(app, { schema, options, adapter, driver: mount.driver })
  return {
    summary: `Found the schema ${nameOf(schema.path)} and ${describe(detected)}.`,
    changes: [...(schemaChange ? [schemaChange] : []), ...(await Promise.all(files))],
    notes: [
      ...schema.notes,
      ...notes,
      ...chosen.notes,
      ...mount.notes,
      ...tsconfigNotes(tsconfig, detected.adapter),
      ...(nodeTypes === undefined ? [] : [nodeTypes]),
    ],
    steps: [
      ...installs.map((text) => ({ text })),
      { text: runCommand(app.root, `prisma generate${schema.flag}`) },
      ...mount.steps,
    ],
  }
}

function describe(framework: Framework): string {
  if (framework.package === undefined) return `no framework with an adapter, so the routes use ${framework.name}`
  return `${framework.name} (${framework.package} in package.json)`
}

/** Chooses the adapter for the mount file: that of the framework, unless the existing routes generator sets a different one. */
function chooseAdapter(
  detected: Framework,
  options: Options,
  existing: boolean,
): { readonly adapter: Adapter | undefined; readonly notes: readonly string[] } {
  const [first] = options.adapters
  if (!existing || options.adapters.includes(detected.adapter)) return { adapter: detected.adapter, notes: [] }
  // A dependency on Hono is only weak evidence, because every app with generated routes has it. So is the lack of a framework.
  const weak = detected.package === undefined || detected.adapter === 'hono'
  if (weak && first !== undefined) return { adapter: first, notes: [] }
  const adapterList = options.adapters.map((adapter) => JSON.stringify(adapter)).join(', ')
  const note =
    `The routes generator of your schema has adapters = [${adapterList}], but the app uses ${frameworkName(detected.adapter)}. ` +
    `Add "${detected.adapter}" to the adapters, and run \`routewright init\` again to create the file that mounts the routes.`
  return { adapter: undefined, notes: [note] }
}
