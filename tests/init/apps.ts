/** The `tsconfig.json` of an app that runs in Node. */
export const NODE = JSON.stringify({ compilerOptions: { module: 'nodenext' } })
/** The `tsconfig.json` of a bundled app. */
export const BUNDLER = JSON.stringify({ compilerOptions: { module: 'esnext', moduleResolution: 'bundler' } })

/** An app of a framework, and the files that `init` adds. */
export interface App {
  readonly adapter: string
  readonly packages: readonly string[]
  readonly tsconfig: string
  readonly files?: Readonly<Record<string, string>>
  /** The file that mounts the routes. */
  readonly mount: string
  /** The folder of the routes. */
  readonly output: string
  /** The file that creates the client, if `init` writes it. */
  readonly db?: string
  /** The app's own file for the lines that the last step shows. */
  readonly host?: string
}

const clientModule = (from: string) => `import { PrismaClient } from '${from}'
export const db = new PrismaClient({ adapter: {} as never })
`

/** Apps of every framework: new ones, and some with files at the default paths of `init`. */
export const APPS: Readonly<Record<string, App>> = {
  hono: {
    adapter: 'hono',
    packages: ['hono'],
    tsconfig: NODE,
    mount: 'src/index.ts',
    output: 'src/routes',
    db: 'src/db.ts',
  },
  'hono-app': {
    adapter: 'hono',
    packages: ['hono'],
    tsconfig: NODE,
    files: { 'src/index.ts': "import { Hono } from 'hono'\nconst app = new Hono()\nexport default app\n" },
    mount: 'src/api.ts',
    output: 'src/routes',
    db: 'src/db.ts',
    host: 'src/index.ts',
  },
  express: {
    adapter: 'express',
    packages: ['express'],
    tsconfig: NODE,
    mount: 'src/index.ts',
    output: 'src/routes',
    db: 'src/db.ts',
  },
  // Has routes at the default path of `init`, and already creates a client.
  'express-app': {
    adapter: 'express',
    packages: ['express', 'hono'],
    tsconfig: NODE,
    files: {
      'src/server.ts': "import express from 'express'\nconst app = express()\napp.listen(3000)\n",
      'src/routes/index.ts': 'export const own = 1\n',
      'src/lib/prisma.ts': clientModule('../generated/prisma/client.js'),
    },
    mount: 'src/api.ts',
    output: 'src/prisma-routes',
    host: 'src/server.ts',
  },
  fastify: {
    adapter: 'fastify',
    packages: ['fastify'],
    tsconfig: NODE,
    mount: 'src/index.ts',
    output: 'src/routes',
    db: 'src/db.ts',
  },
  'fastify-app': {
    adapter: 'fastify',
    packages: ['fastify', '@fastify/autoload'],
    tsconfig: NODE,
    files: { 'src/app.ts': "import Fastify from 'fastify'\nconst app = Fastify()\n" },
    mount: 'src/api.ts',
    output: 'src/prisma-routes',
    db: 'src/db.ts',
    host: 'src/app.ts',
  },
  elysia: {
    adapter: 'elysia',
    packages: ['elysia'],
    tsconfig: NODE,
    mount: 'src/index.ts',
    output: 'src/routes',
    db: 'src/db.ts',
  },
  'elysia-app': {
    adapter: 'elysia',
    packages: ['elysia'],
    tsconfig: NODE,
    files: { 'src/index.ts': "import { Elysia } from 'elysia'\nconst app = new Elysia()\n" },
    mount: 'src/api.ts',
    output: 'src/routes',
    db: 'src/db.ts',
    host: 'src/index.ts',
  },
  node: { adapter: 'node', packages: [], tsconfig: NODE, mount: 'src/index.ts', output: 'src/routes', db: 'src/db.ts' },
  fetch: {
    adapter: 'fetch',
    packages: ['wrangler'],
    tsconfig: NODE,
    files: { 'src/index.ts': 'export default {}\n' },
    mount: 'src/api.ts',
    output: 'src/routes',
    db: 'src/db.ts',
  },
  nest: {
    adapter: 'nest',
    packages: ['@nestjs/common', '@nestjs/platform-express', '@types/express', 'express'],
    tsconfig: NODE,
    mount: 'src/api.controller.ts',
    output: 'src/routes',
    db: 'src/db.ts',
  },
  'nest-service': {
    adapter: 'nest',
    packages: ['@nestjs/common', '@nestjs/platform-fastify'],
    tsconfig: NODE,
    files: {
      'src/prisma/prisma.service.ts': `import { Injectable } from '@nestjs/common'
import { PrismaClient } from '../generated/prisma/client.js'
@Injectable()
export class PrismaService extends PrismaClient {
  constructor() {
    super({ adapter: {} as never })
  }
}
`,
    },
    mount: 'src/api.controller.ts',
    output: 'src/routes',
  },
  next: {
    adapter: 'next',
    packages: ['next', 'react', 'hono'],
    tsconfig: JSON.stringify({
      compilerOptions: { module: 'esnext', moduleResolution: 'bundler', paths: { '@/*': ['./src/*'] } },
    }),
    files: { 'src/app/layout.tsx': 'export default null\n' },
    mount: 'src/app/api/[...path]/route.ts',
    output: 'src/routes',
    db: 'src/db.ts',
  },
  // Has its own catch-all route.
  'next-pages': {
    adapter: 'next',
    packages: ['next'],
    tsconfig: BUNDLER,
    files: { 'src/pages/api/[...all].ts': 'export default null\n' },
    mount: 'src/pages/api/prisma/[...path].ts',
    output: 'src/routes',
    db: 'src/db.ts',
  },
  nuxt: {
    adapter: 'nuxt',
    packages: ['nuxt'],
    tsconfig: BUNDLER,
    mount: 'server/api/[...].ts',
    output: 'server/prisma-routes',
    db: 'server/db.ts',
  },
  sveltekit: {
    adapter: 'sveltekit',
    packages: ['@sveltejs/kit'],
    tsconfig: BUNDLER,
    mount: 'src/hooks.server.ts',
    output: 'src/lib/server/routes',
    db: 'src/lib/server/db.ts',
  },
  'sveltekit-hooks': {
    adapter: 'sveltekit',
    packages: ['@sveltejs/kit'],
    tsconfig: BUNDLER,
    files: { 'src/hooks.server.ts': '\n' },
    mount: 'src/lib/server/api.ts',
    output: 'src/lib/server/routes',
    db: 'src/lib/server/db.ts',
    host: 'src/hooks.server.ts',
  },
  'tanstack-start': {
    adapter: 'tanstack-start',
    packages: ['@tanstack/react-start', '@tanstack/react-router'],
    tsconfig: BUNDLER,
    mount: 'src/routes/api.$.ts',
    output: 'src/prisma-routes',
    db: 'src/db.ts',
  },
}
