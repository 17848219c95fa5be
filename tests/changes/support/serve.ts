import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

import type { DMMF } from '@prisma/generator-helper'
import { PrismaLibSql } from '@prisma/adapter-libsql'
import { openApi } from '@routewright/runtime/openapi'

import { type ApiSnapshot, createApiSnapshot } from '../../../generator/changes/api-snapshot.js'
import { generate } from '../../../generator/generate.js'
import { readSchema } from '../../../generator/load-schema.js'
import type { OpenApiDocument } from '../../../runtime/openapi/document-types.js'
import { clientClass } from './client.js'
import { rowsOf, valueOf } from './rows.js'
import { tablesOf } from './tables.js'
import { createDatabaseFolder } from '../../support/database-folder.js'

/** The styles of an API. */
export type Style = 'rest' | 'rpc'

/** A request to one of the styles. */
export interface ApiRequest {
  readonly style: Style
  readonly method: string
  /** Relative to the path of the style. */
  readonly path: string
  readonly body?: unknown
  /** The version for `If-Match`. */
  readonly ifMatch?: string
  /** Path of a GET request after a success. Its response is the result. */
  readonly afterwards?: string
}

/** The response to a request. */
export interface ApiResponse {
  readonly status: number
  readonly body: unknown
}

/** A schema that is served in both styles on its own database. */
export interface Served {
  readonly side: ApiSnapshot
  readonly datamodel: DMMF.Datamodel
  readonly documents: Readonly<Record<Style, OpenApiDocument>>
  /** Sends a request. Each request finds the same rows. */
  send(request: ApiRequest): Promise<ApiResponse>
  close(): Promise<void>
}

const GENERATED = path.resolve(import.meta.dirname, '../../.generated')

/** The head of a schema, before its models. */
export const HEAD = `
generator client {
  provider = "prisma-client"
  output   = "./client"
}
generator routes {
  provider = "routewright"
  files    = ["hooks"]
  output   = "./routes"
  format   = "none"
}
datasource db {
  provider = "sqlite"
}
`

/** Returns the API model of a schema. */
export async function sideOf(text: string): Promise<ApiSnapshot> {
  const file = path.join(GENERATED, 'schema.prisma')
  const [input] = await readSchema(file, [{ path: file, text: HEAD + text }])
  if (!input) throw new Error('There is no routes generator.')
  return createApiSnapshot(input, false)
}

interface Handlers {
  RestApiHandler(options: object): Handler
  RPCApiHandler(options: object): Handler
}

interface Handler {
  fetch(request: Request, options: object): Promise<Response>
}

/**
 * Serves a schema.
 * @param text the models
 * @param options the generator blocks and the datasource (default: {@link HEAD}), SQL that empties and fills the tables, and hooks (default:
 *   those that set the required fields that only the server can set)
 */
export async function serve(
  text: string,
  options: { readonly head?: string; readonly rows?: string; readonly hooks?: object } = {},
): Promise<Served> {
  const { head = HEAD } = options
  mkdirSync(GENERATED, { recursive: true })
  const folder = mkdtempSync(path.join(GENERATED, 'project-changes-'))
  const file = path.join(folder, 'schema.prisma')
  const [input] = await readSchema(file, [{ path: file, text: head + text }])
  if (!input) throw new Error('There is no routes generator.')
  const { files, output } = await generate(input)
  for (const one of files) {
    const target = path.join(output, one.path)
    mkdirSync(path.dirname(target), { recursive: true })
    writeFileSync(target, one.text)
  }
  const internals = createRequire(import.meta.url)('@prisma/internals') as typeof import('@prisma/internals')
  const { datamodel } = await internals.getDMMF({ datamodel: [[file, head + text]] })
  const databaseFolder = await createDatabaseFolder()
  const adapter = new PrismaLibSql({ url: `file:${path.join(databaseFolder, 'test.db')}`, intMode: 'bigint' })
  const connection = await adapter.connect()
  const rows = options.rows ?? rowsOf(datamodel)
  await connection.executeScript(`PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; ${tablesOf(datamodel)}\n${rows}`)
  const Client = clientClass(head + text, datamodel)
  const prisma = new (Client as new (options: object) => { $disconnect(): Promise<void> })({ adapter })
  const { RestApiHandler, RPCApiHandler } = (await import(path.join(output, 'index.ts'))) as Handlers
  const { defineHooks } = (await import(path.join(output, 'hooks.ts'))) as { defineHooks(hooks: object): unknown }
  const { hooks = hooksForServerFields(datamodel) } = options
  const appHooks = Object.keys(hooks).length === 0 ? {} : { hooks: defineHooks(hooks) }
  const handlers = {
    rest: RestApiHandler({ endpoint: `${ORIGIN}/rest`, openapi: openApi(), ...appHooks }),
    rpc: RPCApiHandler({ openapi: openApi(), ...appHooks }),
  }
  const fetched = (style: Style, request: Request) =>
    handlers[style].fetch(request, { getOrm: () => prisma, prefix: `/${style}` })
  const documentOf = async (style: Style) =>
    (await (await fetched(style, new Request(`${ORIGIN}/${style}/openapi.json`))).json()) as OpenApiDocument
  let isChanged = false
  return {
    side: createApiSnapshot(input, false),
    datamodel,
    documents: { rest: await documentOf('rest'), rpc: await documentOf('rpc') },
    async send({ style, method, path: below, body, ifMatch, afterwards }) {
      if (isChanged) await connection.executeScript(rows)
      isChanged = false
      const headers = { 'Content-Type': MEDIA[style], ...(ifMatch !== undefined && { 'If-Match': ifMatch }) }
      const sent = body === undefined ? {} : { body: JSON.stringify(body), headers }
      const response = await fetched(style, new Request(`${ORIGIN}/${style}${below}`, { method, ...sent }))
      // A rejected request does not change rows.
      isChanged = method !== 'GET' && (response.ok || response.status >= 500)
      if (afterwards === undefined || !response.ok) return await readResponse(response)
      return await readResponse(await fetched(style, new Request(`${ORIGIN}/${style}${afterwards}`)))
    },
    async close() {
      await prisma.$disconnect()
      await connection.dispose()
      for (const path of [folder, databaseFolder]) rmSync(path, { recursive: true, force: true })
    },
  }
}

/** Returns the hooks that an app with this schema needs: they set the required fields that only the server can set. */
function hooksForServerFields({ models, enums }: DMMF.Datamodel) {
  const entries = models.flatMap((model) => {
    const fields = model.fields.filter(
      ({ documentation, isRequired, hasDefaultValue }) =>
        documentation?.includes('@api.serverSet') && isRequired && !hasDefaultValue,
    )
    const values = Object.fromEntries(fields.map((field) => [field.name, valueOf(model, field, 1, enums)]))
    const before = ({ data }: { readonly data: object }) => ({ ...data, ...values })
    return fields.length === 0 ? [] : [[model.name, { create: { before } }] as const]
  })
  return Object.fromEntries(entries)
}

async function readResponse(response: Response): Promise<ApiResponse> {
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

const ORIGIN = 'https://example.com'

const MEDIA: Readonly<Record<Style, string>> = { rest: 'application/vnd.api+json', rpc: 'application/json' }
