/**
 * Measures the browser bundles of the typed clients, minified. As a program (`npm run client-table`), prints the table and writes it into
 * docs/rpc-client.md.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'

import { build } from 'esbuild'

import { type Bundle, formatTable } from './bundle-table.js'
import { replaceTable } from './page-table.js'

/** The page that contains the table. */
export const CLIENT_PAGE = fileURLToPath(new URL('../docs/rpc-client.md', import.meta.url))

/** The line above the table. */
export const CLIENT_MARKER = '<!-- client sizes -->'

const ROOT = fileURLToPath(new URL('..', import.meta.url))

/** Row name → source of an app that uses the client. */
const APPS: Readonly<Record<string, string>> = {
  RPC: "import { createRpcClient } from './client/index.js'\nexport const api = createRpcClient({ url: '/api/rpc' })\n",
  REST: "import { createRestClient } from './client/index.js'\nexport const rest = createRestClient({ url: '/api/rest' })\n",
}

/** Encoding and decoding of values that JSON lacks: shared by both clients and measured separately. */
const CODEC = "export { decode } from './client/codec/decode.js'\nexport { encode } from './client/codec/encode.js'\n"

/** Loaded by the REST client with the first filter that needs an expression. */
const EXPRESSION_ENTRY = "export { buildExpression } from './client/rest/expression.js'\n"

/** Loaded by the REST client with the first `$operations` call. */
const OPERATIONS = "export { runOperations } from './client/rest/operations.js'\n"

/** A module bundled for browsers. */
export interface BrowserBundle {
  readonly text: string
  /** The bundled files. */
  readonly inputs: readonly string[]
}

/**
 * Bundles a module for browsers. Fails if it imports a Node module.
 * @param without pattern of import paths to exclude
 */
export async function bundleForBrowser(contents: string, without = /$^/): Promise<BrowserBundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    absWorkingDir: ROOT,
    plugins: [
      {
        name: 'without',
        setup: ({ onResolve }) => onResolve({ filter: without }, ({ path }) => ({ path, external: true })),
      },
    ],
  })
  return { text: outputFiles[0]?.text ?? '', inputs: Object.keys(metafile.inputs).filter((file) => file !== '<stdin>') }
}

/** Bundles each client. Encoding and decoding of values have a separate row. */
export async function measureClients(): Promise<readonly Bundle[]> {
  const clients = Object.entries(APPS).map(async ([name, app]) => ({
    name,
    ...toSize(await bundleForBrowser(app, /(codec\/(encode|decode)|^\.\/(expression|operations))\.js$/)),
  }))
  return [
    ...(await Promise.all(clients)),
    {
      name: 'loaded by REST with the first `AND`, `OR` or `NOT`',
      ...toSize(await bundleForBrowser(EXPRESSION_ENTRY, /codec\/(encode|decode)\.js$/)),
    },
    {
      name: 'loaded by REST with the first `$operations` call',
      ...toSize(await bundleForBrowser(OPERATIONS, /(codec\/(encode|decode)|^\.\/(resources|body|id|match))\.js$/)),
    },
    { name: 'value encoding, in each client', ...toSize(await bundleForBrowser(CODEC)) },
  ]
}

function toSize({ text }: BrowserBundle): Omit<Bundle, 'name'> {
  return { minified: Buffer.byteLength(text), gzip: gzipSync(text).byteLength }
}

async function main(): Promise<void> {
  const table = await formatTable(await measureClients())
  console.log(table)
  await writeFile(CLIENT_PAGE, replaceTable(await readFile(CLIENT_PAGE, 'utf8'), CLIENT_MARKER, table))
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main()
