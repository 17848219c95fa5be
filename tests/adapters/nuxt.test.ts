import { createApp, createRouter, readBody, toNodeListener } from 'h3'
import { H3, type H3Event as H3v2Event } from 'h3-v2'

import { nuxtHandler } from '../../runtime/adapters/nuxt.js'
import { inProcess, listen, type Mount } from './suite/serving.js'
import { adapterSuite } from './suite/suite.js'

const api = ({ handler, getOrm, context }: Mount, prefix?: string) =>
  nuxtHandler({
    handler,
    context: (event) => context(event.headers.get('x-user')),
    getOrm: (event, requestContext) => getOrm(event.headers.get('x-user'), requestContext),
    ...(prefix === undefined ? {} : { prefix }),
  })

// As Nitro mounts `server/routes/v1/echo/[...].ts` and `server/routes/t/[tenant]/api/[...].ts`.
const routes = (mounts: readonly Mount[]) => {
  const router = createRouter({ preemptive: true })
  for (const mount of mounts) router.use(`${mount.path}/**`, api(mount, mount.path))
  return router
}

adapterSuite('nuxt adapter, h3 1', (mounts) => listen(toNodeListener(createApp().use(routes(mounts)))), {
  sendsToTheEnd: true,
})

adapterSuite(
  'nuxt adapter, h3 1, body read by middleware',
  (mounts) => {
    const app = createApp().use(async (event) => {
      if (event.method !== 'GET' && event.method !== 'HEAD') await readBody(event).catch(() => {})
    })
    return listen(toNodeListener(app.use(routes(mounts))))
  },
  { parsed: true, sendsToTheEnd: true },
)

adapterSuite(
  'nuxt adapter, h3 1, nested apps',
  (mounts) => {
    const app = createApp()
    // An app cannot be mounted at a path with a parameter.
    const [plain, others] = [mounts.filter(isPlain), mounts.filter((mount) => !isPlain(mount))]
    for (const mount of plain) app.use(mount.path, api(mount))
    return listen(toNodeListener(app.use(routes(others))))
  },
  { sendsToTheEnd: true },
)

adapterSuite('nuxt adapter, h3 2', async (mounts) => {
  const app = new H3()
  for (const mount of mounts) {
    const handler: unknown = api(mount, mount.path)
    app.all(`${mount.path}/**`, handler as (event: H3v2Event) => Promise<Response>)
  }
  return inProcess((request) => app.fetch(request))
})

function isPlain({ path }: Mount): boolean {
  return !path.includes(':')
}
