import path from 'node:path'

import { relativePath } from '../../emit/import-paths.js'
import { type Options, readOptions } from '../../options.js'
import type { Adapter } from '../../options.js'
import { type GeneratorBlock, isClientGenerator } from '../../schema/generator-block.js'
import { initError } from '../init-error.js'
import type { FoundSchema, SchemaFile } from './find-schema.js'
import type { Layout } from '../app/layout.js'
import { type Block, type BlockOptions, findBlocks, generatorBlock, insertBlocks } from './blocks.js'

/** The changes to the schema. */
export interface SchemaPlan {
  /** The changed file. Undefined if the schema needs no change. */
  readonly change: { readonly file: SchemaFile; readonly after: string; readonly added: readonly string[] } | undefined
  /** The options of the existing or new routes generator. */
  readonly options: Options
  /** The existing or new client generators, with absolute outputs. */
  readonly clients: readonly GeneratorBlock[]
  readonly notes: readonly string[]
}

/**
 * Plans the blocks to add to the schema. They are placed after the client generator or, if there is none, after the datasource or at the end.
 * An existing routes generator is not changed.
 * @param root the app's folder
 * @throws GeneratorError if an existing routes generator has invalid options
 */
export function planSchema(schema: FoundSchema, root: string, adapter: Adapter, layout: Layout): SchemaPlan {
  const existing = schema.routes[0]
  const options = existing && readOptions(existing)
  const clients = schema.otherGenerators.filter(isClientGenerator)
  const anchor = findAnchor(schema, clients[0])
  const folder = path.dirname(anchor.file.path)
  const notes: string[] = []
  const added: string[] = []
  const taken = [...schema.routes, ...schema.otherGenerators].map(({ name }) => name)

  let allClients = clients
  if (clients.length === 0 && options?.clientImport === undefined) {
    const output = path.join(root, layout.client)
    const name = findFreeName(['client', 'prismaClient'], taken)
    added.push(generatorBlock(name, { provider: 'prisma-client', output: relativePath(folder, output) }))
    allClients = [
      {
        name,
        provider: 'prisma-client',
        output,
        isCustomOutput: true,
        previewFeatures: [],
        config: {},
        file: anchor.file.path,
      },
    ]
    notes.push(
      'The schema has no client generator. The routes import the Prisma client, so a client generator is added.',
    )
  }
  if (options) return { change: createChange(anchor, added), options, clients: allClients, notes }

  const output = path.join(root, layout.output)
  const [only, ...more] = allClients
  const config: BlockOptions = {
    ...(adapter === 'hono' ? {} : { adapters: [adapter] }),
    ...(only && more.length > 0 ? { client: only.name } : {}),
  }
  if (only && more.length > 0) {
    const names = allClients.map(({ name }) => name).join(', ')
    notes.push(`The schema has several client generators (${names}). The routes use ${only.name}.`)
  }
  const name = findFreeName(['routes', 'routewright'], taken)
  added.push(generatorBlock(name, { provider: 'routewright', output: relativePath(folder, output), ...config }))
  const generator = { name, output, config, file: anchor.file.path }
  return { change: createChange(anchor, added), options: readOptions(generator), clients: allClients, notes }
}

interface Anchor {
  readonly file: SchemaFile
  readonly block: Block | undefined
}

function findAnchor(schema: FoundSchema, client: GeneratorBlock | undefined): Anchor {
  const blocks = schema.files.flatMap((file) => findBlocks(file.text).map((block) => ({ file, block })))
  const found =
    blocks.find(({ block }) => client !== undefined && block.kind === 'generator' && block.name === client.name) ??
    blocks.find(({ block }) => block.kind === 'datasource')
  const [file] = schema.files
  if (found) return found
  if (file) return { file, block: undefined }
  throw initError(`${schema.path} does not contain a schema file.`, 'Add a file with the extension .prisma.')
}

function createChange({ file, block }: Anchor, added: readonly string[]): SchemaPlan['change'] {
  return added.length === 0 ? undefined : { file, after: insertBlocks(file.text, block, added), added }
}

function findFreeName(names: readonly string[], taken: readonly string[]): string {
  const last = names.at(-1) ?? ''
  for (let serial = 2; ; serial++) {
    const name = [...names, `${last}${serial}`].find((each) => !taken.includes(each))
    if (name !== undefined) return name
  }
}
