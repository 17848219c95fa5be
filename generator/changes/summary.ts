import type { GenerateInput } from '../generate.js'
import type { Change } from './change.js'
import { findChanges } from './find-changes.js'

/** Maximum number of changes to report at the end of other commands. */
const MAX_CHANGES = 2

/**
 * Returns the most important changes since the default branch, one line each, for the output of other commands. The report is optional, so
 * an error, such as a missing base branch, results in an empty list.
 */
export async function topChanges(inputs: readonly GenerateInput[]): Promise<readonly string[]> {
  if (process.env['ROUTEWRIGHT_CHANGES'] === 'off') return []
  try {
    const { changes, isNew } = await findChanges(inputs, { isThorough: false })
    const reported = changes.filter(({ kind, accepted }) => kind !== 'harmless' && accepted === undefined)
    if (isNew || reported.length === 0) return []
    const more = reported.length - MAX_CHANGES
    return selectChanges(reported).map(({ kind, sentence }, at) => {
      const rest = more > 0 && at === MAX_CHANGES - 1 ? ` ${more} more: npx routewright changes` : ''
      return `${kind}: ${sentence}${rest}`
    })
  } catch {
    return []
  }
}

/** Selects the most important changes. If there are breaking changes, the last one is breaking, even if there are several exposures. */
function selectChanges(changes: readonly Change[]): readonly Change[] {
  const selected = changes.slice(0, MAX_CHANGES)
  const breaking = changes.find(({ kind }) => kind === 'breaking')
  if (breaking === undefined || selected.some(({ kind }) => kind === 'breaking')) return selected
  return [...selected.slice(0, -1), breaking]
}
