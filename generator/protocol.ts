import type { Readable } from 'node:stream'

import type { GeneratorOptions } from '@prisma/generator-helper'

import type { GenerateInput } from './generate.js'
import { DEFAULT_OUTPUT } from './options.js'
import { assertPrisma7 } from './project/prisma-version.js'
import { blockFromPrisma } from './schema/block-from-prisma.js'
import { schemaFromDmmf } from './schema/from-dmmf.js'
import { packageVersion } from './version.js'
import { planRoutes, writeRoutes } from './write-routes.js'

/** A request of Prisma's generator protocol: JSON-RPC with one message per line. */
type GeneratorRequest =
  | { readonly id: number; readonly method: 'getManifest' }
  | { readonly id: number; readonly method: 'generate'; readonly params: GeneratorOptions }

/**
 * Serves Prisma's generator protocol on stdin and stderr until stdin ends. Messages for the user are written to stdout, because Prisma
 * shows a generator's stderr only if the generator fails. `generatorHandler` of `@prisma/generator-helper` would parse the messages
 * completely, which takes longer than the rest of a run without changes.
 */
export async function serveGenerator(): Promise<void> {
  for await (const line of readLines(process.stdin)) {
    const request = parseRequest(line)
    const response = await handleRequest(request).catch((error: unknown) => ({ error: describeError(error) }))
    process.stderr.write(`${JSON.stringify({ jsonrpc: '2.0', ...response, id: request.id })}\n`)
  }
}

async function handleRequest(request: GeneratorRequest): Promise<object> {
  if (request.method === 'getManifest') {
    return {
      result: { manifest: { prettyName: 'Routes', version: packageVersion(), defaultOutput: DEFAULT_OUTPUT } },
    }
  }
  await generateRoutes(request.params)
  return {}
}

async function generateRoutes(options: GeneratorOptions): Promise<void> {
  const { schemaPath } = options
  assertPrisma7(schemaPath)
  const input: GenerateInput = {
    generator: blockFromPrisma(options.generator),
    otherGenerators: options.otherGenerators.map(blockFromPrisma),
    schema: schemaFromDmmf({
      dmmf: options.dmmf,
      datamodel: options.datamodel,
      provider: options.datasources[0]?.provider ?? '',
      schemaPath,
    }),
    // With `prisma generate --generator routes`, Prisma does not pass the other generators.
    loadGenerators: async () => (await import('./load-schema.js')).loadGenerators(schemaPath),
  }
  await writeRoutes(await planRoutes(input), (line) => console.log(line))
  const { topChanges: changeLines } = await import('./changes/summary.js')
  for (const line of await changeLines([input])) console.log(`routewright: ${line}`)
}

function describeError(error: unknown): object {
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { code: -32_000, message, data: { stack } }
}

/**
 * Parses a request without `dmmf.schema`, the types of Prisma's query language. For 100 models, they are 13 of 14 MB. Quotation marks are
 * escaped in JSON strings, so that the searched text can only be at these properties.
 */
export function parseRequest(line: Buffer): GeneratorRequest {
  const start = line.indexOf('"schema":{"inputObjectTypes":')
  const end = line.lastIndexOf('"mappings":{"modelOperations":')
  return JSON.parse(
    start > 0 && end > start ? `${line.toString('utf8', 0, start)}${line.toString('utf8', end)}` : line.toString(),
  )
}

async function* readLines(input: Readable): AsyncGenerator<Buffer> {
  let chunks: Buffer[] = []
  for await (const data of input) {
    let chunk: Buffer = data
    for (let end = chunk.indexOf('\n'); end >= 0; end = chunk.indexOf('\n')) {
      yield Buffer.concat([...chunks, chunk.subarray(0, end)])
      chunks = []
      chunk = chunk.subarray(end + 1)
    }
    if (chunk.length > 0) chunks.push(chunk)
  }
}
