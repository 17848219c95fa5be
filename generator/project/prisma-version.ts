import { GeneratorError, type Diagnostic } from '../errors.js'
import { findInstalled } from './installed.js'
import { installCommand } from './package-manager.js'
import { versionNumbers } from './version.js'

/** The major of Prisma whose schemas we read and whose client the routes call. */
const MAJOR = 7

/**
 * Refuses a project that has another Prisma than ours. What cannot be found is not refused: it may be installed in a way that
 * nobody sees from here.
 * @param from the schema's file or folder
 * @throws GeneratorError that says what was found, and what to install
 */
export function assertPrisma7(from: string): void {
  const problems = [wrongMajor('prisma', from, 'dev'), wrongMajor('@prisma/client', from, 'app')]
  const found = problems.filter((problem) => problem !== undefined)
  if (found.length > 0) throw new GeneratorError(found)
}

function wrongMajor(name: string, from: string, kind: 'app' | 'dev'): Diagnostic | undefined {
  const version = findInstalled(name, from)?.version ?? ''
  const [major] = versionNumbers(version)
  // Prisma's own builds have no major.
  if (major === MAJOR || major === 0) return undefined
  return {
    place: {},
    what: `this project has ${name} ${version}, and routes are generated for Prisma ${MAJOR} only.`,
    mend: `Run: ${installCommand(from, [`${name}@${MAJOR}`], kind)}`,
  }
}
