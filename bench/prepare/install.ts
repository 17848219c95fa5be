import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Installs packages that only the benchmark needs in a separate folder, unless they match the lock file already.
 * @param folder contains a `package.json` and a lock file
 * @param scripts whether to run install scripts, which some drivers need to compile
 */
export async function installPackages(folder: string, { scripts = false } = {}): Promise<void> {
  // Compiled packages depend on the version of Node's module ABI.
  const fingerprint = `${readFileSync(join(folder, 'package-lock.json'), 'utf8')}${process.platform} ${process.versions.modules}`
  const markerFile = join(folder, 'node_modules/.bench-installed')
  if (existsSync(markerFile) && readFileSync(markerFile, 'utf8') === fingerprint) return
  const args = ['ci', '--no-audit', '--no-fund', scripts ? '--no-ignore-scripts' : '--ignore-scripts']
  await run('npm', args, { cwd: folder })
  writeFileSync(markerFile, fingerprint)
}
