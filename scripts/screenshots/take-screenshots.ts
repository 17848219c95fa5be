/**
 * Takes the images in `docs/images` again: starts the blog, the issue tracker and the documentation site, and opens their pages in Chromium
 * (`npm run screenshots`). Requires Chromium and `npm ci --prefix docs`. Compare the images with the committed ones.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

import type { Browser } from 'playwright-core'

import { openDatabase } from '../../demo/database.js'
import { generateRoutes } from '../../demo/generate.js'
import { serveBlog } from '../../demo/server.js'
import { startSite } from '../../tests/docs/support/site.js'
import { startExample } from '../../tests/examples/clone.js'
import { hasBrowser, openBrowser } from '../../tests/support/browser.js'
import { ROOT } from '../prepare-fixtures.js'
import { isSameImage } from './is-same-image.js'
import { type Screenshot, SCREENSHOTS, type CapturedApp, TUTORIAL } from './screenshots.js'

const FOLDER = join(ROOT, 'docs/images')

const run = promisify(execFile)

/** An app that serves the pages. */
interface RunningApp {
  readonly url: string
  close(): Promise<void>
}

const START: Readonly<Record<CapturedApp, () => Promise<RunningApp>>> = {
  blog: startBlog,
  issueTracker: startExample,
  site: startSite,
}

if (!hasBrowser) throw new Error('The images cannot be taken without Chromium. Run apt-get install chromium.')
const browser = await openBrowser()
try {
  for (const app of ['blog', 'issueTracker', 'site'] as const) {
    const running = await START[app]()
    try {
      await take(browser, running.url, SCREENSHOTS[app])
    } finally {
      await running.close()
    }
  }
} finally {
  await browser.close()
}
await run('npx', ['vitest', 'run', TUTORIAL.test], {
  cwd: ROOT,
  env: { ...process.env, TEST_FORM: 'long', WRITE_PICTURES: '1' },
})
process.stdout.write(`${TUTORIAL.file}\n`)

/** Takes the images of one app. They share cookies and storage, so that the user is logged in. */
async function take(chromium: Browser, baseURL: string, screenshots: readonly Screenshot[]): Promise<void> {
  const context = await chromium.newContext({ baseURL, locale: 'en-GB', timezoneId: 'UTC', colorScheme: 'light' })
  const page = await context.newPage()
  for (const { file, width, height, open } of screenshots) {
    await page.setViewportSize({ width, height })
    await open(page)
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => document.fonts.ready)
    await page.mouse.move(0, 0)
    const image = await page.screenshot({ animations: 'disabled', caret: 'hide' })
    const path = join(FOLDER, file)
    const isUnchanged = existsSync(path) && (await isSameImage(chromium, await readFile(path), image))
    if (!isUnchanged) await writeFile(path, image)
    process.stdout.write(`${file}${isUnchanged ? ', unchanged' : ''}\n`)
  }
  await context.close()
}

async function startBlog(): Promise<RunningApp> {
  await generateRoutes()
  const database = await openDatabase()
  const server = await serveBlog(database.orm, 3000)
  return {
    url: server.url,
    async close() {
      await server.close()
      await database.close()
    },
  }
}
