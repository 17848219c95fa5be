import type { Adapter } from '../../options.js'
import type { AppFolder } from './app-folder.js'

/** What an app is served with. */
export interface Framework {
  readonly adapter: Adapter
  /** As people call it. */
  readonly name: string
  /** The package that it was told by; without one it is a guess. */
  readonly package?: string
}

/**
 * A package that tells the framework. What is built on another one stands before it: an app of Next may well depend on
 * Express. Hono is last, because every app with our routes depends on it.
 */
const FRAMEWORKS: readonly Required<Framework>[] = [
  { package: 'next', adapter: 'next', name: 'Next' },
  { package: 'nuxt', adapter: 'nuxt', name: 'Nuxt' },
  { package: '@sveltejs/kit', adapter: 'sveltekit', name: 'SvelteKit' },
  { package: '@tanstack/react-start', adapter: 'tanstack-start', name: 'TanStack Start' },
  { package: '@nestjs/common', adapter: 'nest', name: 'Nest' },
  { package: 'elysia', adapter: 'elysia', name: 'Elysia' },
  { package: 'fastify', adapter: 'fastify', name: 'Fastify' },
  { package: 'express', adapter: 'express', name: 'Express' },
  { package: 'hono', adapter: 'hono', name: 'Hono' },
]

/** What tells that an app without a framework speaks the web's requests, not Node's. */
const WEB_PACKAGES = ['wrangler', '@cloudflare/workers-types', '@types/bun', 'bun-types']
const WEB_FILES = [
  'wrangler.toml',
  'wrangler.json',
  'wrangler.jsonc',
  'deno.json',
  'deno.jsonc',
  'bun.lock',
  'bun.lockb',
]

/** Finds an app's framework among its dependencies; without one, the web's own requests or Node's servers. */
export function detectFramework({ manifest, exists }: Pick<AppFolder, 'manifest' | 'exists'>): Framework {
  const found = FRAMEWORKS.find((framework) => manifest.packages.has(framework.package))
  if (found) return found
  const web = WEB_PACKAGES.some((name) => manifest.packages.has(name)) || WEB_FILES.some(exists)
  return web ? { adapter: 'fetch', name: "the web's requests" } : { adapter: 'node', name: "Node's own server" }
}

/** How an adapter's framework is called. */
export function frameworkName(adapter: Adapter): string {
  return FRAMEWORKS.find((framework) => framework.adapter === adapter)?.name ?? adapter
}
