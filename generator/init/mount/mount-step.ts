import type { Adapter } from '../../options.js'
import type { MountFile } from './mount-file.js'

/** The inputs for the remaining step after the mount file is written. */
export interface MountStepOptions extends MountFile {
  readonly adapter: Adapter
  /** The import specifier of the mount file in the app's file. */
  readonly specifier: string
  /** The class that creates the Prisma client, if Nest injects it. */
  readonly service: string | undefined
}

/**
 * Describes the step that is still needed to serve the routes.
 * @returns undefined if no step remains
 */
export function mountStep(mount: MountStepOptions): string | undefined {
  const { adapter, form, file, host, prefix, specifier } = mount
  const appFile = host ?? 'your app'
  const use = (...lines: readonly string[]) =>
    [`Use ${file} in ${appFile}:`, `import { api } from '${specifier}'`, ...lines].join('\n    ')
  if (adapter === 'nest') {
    const service = mount.service === undefined ? '' : `, and ${mount.service} to its providers`
    return `Add ApiController from ${file} to the controllers of a module${service}.`
  }
  if (form === 'whole') return STANDALONE_STEPS[adapter]?.(file)
  switch (adapter) {
    case 'hono':
      return use(`app.route('${prefix}', api)`)
    case 'express':
      return use(`app.use('${prefix}', api) // before body parsers`)
    case 'fastify':
      return use(`app.register(api, { prefix: '${prefix}' })`)
    case 'elysia':
      return use('app.use(api)')
    case 'node':
      return use(`// serves paths below ${prefix}, and responds to all others with 404`, 'api(req, res)')
    case 'fetch':
      return use(`// serves paths below ${prefix}, and responds to all others with 404`, 'return api(request)')
    case 'sveltekit':
      return use(
        "import { sequence } from '@sveltejs/kit/hooks'",
        'export const handle = sequence(/* your own hook, */ api)',
      )
    default:
      return undefined
  }
}

const STANDALONE_STEPS: Partial<Record<Adapter, (file: string) => string>> = {
  hono: (file) =>
    `Serve ${file}. Workers, Bun and Deno serve it directly. On Node, use serve(app) from @hono/node-server.`,
  fetch: (file) => `Serve ${file}. Workers and Bun serve it directly.`,
  elysia: (file) => `Serve the app from ${file} with app.listen(3000). On Node, add the adapter from @elysiajs/node.`,
  express: (file) => `Start ${file}. It listens on port 3000.`,
  fastify: (file) => `Start ${file}. It listens on port 3000.`,
  node: (file) => `Start ${file}. It listens on port 3000.`,
}
