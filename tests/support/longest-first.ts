import { BaseSequencer, type TestSpecification } from 'vitest/node'

const PROJECTS: readonly string[] = ['slow', 'http', 'unit']

/** Parts of the paths of files that take long. */
const LONG: readonly string[] = [
  '/e2e/',
  '/packages/',
  'bulk-events',
  'concurrent-',
  'differential',
  'fuzz',
  'idempotency/conditional',
  'joined-lists',
  'links.test',
  'lock-races',
  'lost-updates',
  'matrix',
  'propert',
  'seed.test',
  'typescript.test',
  'verdicts',
]

/**
 * Starts with the slowest project and, within a project, with the slowest files, so that no core waits for the last of them. Without
 * earlier results, for example in a fresh clone, Vitest sorts files by their size, but a property test is a short file.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ project, moduleId }: TestSpecification) =>
      PROJECTS.indexOf(project.name) * 2 + (LONG.some((part) => moduleId.includes(part)) ? 0 : 1)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
