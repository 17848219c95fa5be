import path from 'node:path'

import type { Handle, Server } from '@sveltejs/kit'

import { svelteKitHandler } from '../../runtime/adapters/sveltekit.js'
import { buildApp } from './suite/app.js'
import { inProcess } from './suite/serving.js'
import { adapterSuite } from './suite/suite.js'

interface Platform {
  readonly hooks: readonly Handle[]
}

// Each request controls the app's hook, so one build serves all tests.
const APP = {
  'vite.config.js': "import { sveltekit } from '@sveltejs/kit/vite'\nexport default { plugins: [sveltekit()] }\n",
  'svelte.config.js': 'export default {}\n',
  'src/app.html': '<html><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>\n',
  'src/routes/+page.svelte': '<p>A page</p>\n',
  'src/hooks.server.js': `import { sequence } from '@sveltejs/kit/hooks'
export const handle = (input) => sequence(...input.event.platform.hooks)(input)
export const handleError = () => ({ message: 'a page that is not there' })
`,
}

adapterSuite('sveltekit adapter', async (mounts) => {
  const hooks = mounts.map(({ path: prefix, handler, getOrm, context }) =>
    svelteKitHandler({
      handler,
      context: ({ request }) => context(request.headers.get('x-user')),
      getOrm: ({ request }, requestContext) => getOrm(request.headers.get('x-user'), requestContext),
      prefix,
    }),
  )
  const folder = await buildApp('@sveltejs/kit', APP, ['vite/bin/vite.js', 'build'])
  const load = (file: string) => import(path.join(folder, '.svelte-kit/output/server', file))
  const [{ Server: KitServer }, { manifest }] = await Promise.all([load('index.js'), load('manifest.js')])
  const server: Server = new KitServer(manifest)
  await server.init({ env: {} })
  const platform: Platform = { hooks }
  return inProcess((request) => server.respond(request, { platform, getClientAddress: () => '127.0.0.1' }))
})
