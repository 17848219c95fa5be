import { join } from 'node:path'

import { ROOT } from '../../scripts/prepare-fixtures.js'
import { installPackages } from './install.js'

/**
 * Sets the SQLite driver for the programs, and installs it if necessary.
 * @param name better-sqlite3 or libsql
 */
export async function chooseDriver(name: string): Promise<void> {
  delete process.env['BENCH_BETTER_SQLITE3']
  if (name === 'libsql') return
  if (name !== 'better-sqlite3') throw new Error(`There is no driver "${name}". There are better-sqlite3 and libsql.`)
  // Version 12 crashes on Node 24, when statements are collected. Version 13 crashes on Node 20.
  const isSupported = Number(process.versions.node.split('.')[0]) >= 22
  const folder = join(ROOT, isSupported ? 'bench/better-sqlite3-13' : 'bench/better-sqlite3')
  await installPackages(folder, { scripts: true }).catch((cause: unknown) => {
    throw new Error('better-sqlite3 cannot be installed here. Use --sqlite-driver libsql.', { cause })
  })
  process.env['BENCH_BETTER_SQLITE3'] = folder
}
