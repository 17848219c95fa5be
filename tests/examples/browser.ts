import { existsSync } from 'node:fs'

/** Where Chromium may be. */
const CHROMIUM_PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The program of a Chromium; undefined where there is none. `CHROMIUM` names another one. */
export const chromiumPath = [process.env['CHROMIUM'] ?? '', ...CHROMIUM_PATHS].find(
  (path) => path !== '' && existsSync(path),
)

if (!chromiumPath) {
  process.stderr.write('Chromium is not here, so no test drives a browser: apt-get install chromium\n')
}
