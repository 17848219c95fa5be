import { GENERATED_HEADER } from '../../emit/files.js'
import type { Adapter } from '../../options.js'
import { stripComments } from '../app/find-client.js'
import { isModuleNameFree, join, type Layout, type LayoutInput } from '../app/layout.js'

/** The location of the file that mounts the routes. */
export interface MountFile {
  /** Path relative to the app's folder. */
  readonly file: string
  /** `whole`: the file is complete, and the framework or runtime loads it. `part`: the app must use its export. */
  readonly form: 'whole' | 'part'
  /** The path prefix of the routes. */
  readonly prefix: string
  /** The app's file that should use a `part`, if one was found. */
  readonly host?: string
}

/** The function that each adapter's file exports. */
export const HANDLER: Readonly<Record<Adapter, string>> = {
  elysia: 'createElysiaHandler',
  express: 'createExpressHandler',
  fastify: 'createFastifyHandler',
  fetch: 'createFetchHandler',
  hono: 'createHonoHandler',
  nest: 'createNestHandler',
  next: 'createNextHandler',
  node: 'createNodeHandler',
  nuxt: 'createNuxtHandler',
  sveltekit: 'createSvelteKitHandler',
  'tanstack-start': 'createTanStackStartHandler',
}

/** Matches the code that creates the app or server in which the routes must be mounted. */
const APP_CONSTRUCTION = {
  elysia: /\bnew\s+Elysia\b/,
  express: /\bexpress\s*\(\s*\)/,
  fastify: /\bfastify\s*\(/i,
  fetch: /\bexport\s+default\b|\b(Bun|Deno)\.serve\s*\(/,
  hono: /\bnew\s+(OpenAPI)?Hono\b/,
  node: /\bcreate(Secure)?Server\s*\(/,
} as const satisfies Partial<Record<Adapter, RegExp>>

const NON_APP_FILES = /(^|\/)(tests?|__tests__|e2e|scripts?|examples?|prisma)\/|\.(test|spec|config)\.|(^|\/)seed\./
const PREFIXES = ['/api', '/api/prisma']

/** Finds the app's file that already mounts the routes with one of these adapters. */
export function findMount(adapters: readonly Adapter[], { sources, text }: LayoutInput): string | undefined {
  const call = new RegExp(`\\b(${adapters.map((adapter) => HANDLER[adapter]).join('|')})\\s*\\(`)
  return sources.find((file) => !text(file).startsWith(GENERATED_HEADER) && call.test(stripComments(text(file))))
}

/**
 * Chooses the location of the file that mounts the routes.
 * @returns undefined if all candidates exist already
 */
export function chooseMountFile(adapter: Adapter, app: LayoutInput, { modules }: Layout): MountFile | undefined {
  switch (adapter) {
    case 'next': {
      const { folder, route } = nextRouter(app)
      return findFirst(PREFIXES, (prefix) => {
        const taken = app.sources.some((file) => file.startsWith(`${folder}${prefix}/[`))
        return taken ? undefined : { file: `${folder}${prefix}/${route}`, form: 'whole', prefix }
      })
    }
    case 'nuxt':
      return findFirst(PREFIXES, (prefix) => {
        const taken = app.sources.some((file) => file.startsWith(`${modules}${prefix}/[...`))
        return taken ? undefined : { file: `${modules}${prefix}/[...].ts`, form: 'whole', prefix }
      })
    case 'tanstack-start':
      return findFirst(PREFIXES, (prefix) => {
        const [flat, nested] = [`src/routes/${prefix.slice(1).replaceAll('/', '.')}.$`, `src/routes${prefix}/$`]
        const free = isModuleNameFree(flat, app) && isModuleNameFree(nested, app)
        return free ? { file: `${flat}.ts`, form: 'whole', prefix } : undefined
      })
    case 'sveltekit':
      return isModuleNameFree('src/hooks.server', app)
        ? { file: 'src/hooks.server.ts', form: 'whole', prefix: '/api' }
        : findPartFile(
            modules,
            app,
            app.sources.find((file) => file.startsWith('src/hooks.server.')),
          )
    case 'nest':
      return findPartFile(modules, app, undefined, '.controller')
    default:
      return serverMountFile(adapter, app, modules)
  }
}

/** Returns a complete server file if the app has none. Otherwise, returns a module that the app must use. */
function serverMountFile(
  adapter: keyof typeof APP_CONSTRUCTION,
  app: LayoutInput,
  modules: string,
): MountFile | undefined {
  const hosts = app.sources.filter(
    (file) => !NON_APP_FILES.test(file) && APP_CONSTRUCTION[adapter].test(stripComments(app.text(file))),
  )
  const host = hosts.find((file) => /(^|\/)(index|app|server|main)\.\w+$/.test(file)) ?? hosts[0]
  const entry = ['index', 'app', 'server']
    .map((name) => join(modules, name))
    .find((stem) => isModuleNameFree(stem, app))
  if (host === undefined && entry !== undefined) return { file: `${entry}.ts`, form: 'whole', prefix: '/api' }
  return findPartFile(modules, app, host)
}

function findPartFile(modules: string, app: LayoutInput, host?: string, kind = ''): MountFile | undefined {
  return findFirst(['api', 'prisma-api'], (name) => {
    const stem = join(modules, `${name}${kind}`)
    if (!isModuleNameFree(stem, app)) return undefined
    return { file: `${stem}.ts`, form: 'part', prefix: '/api', ...(host === undefined ? {} : { host }) }
  })
}

/** Finds the router's folder in Next's order: the app directory before the pages directory, the root before `src`. */
function nextRouter({ exists }: LayoutInput): { readonly folder: string; readonly route: string } {
  const [app, pages] = ['[...path]/route.ts', '[...path].ts']
  for (const [folder, route] of [
    ['app', app],
    ['src/app', app],
    ['pages', pages],
    ['src/pages', pages],
  ] as const) {
    if (exists(folder)) return { folder, route }
  }
  return { folder: exists('src') ? 'src/app' : 'app', route: app }
}

function findFirst<C>(
  candidates: readonly C[],
  toMountFile: (candidate: C) => MountFile | undefined,
): MountFile | undefined {
  for (const candidate of candidates) {
    const found = toMountFile(candidate)
    if (found) return found
  }
  return undefined
}
