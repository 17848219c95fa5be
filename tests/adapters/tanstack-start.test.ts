import path from 'node:path'

import { tanStackStartHandlers } from '../../runtime/adapters/tanstack-start.js'
import { buildApp, serveInApps } from './suite/app.js'
import { inProcess } from './suite/serving.js'
import { adapterSuite } from './suite/suite.js'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** A server route that finds its handlers at request time, because they do not exist during the build. */
const route = (pattern: string, mount: string) => `import { createFileRoute } from '@tanstack/react-router'
const serve = (method) => (context) => globalThis.served(${mount})?.[method](context) ?? new Response(null, { status: 404 })
const handlers = { ${METHODS.map((method) => `${method}: serve('${method}')`).join(', ')} }
export const Route = createFileRoute('${pattern}')({ server: { handlers } })
`

const APP = {
  'vite.config.js': `import { tanstackStart } from '@tanstack/react-start/plugin/vite'
export default { plugins: [tanstackStart()] }
`,
  'tsconfig.json': '{ "compilerOptions": { "jsx": "react-jsx", "moduleResolution": "bundler" } }\n',
  'src/router.tsx': `import { createRouter } from '@tanstack/react-router'
import { routeTree } from './routeTree.gen'
export const getRouter = () => createRouter({ routeTree })
`,
  'src/routes/__root.tsx': `import { createRootRoute } from '@tanstack/react-router'
export const Route = createRootRoute({ notFoundComponent: () => 'Nothing here' })
`,
  'src/routes/v1.$api.$.js': route('/v1/$api/$', '`/v1/${context.params.api}`'),
  'src/routes/t.$tenant.api.$.js': route('/t/$tenant/api/$', "'/t/:tenant/api'"),
}

adapterSuite('tanstack-start adapter', async (mounts) => {
  for (const { path: prefix, handler, getOrm, context } of mounts) {
    const options = {
      handler,
      context: ({ request }: { request: Request }) => context(request.headers.get('x-user')),
      getOrm: ({ request }: { request: Request }, requestContext: unknown) =>
        getOrm(request.headers.get('x-user'), requestContext),
    }
    serveInApps(prefix, tanStackStartHandlers({ ...options, prefix }))
  }
  const folder = await buildApp('@tanstack/react-start', APP, ['vite/bin/vite.js', 'build'])
  const { default: app } = await import(path.join(folder, 'dist/server/server.js'))
  return inProcess((request) => app.fetch(request))
})
