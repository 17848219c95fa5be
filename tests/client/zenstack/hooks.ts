import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

import type { Context } from 'react'
import type SuperJSON from 'superjson'

import type { SchemaDefinition } from './schema.js'

const PACKAGES = join(import.meta.dirname, 'node_modules')

/** The exports of ZenStack's hooks for React that are tested here. Their own types depend on a schema in ZenStack's language. */
export interface Hooks {
  readonly QuerySettingsContext: Context<{ endpoint: string; fetch: typeof fetch | undefined }>
  useClientQueries(schema: SchemaDefinition): Readonly<Record<string, ModelHooks>> & {
    readonly $transaction: { useSequential(options?: object): Mutation }
  }
}

/** The hooks of one model. */
export interface ModelHooks {
  useFindMany(args?: object, options?: object): Query
  useFindUnique(args: object, options?: object): Query
  useInfiniteFindMany(args: object, options: object): Query & { fetchNextPage(): Promise<unknown> }
  useCount(args?: object): Query
  useGroupBy(args: object): Query
  useExists(args?: object): Query
  useCreate(options?: object): Mutation
  useUpdate(options?: object): Mutation
  useUpsert(options?: object): Mutation
  useDelete(options?: object): Mutation
  useDeleteMany(options?: object): Mutation
}

/** The result of a hook that reads. */
export interface Query {
  readonly data: unknown
  readonly error: unknown
}

/** The result of a hook that writes. */
export interface Mutation {
  mutateAsync(args: unknown): Promise<unknown>
}

/** Whether the hooks are installed: `npm ci --prefix tests/client/zenstack`, as in `.ci/run`. */
export const hasHooks = isInstalled()

function isInstalled(): boolean {
  const installed = existsSync(join(PACKAGES, '.package-lock.json'))
  if (!installed) console.log('The hooks of tests/client/zenstack are not installed: they are left out')
  return installed
}

/** Loads the hooks. React requires a document when it is loaded, so this defines one of happy-dom for the process. */
export async function loadHooks(): Promise<Hooks> {
  const { Window } = (await load('happy-dom/lib/index.js')) as {
    Window: new () => { readonly document: object; readonly navigator: object }
  }
  const window = new Window()
  const { document, navigator } = window
  for (const [name, value] of Object.entries({ window, document, navigator })) {
    // Node may define its own read-only navigator.
    Object.defineProperty(globalThis, name, { value, configurable: true })
  }
  // The hooks register Decimals and Prisma's nulls, but not Bytes.
  const { default: superjson } = (await load('superjson/dist/index.js')) as { default: typeof SuperJSON }
  superjson.registerCustom<Uint8Array, string>(
    {
      isApplicable: (value) => value instanceof Uint8Array,
      serialize: (bytes) => Buffer.from(bytes).toString('base64'),
      deserialize: (text) => new Uint8Array(Buffer.from(text, 'base64')),
    },
    'Bytes',
  )
  return (await load('@zenstackhq/tanstack-query/dist/react.js')) as Hooks
}

function load(path: string): Promise<unknown> {
  return import(pathToFileURL(join(PACKAGES, path)).href)
}
