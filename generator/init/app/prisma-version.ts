import { findInstalled } from '../../project/installed.js'
import { installCommand } from '../../project/package-manager.js'
import { versionNumbers } from '../../project/version.js'
import { initError } from '../init-error.js'
import type { AppFolder } from './app-folder.js'

/**
 * Checks that an app does not use Prisma 8, which does not run generators.
 * @throws GeneratorError if `package.json` names Prisma 8 or one of its clients, or if Prisma 8 is installed
 */
export function assertPrisma7({ root, manifest: { packages } }: Pick<AppFolder, 'root' | 'manifest'>): void {
  const client = [...packages.keys()].find((name) => name.startsWith('@prisma/orm-'))
  const found =
    client ?? ['prisma', '@prisma/client'].map((name) => foundVersion(name)).find((name) => name !== undefined)
  if (found === undefined) return
  throw initError(
    `the app uses Prisma 8 (${found}), which does not run generators.`,
    `Install Prisma 7: \`${installCommand(root, ['prisma@7', '@prisma/client@7'])}\`.`,
  )

  /** Returns the package with its version if that is Prisma 8 or later. Ranges without a number, such as `latest`, are ignored. */
  function foundVersion(name: string): string | undefined {
    const range = /^(?:npm:[^@]+@)?([\^~>=v\s]*\d.*)/.exec(packages.get(name) ?? '')?.[1]
    const version = range ?? findInstalled(name, root)?.version ?? ''
    return versionNumbers(version)[0] >= 8 ? `${name} ${version}` : undefined
  }
}
