import type { Adapter } from '../options.js'

/** The imports of an adapter's file, in addition to the index. The rest of the file is in the template with the adapter's name. */
export interface AdapterImports {
  /** Types of the framework or platform. */
  readonly framework?: { readonly from: string; readonly types: readonly string[] }
  /** Types of the adapter's module in the runtime. */
  readonly types: readonly string[]
  /** Functions of the adapter's module in the runtime. */
  readonly values: readonly string[]
}

/** The imports of each adapter's file. */
export const ADAPTER_IMPORTS: Readonly<Record<Adapter, AdapterImports>> = {
  elysia: {
    framework: { from: 'elysia', types: ['Elysia'] },
    types: ['ElysiaHandlerOptions'],
    values: ['elysiaHandler'],
  },
  express: {
    framework: { from: 'express', types: ['RequestHandler'] },
    types: ['ExpressHandlerOptions'],
    values: ['expressHandler'],
  },
  fastify: {
    framework: { from: 'fastify', types: ['FastifyPluginAsync'] },
    types: ['FastifyHandlerOptions'],
    values: ['fastifyHandler'],
  },
  fetch: { types: ['FetchContextOptions', 'FetchHandler', 'FetchHandlerOptions'], values: ['fetchHandler'] },
  hono: { framework: { from: 'hono', types: ['Hono'] }, types: ['HonoHandlerOptions'], values: ['honoHandler'] },
  nest: {
    framework: { from: '@nestjs/common', types: ['DynamicModule'] },
    types: ['NestHandler', 'NestHandlerOptions', 'NestModuleOptions', 'NestRequest', 'NestHandlerFactoryResult'],
    values: ['nestHandler', 'nestModule'],
  },
  next: {
    framework: { from: 'next', types: ['NextApiHandler'] },
    types: ['NextAppOptions', 'NextPagesOptions', 'NextRouteHandlers'],
    values: ['nextApiRoute', 'nextRouteHandlers'],
  },
  node: {
    framework: { from: 'node:http', types: ['IncomingMessage'] },
    types: ['NodeHandlerOptions', 'NodeListener', 'NodeRequest'],
    values: ['nodeHandler'],
  },
  nuxt: { types: ['NuxtHandler', 'NuxtHandlerOptions'], values: ['nuxtHandler'] },
  sveltekit: {
    framework: { from: '@sveltejs/kit', types: ['Handle'] },
    types: ['SvelteKitHandlerOptions'],
    values: ['svelteKitHandler'],
  },
  'tanstack-start': {
    types: ['TanStackStartContext', 'TanStackStartHandlerOptions', 'TanStackStartHandlers'],
    values: ['tanStackStartHandlers'],
  },
}
