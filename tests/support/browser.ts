import { existsSync } from 'node:fs'

import { type Browser, chromium } from 'playwright-core'

/** Path of Chromium, or undefined. `CHROMIUM` sets another path. */
const PATH = [
  process.env['CHROMIUM'] ?? '',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== '' && existsSync(path))

/** Whether a browser is installed. If not, its tests are skipped with a message. */
export const hasBrowser = PATH !== undefined
if (!hasBrowser) process.stdout.write('Chromium was not found. Pages are not tested in a browser.\n')

/** Starts the browser without its sandbox, which cannot be created in containers. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: PATH ?? '', args: ['--no-sandbox'] })
}
