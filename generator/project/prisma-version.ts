import { GeneratorError, type Diagnostic } from '../errors.js'
import { findInstalled } from './installed.js'
import { installCommand } from './package-manager.js'
import { versionNumbers } from './version.js'

/** The supported major version of Prisma. */
const MAJOR = 7

/**
 * Checks that the project's `prisma` and `@prisma/client` have the supported major version. Packages that are not found are accepted,
 * because they may be installed in a way that cannot be detected.
 * @param from the schema's file or folder
 * @throws GeneratorError naming the installed version and the install command
 */
export function assertPrisma7(from: string): void {
  const problems = [wrongMajor('prisma', from, 'dev'), wrongMajor('@prisma/client', from, 'app')]
  const found = problems.filter((problem) => problem !== undefined)
  if (found.length > 0) throw new GeneratorError(found)
}

function wrongMajor(name: string, from: string, kind: 'app' | 'dev'): Diagnostic | undefined {
  const version = findInstalled(name, from)?.version ?? ''
  const [major] = versionNumbers(version)
  // Prisma's development builds have major version 0. So does a package that was not found.
  if (major === MAJOR || major === 0) return undefined
  return {
    location: {},
    message: `Prisma ${MAJOR} is required, but this project has ${name} ${version}.`,
    hint: `Run: ${installCommand(from, [`${name}@${MAJOR}`], kind)}`,
  }
}
