import { existsSync } from 'node:fs'

/** Possible paths of Chromium. */
const CHROMIUM_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** Path of Chromium, or undefined. `CHROMIUM` sets another path. */
export const chromiumPath = [process.env['CHROMIUM'] ?? '', ...CHROMIUM_PATHS].find(
  (path) => path !== '' && existsSync(path),
)

if (!chromiumPath) {
  process.stderr.write('Chromium is not here, so no test drives a browser: apt-get install chromium\n')
}
