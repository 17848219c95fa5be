import { createServer } from 'node:http'

import next from 'next'
import type { NextRequest } from 'next/server.js'
import { afterAll, beforeAll } from 'vitest'

import { nextApiRoute, nextRouteHandlers } from '../../runtime/adapters/next.js'
import { BUILD_TIMEOUT, buildApp, serveInApps } from './suite/app.js'
import { running, userHeader } from './suite/serving.js'
import type { Mount, Running } from './suite/serving.js'
import { adapterSuite } from './suite/suite.js'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Route handlers that find the API at request time, because it does not exist during the build. */
const routes = (mount: string) => `const serve = (method) => async (request, context) => {
  const params = await context.params
  return globalThis.served(\`app ${mount}\`)?.[method](request, context) ?? new Response(null, { status: 404 })
}
${METHODS.map((method) => `export const ${method} = serve('${method}')`).join('\n')}
`
const apiRoute = (mount: string, parsed: boolean) => `export default function serve(req, res) {
  const params = req.query
  const serve = globalThis.served(\`${parsed ? 'parsed' : 'raw'} ${mount}\`)
  return serve ? serve(req, res) : res.status(404).end()
}
${parsed ? "export const config = { api: { bodyParser: { sizeLimit: '10mb' } } }" : 'export const config = { api: { bodyParser: false } }'}
`
const [PLAIN, TENANT] = ['/v1/${params.api}', '/t/:tenant/api']

const APP = {
  'app/v1/[api]/[...path]/route.js': routes(PLAIN),
  'app/t/[tenant]/api/[...path]/route.js': routes(TENANT),
  'pages/api/parsed/v1/[api]/[...path].js': apiRoute(PLAIN, true),
  'pages/api/parsed/t/[tenant]/api/[...path].js': apiRoute(TENANT, true),
  'pages/api/raw/v1/[api]/[...path].js': apiRoute(PLAIN, false),
  'pages/api/raw/t/[tenant]/api/[...path].js': apiRoute(TENANT, false),
  'next.config.js': 'export default { basePath: "/base" }\n',
}

// One app serves all suites, because Next cannot be started twice in a process.
const server = createServer()
let closeApp = async (): Promise<void> => {}
beforeAll(async () => {
  const dir = await buildApp('next', APP, ['next/dist/bin/next', 'build'])
  // Its types declare the function as a member of itself.
  const create: unknown = next
  const app = (create as typeof next.default)({ dev: false, dir, quiet: true })
  await app.prepare()
  closeApp = () => app.close()
  server.on('request', app.getRequestHandler())
  await new Promise<void>((resolve) => server.listen(0, resolve))
}, BUILD_TIMEOUT)
afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await closeApp()
})

async function start(base: string): Promise<Running> {
  return running(server, async () => {}, base)
}

adapterSuite(
  'next adapter, app directory',
  (mounts) => {
    for (const { path: prefix, handler, getOrm, context } of mounts) {
      const userOf = (req: NextRequest) => req.cookies.get('user')?.value ?? req.headers.get('x-user')
      const options = { handler, prefix, useAppDir: true } as const
      serveInApps(
        `app ${prefix}`,
        nextRouteHandlers({
          ...options,
          context: (req) => context(userOf(req)),
          getOrm: (req, _route, requestContext) => getOrm(userOf(req), requestContext),
        }),
      )
    }
    return start('/base')
  },
  { rewritesQuery: true },
)

const pages = (kind: string) => (mounts: readonly Mount[]) => {
  for (const { path, handler, getOrm, context } of mounts) {
    const prefix = `/api/${kind}${path}`
    const route = nextApiRoute({
      handler,
      prefix,
      context: (req) => context(userHeader(req)),
      getOrm: (req, requestContext) => getOrm(userHeader(req), requestContext),
    })
    serveInApps(`${kind} ${path}`, route)
  }
  return start(`/base/api/${kind}`)
}
adapterSuite('next adapter, pages directory', pages('parsed'), { parsed: true, rewritesQuery: true })
adapterSuite('next adapter, pages directory, without body parser', pages('raw'), { rewritesQuery: true })
