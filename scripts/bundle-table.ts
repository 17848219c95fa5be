/**
 * Measures the bundle of a worker with the blog's API, minified and without the Prisma client, and the share of each package. As a program
 * (`npm run bundle-table`), prints the table and writes it into docs/performance.md.
 */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'

import { build } from 'esbuild'
import { format } from 'prettier'

import { REST_FEATURES, RPC_FEATURES } from '../generator/features.js'
import { generate } from '../generator/generate.js'
import { loadSchema } from '../generator/load-schema.js'
import { markdownTable, replaceTable, tableCells } from './page-table.js'

/** The page that contains the table. */
export const PAGE = fileURLToPath(new URL('../docs/performance.md', import.meta.url))

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The line above the table. */
export const MARKER = '<!-- bundle -->'

/** A row of the table, in bytes. Parts of a bundle have no `gzip`, because they are compressed together. */
export interface Bundle {
  readonly name: string
  readonly minified: number
  readonly gzip?: number
  /** The packages that the bundle contains. Only of the bundle with REST. */
  readonly packages?: readonly string[]
}

type Style = 'rest' | 'rpc'

/** The packages that the size budget does not include. */
const PACKAGES: readonly string[] = ['hono', 'zod', 'superjson']

/** The emitted handlers and their required options. */
const MOUNTED: Readonly<Record<Style, { readonly handler: string; readonly required: string }>> = {
  rest: { handler: 'RestApiHandler', required: "endpoint: 'https://example.com/rest'," },
  rpc: { handler: 'RPCApiHandler', required: '' },
}

/**
 * Bundles the blog's API with each style and with both, without features unless the row names one. The last rows are the parts of the bundle
 * with both.
 */
export async function measureBundles(): Promise<readonly Bundle[]> {
  const fixture = await readFile(join(ROOT, 'fixtures/blog/schema.prisma'), 'utf8')
  const withJson = withoutFeatures(fixture)
  // Without the Json field, whose filters are a feature.
  const blog = withJson.replace(/^ {2}settings +Json.*\n/m, '')
  const readOnly = blog.replaceAll(/^model /gm, '/// @api.operations(list, get)\n$&')
  await mkdir(join(ROOT, 'tests/.generated'), { recursive: true })
  const folder = await mkdtemp(join(ROOT, 'tests/.generated/bundle-'))
  const measure = async (app: App, external: readonly string[] = []) =>
    bundle(folder, await createApp(folder, { schema: blog, ...app }), external)
  const row = async (name: string, app: App): Promise<Bundle> => ({ name, ...(await measure(app)).size })
  try {
    const hono = await bundle(folder, "import { Hono } from 'hono'\nexport default new Hono()\n")
    const rest = await measure({ styles: ['rest'] })
    const both = await measure({})
    const rows: Bundle[] = [
      { name: 'Hono only', ...hono.size },
      await row('RPC', { styles: ['rpc'] }),
      await row('RPC, with REST also generated', { mounted: ['rpc'] }),
      await row('RPC, only `list` and `get`', { styles: ['rpc'], schema: readOnly }),
      { name: 'REST', ...rest.size, packages: Object.keys(rest.parts) },
      await row('REST, only `list` and `get`', { styles: ['rest'], schema: readOnly }),
      { name: 'both', ...both.size },
    ]
    for (const name of new Set([...REST_FEATURES, ...RPC_FEATURES])) {
      const isNamed = (feature: string) => feature === name
      const enabled = { rest: REST_FEATURES.filter(isNamed), rpc: RPC_FEATURES.filter(isNamed) }
      rows.push(await row(`both, with \`${name}\``, enabled))
    }
    const withoutRules = blog.replaceAll(/@zod\.\S+/g, '')
    rows.push(
      await row('both, with `computed`', { files: ['computed'] }),
      await row('both, with a Json field', { schema: withJson }),
      await row('both, with all features', { schema: fixture }),
      await row('both, with `openApi()`', { options: 'openapi: openApi()' }),
      await row('both, without `@zod` rules in the schema', { schema: withoutRules }),
    )
    // The bundles with a size budget.
    const budgeted: Readonly<Record<string, App>> = {
      both: {},
      REST: { styles: ['rest'] },
      RPC: { styles: ['rpc'] },
      'REST, only `list` and `get`': { styles: ['rest'], schema: readOnly },
      'both, with all features': { schema: fixture },
    }
    for (const [name, app] of Object.entries(budgeted)) {
      rows.push({ name: `${name}, without Hono, zod and superjson`, ...(await measure(app, PACKAGES)).size })
    }
    const parts = Object.entries(both.parts).sort(([, a], [, b]) => b - a)
    return [...rows, ...parts.map(([part, minified]) => ({ name: `part of both: ${part}`, minified }))]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Removes the features and the optional files from the generator block of a schema. */
export function withoutFeatures(schema: string): string {
  return schema.replaceAll(/^ {2}(rest|rpc|files) +=.*\n/gm, '')
}

/** The API of a bundle. Default: both styles of the blog, without features and options. */
interface App {
  readonly schema?: string
  readonly styles?: readonly Style[]
  /** The generated styles that the app mounts. Default: all. */
  readonly mounted?: readonly Style[]
  readonly rest?: readonly string[]
  readonly rpc?: readonly string[]
  readonly files?: readonly string[]
  /** The source text of options for both handlers. */
  readonly options?: string
}

/** Formats rows as a Markdown table. */
export async function formatTable(rows: readonly Bundle[]): Promise<string> {
  const kilobytes = (bytes: number | undefined) => (bytes === undefined ? '' : `${(bytes / 1000).toFixed(1)} kB`)
  const lines = rows.map(({ name, minified, gzip }) => [name, kilobytes(minified), kilobytes(gzip)])
  return format(markdownTable(['', 'minified', 'gzip'], lines), { parser: 'markdown' })
}

/**
 * Parses the table below a marker in a page.
 * @returns the rows, in bytes
 */
export function readTable(page: string, marker = MARKER): readonly Bundle[] {
  return tableCells(page, marker).map(([name = '', minified = '', gzip = '']) => {
    const bytes = (cell: string) => Math.round(Number.parseFloat(cell) * 1000)
    return { name, minified: bytes(minified), ...(gzip !== '' && { gzip: bytes(gzip) }) }
  })
}

/**
 * Generates the routes of an API into a folder.
 * @returns the source of an app that mounts the handlers
 */
async function createApp(
  folder: string,
  { schema: text = '', styles = ['rest', 'rpc'], mounted: used = styles, rest, rpc, files, options = '' }: App,
): Promise<string> {
  const schema = join(folder, 'schema.prisma')
  const lists = Object.entries({ styles, rest, rpc, files }).map(
    ([name, words]) => words && `\n  ${name} = ${JSON.stringify(words)}`,
  )
  const block = `"./routes"\n  format = "none"${lists.join('')}`
  await rm(join(folder, 'routes'), { recursive: true, force: true })
  await writeFile(schema, text.replace('"./expected"', block))
  for (const input of await loadSchema(schema)) {
    const { output, files } = await generate(input)
    for (const file of files) {
      await mkdir(dirname(join(output, file.path)), { recursive: true })
      await writeFile(join(output, file.path), file.text)
    }
  }
  const mounted = used.map((style) => MOUNTED[style])
  return [
    "import { Hono } from 'hono'",
    "import { createHonoHandler } from './routes/hono.js'",
    options === '' ? '' : "import { openApi } from '@routewright/runtime/openapi'",
    `import { ${mounted.map(({ handler }) => handler).join(', ')} } from './routes/index.js'`,
    'const app = new Hono()',
    'const getOrm = (c) => c.env.orm',
    ...mounted.map(
      ({ handler, required }, index) =>
        `app.route('/${index}', createHonoHandler({ getOrm, handler: ${handler}({ ${required} ${options} }) }))`,
    ),
    'export default app\n',
  ].join('\n')
}

// The same options as in Cloudflare's Wrangler.
async function bundle(folder: string, contents: string, external: readonly string[] = []) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: folder },
    bundle: true,
    minify: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    external: ['node:*', ...external],
    conditions: ['workerd', 'worker', 'browser'],
    target: 'es2022',
    absWorkingDir: ROOT,
  })
  const bytes = outputFiles[0]?.contents ?? new Uint8Array()
  const parts: Record<string, number> = {}
  for (const { inputs } of Object.values(metafile.outputs)) {
    for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
      parts[getPart(file)] = (parts[getPart(file)] ?? 0) + bytesInOutput
    }
  }
  return { size: { minified: bytes.byteLength, gzip: gzipSync(bytes).byteLength }, parts }
}

function getPart(file: string): string {
  const [, owner] = /.*node_modules\/(@[^/]+\/[^/]+|[^/]+)/.exec(file) ?? []
  return owner ?? (file.startsWith('runtime/') ? '@routewright/runtime' : "the blog's own files")
}

async function main(): Promise<void> {
  const table = await formatTable(await measureBundles())
  console.log(table)
  await writeFile(PAGE, replaceTable(await readFile(PAGE, 'utf8'), MARKER, table))
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) await main()
