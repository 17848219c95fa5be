import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

import { ROOT } from '../../scripts/prepare-fixtures.js'

/**
 * Runs this command again on another version of Node, which is installed with npm first.
 * @param version for example 24
 * @param args the arguments of the command, without the one for the version
 * @returns the exit code
 */
export function runOnNode(version: string, args: readonly string[]): number {
  if (!/^\d+(\.\d+)*$/.test(version)) throw new Error(`--node must be a version such as 24, but is ${version}.`)
  const folder = join(ROOT, 'bench/.build/node', version)
  const executable = join(folder, 'node_modules/node/bin/node')
  if (!existsSync(executable)) {
    mkdirSync(folder, { recursive: true })
    const install = ['install', '--no-audit', '--no-fund', '--no-save', '--no-ignore-scripts', '--prefix', folder]
    execFileSync('npm', [...install, `node@${version}`], { stdio: ['ignore', 'ignore', 'inherit'] })
  }
  const bin = dirname(executable)
  const packages = join(folder, 'node_modules/node/node_modules')
  const platform = readdirSync(packages).find((name) => existsSync(join(packages, name, 'include/node'))) ?? ''
  const { status } = spawnSync(executable, ['--import', 'tsx', join(ROOT, 'bench/main.ts'), ...args], {
    cwd: ROOT,
    stdio: 'inherit',
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env['PATH']}`,
      // Drivers are compiled with the headers of this version. Otherwise, npm downloads them.
      npm_config_nodedir: join(packages, platform),
    },
  })
  return status ?? 1
}
