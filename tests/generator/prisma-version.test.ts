import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { GeneratorError } from '../../generator/errors.js'
import { assertPrisma7 } from '../../generator/project/prisma-version.js'
import { folderWith } from '../output/folders.js'

/** Returns the message on a project with these packages. */
function getMessage(packages: Readonly<Record<string, string>>, more: Readonly<Record<string, string>> = {}): string {
  const manifests = Object.entries(packages).map(([name, version]) => [
    `node_modules/${name}/package.json`,
    JSON.stringify({ name, version }),
  ])
  const folder = folderWith({ ...Object.fromEntries(manifests), ...more })
  try {
    assertPrisma7(join(folder, 'prisma/schema.prisma'))
    return ''
  } catch (error) {
    if (error instanceof GeneratorError) return error.message
    throw error
  }
}

describe('assertPrisma7', () => {
  it('accepts any minor version of Prisma 7', () => {
    expect(getMessage({ prisma: '7.0.0', '@prisma/client': '7.10.0' })).toBe('')
    expect(getMessage({ prisma: '7.12.0-dev.3', '@prisma/client': '7.12.0-dev.3' })).toBe('')
  })

  it('accepts a project without an installed Prisma', () => {
    expect(getMessage({})).toBe('')
  })

  it('throws with the version and the install command for another major version', () => {
    expect(getMessage({ prisma: '6.19.0', '@prisma/client': '6.18.0' }).split('\n')).toEqual([
      'routewright: Prisma 7 is required, but this project has prisma 6.19.0. Run: npm install -D prisma@7',
      'routewright: Prisma 7 is required, but this project has @prisma/client 6.18.0. Run: npm install @prisma/client@7',
    ])
    expect(getMessage({ prisma: '8.0.0-rc.19' }, { 'pnpm-lock.yaml': '' })).toMatch(
      /8\.0\.0-rc\.19.*Run: pnpm add -D prisma@7$/,
    )
    expect(getMessage({ prisma: '7.1.0', '@prisma/client': '5.0.0' }, { 'bun.lock': '' })).toMatch(
      /^[^\n]*Run: bun add @prisma\/client@7$/,
    )
  })
})
