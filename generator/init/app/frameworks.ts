import type { Adapter } from '../../options.js'
import type { AppFolder } from './app-folder.js'

/** The framework of an app. */
export interface Framework {
  readonly adapter: Adapter
  /** The name for messages. */
  readonly name: string
  /** The package that indicates the framework. Undefined if the framework is a guess. */
  readonly package?: string
}

/**
 * The packages that indicate a framework. More specific ones come first: a Next app may depend on Express. Hono is last, because every app
 * with generated routes depends on it.
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

/** Packages and files that indicate the Fetch API instead of Node's server in an app without a framework. */
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

/** Detects an app's framework from its dependencies. Without a framework, returns the Fetch API or Node's server. */
export function detectFramework({ manifest, exists }: Pick<AppFolder, 'manifest' | 'exists'>): Framework {
  const found = FRAMEWORKS.find((framework) => manifest.packages.has(framework.package))
  if (found) return found
  const web = WEB_PACKAGES.some((name) => manifest.packages.has(name)) || WEB_FILES.some(exists)
  return web ? { adapter: 'fetch', name: 'the Fetch API' } : { adapter: 'node', name: "Node's HTTP server" }
}

/** Returns the name of an adapter's framework. */
export function frameworkName(adapter: Adapter): string {
  return FRAMEWORKS.find((framework) => framework.adapter === adapter)?.name ?? adapter
}
