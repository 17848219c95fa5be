import { existsSync } from 'node:fs'

import { type Browser, chromium } from 'playwright-core'

/** The browser of Debian's package, or the one that the environment names. Undefined where there is none. */
const PATH = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'

/** Whether there is a browser to test pages in. Where there is none, those who test with it are told so. */
export const hasBrowser = existsSync(PATH)
if (!hasBrowser) process.stdout.write(`No Chromium at ${PATH}: pages are not tested in a browser.\n`)

/** Opens the browser. Its own sandbox is left off: containers do not let it be made. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: PATH, args: ['--no-sandbox'] })
}
