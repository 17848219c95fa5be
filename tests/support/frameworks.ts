import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('../frameworks', import.meta.url))
const ROOT = join(FOLDER, '../..')

/** Whether the packages of `tests/frameworks` are installed, and linked into the root. */
export const hasFrameworks = existsSync(join(ROOT, 'node_modules/next/package.json'))

/** The project that the compiler checks if the frameworks are not installed. */
export const WITHOUT_FRAMEWORKS = join(FOLDER, 'absent.tsconfig.json')

/** The files and folders that are not compiled without the frameworks, relative to the root. */
export function frameworkFiles(): string[] {
  const { exclude } = JSON.parse(readFileSync(WITHOUT_FRAMEWORKS, 'utf8')) as { exclude: readonly string[] }
  return exclude.map((file) => relative(ROOT, join(FOLDER, file)).replaceAll('\\', '/'))
}

/** Test files that import a framework, relative to the root. */
export function frameworkTests(): string[] {
  return frameworkFiles().filter((file) => file.endsWith('.test.ts'))
}

/** Logs what is skipped if the frameworks are not installed. */
export function reportAbsence(what: string): void {
  if (!hasFrameworks) console.log(`The packages of tests/frameworks are not installed: ${what}`)
}
