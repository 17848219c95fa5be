import { BaseSequencer, type TestSpecification } from 'vitest/node'

const PROJECTS: readonly string[] = ['slow', 'http', 'unit']

const LONG =
  /\/e2e\/|differential|propert|fuzz|links\.test|seed\.test|lost-updates|joined-lists|packages\/|typescript\.test|verdicts|lock-races|matrix|bulk-events|concurrent-|idempotency\/conditional/

/**
 * Starts with the slowest project and, within a project, with the slowest files, so that no core waits for the last of them. Without
 * earlier results, for example in a fresh clone, Vitest sorts files by their size, but a property test is a short file.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ project, moduleId }: TestSpecification) =>
      PROJECTS.indexOf(project.name) * 2 + (LONG.test(moduleId) ? 0 : 1)
    return sorted.toSorted((a, b) => rank(a) - rank(b))
  }
}
