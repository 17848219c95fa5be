import { execFile } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/**
 * Installs what only the benchmark needs in a folder of its own, where it is not there as its lock file says.
 * @param folder has a `package.json` and a lock file
 * @param scripts whether its packages' own install scripts may run, as those that compile a driver
 */
export async function installPackages(folder: string, { scripts = false } = {}): Promise<void> {
  // What was compiled fits one version of Node's modules.
  const wanted = `${readFileSync(join(folder, 'package-lock.json'), 'utf8')}${process.platform} ${process.versions.modules}`
  const mark = join(folder, 'node_modules/.bench-installed')
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return
  const args = ['ci', '--no-audit', '--no-fund', scripts ? '--no-ignore-scripts' : '--ignore-scripts']
  await run('npm', args, { cwd: folder })
  writeFileSync(mark, wanted)
}
