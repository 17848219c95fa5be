import type { Adapter } from '../../options.js'
import { HANDLER, type MountFile } from './mount-file.js'

/** The inputs for the text of the file that mounts the routes. */
export interface MountSource extends Pick<MountFile, 'file' | 'form' | 'prefix'> {
  readonly adapter: Adapter
  /** The import specifiers of the adapter's file, the routes' index and the runtime. */
  readonly from: { readonly adapter: string; readonly index: string; readonly runtime: string }
  /** The import of the app's Prisma client, and whether Nest injects it. */
  readonly client: { readonly statement: string; readonly name: string; readonly injected: boolean }
  /** Whether RPC routes are emitted. Without it, the REST handler must be passed explicitly. */
  readonly rpc: boolean
  /** Whether Nest runs on Fastify, and whether Express's types are installed. */
  readonly nest: { readonly fastify: boolean; readonly expressTypes: boolean }
}

/** The most common URL of an app in development. */
const LOCAL = 'http://localhost:3000'

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/** Returns the unformatted text of the file that mounts the routes. */
export function renderMountSource(mount: MountSource): string {
  const { imports, body } = FILES[mount.adapter](mount)
  const { from, client, rpc, adapter } = mount
  const lines = [
    ...imports,
    `import { ${HANDLER[adapter]} } from '${from.adapter}'`,
    ...(rpc ? [] : [`import { RestApiHandler } from '${from.index}'`]),
    client.statement,
    '',
    ...(rpc ? [`// Serves RPC. For REST, add \`handler: ${restHandler(mount)}\`, imported from '${from.index}'.`] : []),
    "// Anyone who can send requests here can use all routes. Add your app's authentication in front of them.",
    ...body,
    '',
  ]
  return lines.join('\n')
}

/** The parts of the file that depend on the framework. */
interface Parts {
  readonly imports: readonly string[]
  readonly body: readonly string[]
}

const FILES: Readonly<Record<Adapter, (mount: MountSource) => Parts>> = {
  hono: (mount) =>
    mount.form === 'part'
      ? part(mount)
      : {
          imports: ["import { Hono } from 'hono'"],
          body: ['const app = new Hono()', `app.route('${mount.prefix}', ${call(mount)})`, 'export default app'],
        },
  fetch: (mount) =>
    mount.form === 'part'
      ? part(mount, getPrefix(mount))
      : { imports: [], body: [`export default { fetch: ${call(mount, getPrefix(mount))} }`] },
  node: (mount) =>
    mount.form === 'part'
      ? part(mount, getPrefix(mount))
      : {
          imports: ["import { createServer } from 'node:http'"],
          body: [`createServer(${call(mount, getPrefix(mount))}).listen(3000)`],
        },
  express: (mount) =>
    mount.form === 'part'
      ? part(mount)
      : {
          imports: ["import express from 'express'"],
          body: ['const app = express()', `app.use('${mount.prefix}', ${call(mount)})`, 'app.listen(3000)'],
        },
  // Uses no top-level `await`, which CommonJS does not support.
  fastify: (mount) =>
    mount.form === 'part'
      ? part(mount)
      : {
          imports: ["import fastify from 'fastify'"],
          body: [
            'const app = fastify({ logger: true })',
            `app.register(${call(mount)}, { prefix: '${mount.prefix}' })`,
            'app.listen({ port: 3000 }).catch((error: unknown) => {',
            '  app.log.error(error)',
            '  process.exitCode = 1',
            '})',
          ],
        },
  elysia: (mount) =>
    mount.form === 'part'
      ? part(mount, getPrefix(mount))
      : {
          imports: ["import { Elysia } from 'elysia'"],
          body: [`export const app = new Elysia().use(${call(mount, getPrefix(mount))})`],
        },
  // The file name distinguishes Next's app router from its pages router.
  next: (mount) => ({
    imports: [],
    body: mount.file.endsWith('/route.ts')
      ? [`export const { ${METHODS} } = ${call(mount, 'useAppDir: true', getPrefix(mount))}`]
      : [`export default ${call(mount, getPrefix(mount))}`],
  }),
  sveltekit: (mount) =>
    mount.form === 'part'
      ? part(mount, getPrefix(mount))
      : { imports: [], body: [`export const handle = ${call(mount, getPrefix(mount))}`] },
  nuxt: (mount) => ({ imports: [], body: [`export default ${call(mount, getPrefix(mount))}`] }),
  'tanstack-start': (mount) => ({
    imports: ["import { createFileRoute } from '@tanstack/react-router'"],
    body: [
      `export const Route = createFileRoute('${mount.prefix}/$')({`,
      `  server: { handlers: ${call(mount, getPrefix(mount))} },`,
      '})',
    ],
  }),
  nest: nestController,
}

/** Exports the handler as `api`, for the app to use. */
function part(mount: MountSource, ...options: readonly string[]): Parts {
  return { imports: [], body: [`export const api = ${call(mount, ...options)}`] }
}

function nestController(mount: MountSource): Parts {
  const { client, nest, from } = mount
  const express = nest.expressTypes && !nest.fastify
  const [request, response] = express ? ['Request', 'Response'] : ['NestRequest', 'NestResponse']
  return {
    imports: [
      "import { All, Controller, Req, Res } from '@nestjs/common'",
      `import type { ${request}, ${response} } from '${express ? 'express' : `${from.runtime}/nest`}'`,
    ],
    body: [
      `@Controller('${mount.prefix.slice(1)}')`,
      'export class ApiController {',
      "  // `prefix` is the full path, including the app's global prefix.",
      `  readonly #api = ${call(mount, getPrefix(mount))}`,
      '',
      ...(client.injected ? [`  constructor(private readonly prisma: ${client.name}) {}`, ''] : []),
      `  @All('${nest.fastify ? '*' : '*path'}')`,
      `  serve(@Req() req: ${request}, @Res() res: ${response}) {`,
      '    return this.#api(req, res)',
      '  }',
      '}',
    ],
  }
}

/** Returns the call that creates the framework's handler. */
function call(mount: MountSource, ...options: readonly string[]): string {
  const { client, rpc, adapter } = mount
  const getOrm = `getOrm: () => ${client.injected ? 'this.prisma' : client.name}`
  const handler = rpc ? [] : [`handler: ${restHandler(mount)}`]
  return `${HANDLER[adapter]}({ ${[getOrm, ...options, ...handler].join(', ')} })`
}

function getPrefix({ prefix }: MountSource): string {
  return `prefix: '${prefix}'`
}

/** The REST handler needs the public URL of the API. */
function restHandler({ prefix }: MountSource): string {
  return `RestApiHandler({ endpoint: '${LOCAL}${prefix}' })`
}
