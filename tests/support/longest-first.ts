import { BaseSequencer, type TestSpecification } from 'vitest/node'

const LONG =
  /\/e2e\/|differential|propert|fuzz|kitchen-sink-writes|links\.test|seed\.test|lost-updates|joined-lists|\/(next|sveltekit|tanstack-start|apps)\.test|issue-tracker-|packages\/|typescript\.test/

/**
 * Starts with the slowest files, so that no core waits for the last of them. Without earlier results, for example in a
 * fresh clone, Vitest sorts files by their size, but a property test is a short file.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const isLong = ({ moduleId }: TestSpecification) => LONG.test(moduleId)
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))]
  }
}
