import { existsSync } from 'node:fs'

import { type Browser, chromium } from 'playwright-core'

/** Path of the browser: `CHROMIUM_PATH`, or Debian's package. */
const PATH = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

/** Whether a browser is installed. If not, its tests are skipped with a message. */
export const hasBrowser = existsSync(PATH)
if (!hasBrowser) process.stdout.write(`No Chromium at ${PATH}: pages are not tested in a browser.\n`)

/** Starts the browser without its sandbox, which cannot be created in containers. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: PATH, args: ['--no-sandbox'] })
}
