import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

import { getRequestListener } from '@hono/node-server'
import { serveStatic } from '@hono/node-server/serve-static'
import { Hono } from 'hono'

import { freePort } from '../../support/servers/programs.js'
import { ROOT } from './pages.js'

const VITEPRESS = path.join(ROOT, 'docs/node_modules/vitepress/bin/vitepress.js')

/** Whether the packages of `docs/` are installed (`npm ci --prefix docs`). */
export const hasVitePress = existsSync(VITEPRESS)

/** The documentation site on a local server with clean URLs. */
export interface RunningSite {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves the site, without the links that only the published site has. Uses the build in the folder `TEST_DOCS_SITE`, or builds the site in
 * a temporary folder.
 */
export async function startSite(): Promise<RunningSite> {
  const built = process.env['TEST_DOCS_SITE']
  const folder = built ?? (await mkdtemp(path.join(tmpdir(), 'routewright-site-')))
  if (built === undefined) await buildSite(folder)
  const app = new Hono()
  const withExtension = (name: string) => (name.endsWith('/') || path.extname(name) ? name : `${name}.html`)
  app.use(serveStatic({ root: folder, rewriteRequestPath: withExtension }))
  const server = createServer(getRequestListener(app.fetch))
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve))
  return {
    url: `http://localhost:${port}`,
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      if (built === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function buildSite(folder: string): Promise<void> {
  const { GITHUB_REPOSITORY: _repository, DOCS_BASE: _base, ...env } = process.env
  await promisify(execFile)(process.execPath, [VITEPRESS, 'build', path.join(ROOT, 'docs'), '--outDir', folder], {
    env,
  })
}
